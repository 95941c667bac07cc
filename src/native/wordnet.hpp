// WordNet 3.0, read where it lies in memory: the synsets that METEOR 1.5 finds for a word, and the
// related words that NLTK finds. tools/make_wordnet_table.py writes the table.
//
// A table is a header and five parts, one after the other; all numbers are little-endian.
//
//   header      magic (8 bytes), version, size of the whole table (4 bytes each); for each part its size
//               (4 bytes), bits of a hash (4 bytes; 0 if it is no part of buckets) and checksum (8 bytes);
//               the checksum of all that
//   buckets     for each value of the words' hash the place of its first word, and the end (3 bytes each)
//   words       by bucket, each: length (1 byte; the highest bit set if one item follows), the number of
//               items if there are several (1 byte), the word in ASCII, the items: synsets (3 bytes each:
//               21 bits of place in that part, 2 bits of part of speech, 1 bit if it has no names);
//               then names that are written in capitals, in the same form, without items
//   synsets     METEOR's number of it (3 bytes), then the places of its names among the words (3 bytes
//               each; the highest bit marks the last): those of a single word, which NLTK takes
//   buckets     of the exceptions
//   exceptions  as the words; an item (4 bytes) is a base form: part of speech, 4 added if NLTK reads over
//               it, then its place among the words (3 bytes, all bits set if it is not there)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "unicode.hpp"

namespace cocarde {

// A view; the bytes have to outlive it. Queries may run in any number of threads. Places found in the table
// are checked where they are used, so that not even a table made to deceive can reach beyond its end.
class WordNet {
 public:
  static constexpr std::string_view kMagic{"cocardeW", 8};
  static constexpr std::uint32_t kVersion = 1;

  // Throws std::invalid_argument, which says what is wrong, unless the bytes are a whole table.
  explicit WordNet(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < kHeaderSize) {
      throw std::invalid_argument("cut short: " + std::to_string(bytes.size()) + " bytes, less than a header");
    }
    if (std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
      throw std::invalid_argument("no WordNet table: it does not start with " + std::string(kMagic));
    }
    if (const std::uint64_t version = little_endian<4>(&bytes[8]); version != kVersion) {
      throw std::invalid_argument("format version " + std::to_string(version) + ", where this build reads version " +
                                  std::to_string(kVersion));
    }
    if (checksum(bytes.first(kHeaderSize - 8)) != little_endian<8>(&bytes[kHeaderSize - 8])) {
      throw std::invalid_argument("damaged: the checksum of its header is another");
    }
    const std::uint64_t size = little_endian<4>(&bytes[12]);
    if (size != bytes.size()) {
      throw std::invalid_argument((bytes.size() < size ? "cut short: " : "too long: ") +
                                  std::to_string(bytes.size()) + " bytes instead of " + std::to_string(size));
    }
    std::size_t start = kHeaderSize;
    std::array<std::span<const std::uint8_t>, kParts.size()> parts;
    std::array<std::uint32_t, kParts.size()> bits{};
    for (std::size_t part = 0; part < kParts.size(); ++part) {
      const std::uint8_t* const described = &bytes[16 + 16 * part];
      const std::size_t length = little_endian<4>(described);
      bits[part] = static_cast<std::uint32_t>(little_endian<4>(described + 4));
      const bool buckets = part == kWordBuckets || part == kExceptionBuckets;
      if (length > bytes.size() - start || bits[part] > 24 || buckets != (bits[part] > 0) ||
          (buckets && length != 3 * ((std::size_t{1} << bits[part]) + 1))) {
        throw std::invalid_argument("damaged: the size of its " + std::string(kParts[part]) + " cannot be");
      }
      parts[part] = bytes.subspan(start, length);
      start += length;
      if (checksum(parts[part]) != little_endian<8>(described + 8)) {
        throw std::invalid_argument("damaged: the checksum of its " + std::string(kParts[part]) + " is another");
      }
    }
    if (start != bytes.size()) throw std::invalid_argument("damaged: its parts do not fill it");
    words_ = {parts[kWordBuckets].data(), parts[kWords], bits[kWordBuckets]};
    exceptions_ = {parts[kExceptionBuckets].data(), parts[kExceptions], bits[kExceptionBuckets]};
    synsets_ = parts[kSynsets];
  }

  // The sorted, distinct numbers of the synsets that METEOR 1.5 finds for a word. Two words are synonyms
  // to it if they have a number in common. Numbers are places in WordNet's files, without the part of
  // speech: synsets that have nothing to do with each other may share one.
  void meteor_synsets(std::string_view word, std::vector<std::uint32_t>& out) const {
    out.clear();
    const Entry own = words_.find<kSynsetSize>(word);
    add_numbers(own, out);
    if (const Entry exception = exceptions_.find<kBaseSize>(word); exception.items != nullptr) {
      for (std::size_t item = 0; item < exception.count; ++item) {
        const std::uint64_t base = little_endian<3>(exception.items + kBaseSize * item + 1);
        if (base != kNowhere) add_numbers(words_.at<kSynsetSize>(base), out);
      }
    } else if (word.size() > 2 && !word.ends_with("ss")) {
      // METEOR counts UTF-16 units and keeps an ending "ful"; as all words here are ASCII and no ending
      // it takes off ends in "l", neither makes a difference.
      for (const Ending& ending : kMeteorEndings) {
        const Entry base = without(word, ending);
        if (base.items == nullptr) continue;
        add_numbers(base, out);
        break;
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

  // The distinct names, without those of several words, of all synsets that NLTK finds for a word. The
  // views point into the table; their order means nothing.
  void nltk_related(std::string_view word, std::vector<std::string_view>& out) const {
    out.clear();
    // The lower case of a word that is longer, or not ASCII, is not in the table, nor is a base form.
    std::array<char, 128> letters;
    std::size_t length = 0;
    for (std::size_t i = 0; i < word.size();) {
      const CodePoint point = decode(word, i);
      i += point.size;
      const char32_t lower = point.value == kKelvin ? U'k' : ascii_lower(point.value);
      if (lower >= 0x80 || length == letters.size()) return;
      letters[length++] = static_cast<char>(lower);
    }
    word = {letters.data(), length};

    const Entry own = words_.find<kSynsetSize>(word);
    add_names(own, kAnyPart, out);
    const Entry exception = exceptions_.find<kBaseSize>(word);
    std::array<bool, kPartsOfSpeech> excepted{};
    for (std::size_t item = 0; item < exception.count; ++item) {
      const std::uint8_t* const described = exception.items + kBaseSize * item;
      const std::uint32_t part = described[0] & 3;
      excepted[part] = true;
      const std::uint64_t base = little_endian<3>(described + 1);
      if ((described[0] & 4) == 0 && base != kNowhere) add_names(words_.at<kSynsetSize>(base), 1u << part, out);
    }
    for (std::uint32_t part = 0; part < kPartsOfSpeech; ++part) {
      if (excepted[part]) continue;
      for (const Ending& ending : kNltkEndings[part]) add_names(without(word, ending), 1u << part, out);
    }
    const auto by_place = [](std::string_view a, std::string_view b) {
      return std::less<const char*>{}(a.data(), b.data());
    };
    std::sort(out.begin(), out.end(), by_place);
    // Each name lies in one place.
    out.erase(std::unique(out.begin(), out.end(),
                          [](std::string_view a, std::string_view b) { return a.data() == b.data(); }),
              out.end());
  }

  // Changes with any one byte; detects damage, not malice.
  static std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    std::uint64_t state = bytes.size();
    const auto mix = [&](std::uint64_t value) {
      state = (state ^ value) * 0x9E3779B97F4A7C15u;
      state ^= state >> 32;
    };
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) mix(little_endian<8>(&bytes[i]));
    std::uint64_t rest = 0;
    for (std::size_t shift = 0; i < bytes.size(); ++i, shift += 8) rest |= std::uint64_t{bytes[i]} << shift;
    mix(rest);
    return state;
  }

 private:
  enum Part : std::size_t { kWordBuckets, kWords, kSynsets, kExceptionBuckets, kExceptions };
  static constexpr std::array<std::string_view, 5> kParts = {"buckets of words", "words", "synsets",
                                                             "buckets of exceptions", "exceptions"};
  static constexpr std::size_t kHeaderSize = 16 + 16 * kParts.size() + 8;
  static constexpr std::size_t kSynsetSize = 3;
  static constexpr std::size_t kBaseSize = 4;
  static constexpr std::uint64_t kNowhere = 0xFFFFFF;
  // Nouns, verbs, adjectives (with their satellites), adverbs.
  static constexpr std::uint32_t kPartsOfSpeech = 4;
  static constexpr std::uint32_t kAnyPart = (1u << kPartsOfSpeech) - 1;
  // The one letter beyond ASCII whose lower case is in it.
  static constexpr char32_t kKelvin = 0x212A;

  struct Ending {
    std::string_view ending;
    std::string_view instead;
  };
  // Base forms are sought in this order, and the first found is the one.
  static constexpr std::array<Ending, 18> kMeteorEndings = {{
      {"s", ""}, {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"},
      {"ies", "y"}, {"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""},
      {"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}}};
  static constexpr std::array<Ending, 9> kNounEndings = {{
      {"s", ""}, {"ses", "s"}, {"ves", "f"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"},
      {"men", "man"}, {"ies", "y"}}};
  static constexpr std::array<Ending, 8> kVerbEndings = {{
      {"s", ""}, {"ies", "y"}, {"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""}}};
  static constexpr std::array<Ending, 4> kAdjectiveEndings = {{
      {"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}}};
  static constexpr std::array<std::span<const Ending>, kPartsOfSpeech> kNltkEndings = {
      kNounEndings, kVerbEndings, kAdjectiveEndings, std::span<const Ending>{}};

  template <std::size_t Size>
  static constexpr std::uint64_t little_endian(const std::uint8_t* bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < Size; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    return value;
  }

  static void check(bool held) {
    if (!held) throw std::invalid_argument("damaged: its places are corrupt");
  }

  struct Entry {
    std::string_view text;
    const std::uint8_t* items = nullptr;  // null if there is no such entry
    std::size_t count = 0;
  };

  // Entries sorted into buckets by a hash of their text.
  struct Index {
    const std::uint8_t* buckets = nullptr;
    std::span<const std::uint8_t> entries;
    std::uint32_t bits = 1;

    template <std::size_t ItemSize>
    Entry at(std::size_t place) const {
      check(place + 2 <= entries.size());
      const std::uint8_t first = entries[place];
      const bool one = (first & 0x80) != 0;
      const std::size_t length = first & 0x7F;
      const std::size_t count = one ? 1 : entries[place + 1];
      const std::size_t text = place + (one ? 1 : 2);
      check(text + length + ItemSize * count <= entries.size());
      const std::uint8_t* const next = entries.data() + text;
      return {{reinterpret_cast<const char*>(next), length}, next + length, count};
    }

    template <std::size_t ItemSize>
    Entry find(std::string_view word) const {
      std::uint32_t hash = 0x811C9DC5u;
      for (const char letter : word) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x01000193u;
      const std::size_t bucket = (hash * 0x9E3779B1u) >> (32 - bits);
      std::size_t place = little_endian<3>(buckets + 3 * bucket);
      const std::size_t end = little_endian<3>(buckets + 3 * bucket + 3);
      while (place < end) {
        const Entry entry = at<ItemSize>(place);
        if (entry.text == word) return entry;
        place = static_cast<std::size_t>(entry.items - entries.data()) + ItemSize * entry.count;
      }
      return {};
    }
  };

  // The word with another ending, if it has that ending and the other word exists.
  Entry without(std::string_view word, const Ending& ending) const {
    // Most words end in another letter: no need to compare more.
    if (word.empty() || word.back() != ending.ending.back() || !word.ends_with(ending.ending)) return {};
    std::array<char, 128> letters;
    const std::size_t kept = word.size() - ending.ending.size();
    const std::size_t length = kept + ending.instead.size();
    if (length > letters.size()) return {};  // as no word in the table is
    std::copy_n(word.data(), kept, letters.data());
    std::copy_n(ending.instead.data(), ending.instead.size(), letters.data() + kept);
    return words_.find<kSynsetSize>({letters.data(), length});
  }

  void add_numbers(const Entry& word, std::vector<std::uint32_t>& out) const {
    for (std::size_t item = 0; item < word.count; ++item) {
      const std::uint64_t place = little_endian<3>(word.items + kSynsetSize * item) & 0x1FFFFF;
      check(place + kSynsetSize <= synsets_.size());
      out.push_back(static_cast<std::uint32_t>(little_endian<3>(&synsets_[place])));
    }
  }

  void add_names(const Entry& word, std::uint32_t parts, std::vector<std::string_view>& out) const {
    for (std::size_t item = 0; item < word.count; ++item) {
      const std::uint64_t synset = little_endian<3>(word.items + kSynsetSize * item);
      if (((parts >> ((synset >> 21) & 3)) & 1) == 0 || (synset & 0x800000) != 0) continue;
      std::size_t next = (synset & 0x1FFFFF) + 3;
      for (bool last = false; !last; next += 3) {
        check(next + 3 <= synsets_.size());
        const std::uint64_t name = little_endian<3>(&synsets_[next]);
        last = (name & 0x800000) != 0;
        out.push_back(words_.at<0>(name & 0x7FFFFF).text);
      }
    }
  }

  Index words_;
  Index exceptions_;
  std::span<const std::uint8_t> synsets_;
};

}  // namespace cocarde
