// METEOR's table of paraphrases: compiled once into an image, which is used where it lies in memory.
//
// The image, all of it 32-bit integers in the byte order of the machine that made it:
//
//   header     magic, version, size, what it was made from, the sizes of the parts below
//   groups     a hash table of the phrases, and beginnings of phrases, of more than one word: in each slot what
//              comes before the last word, the last word and a link
//   lists      the paraphrases of each reference phrase: how many, then each in the order of the file
//   singles    the link of each phrase of one word
//   buckets    a hash table of the words, by their checksum
//   begins     where each word begins among the letters; one more for the end of the last
//   letters    the words
//   checksum   of everything before it
//
// A phrase is known by its place, so that two phrases are equal where two integers are: the phrase of
// the one word w is w; a longer one is the number of words plus its slot. A link says where the list with
// the paraphrases of a phrase is, and whether longer phrases begin with it, without which most walks over a
// text would end one cache miss later. A group is a cache line, and says which keys had to go on to the
// next, so that nearly every look into the table, most of which find nothing, costs one miss.
//
// Whoever opens an image checks all of it against its checksum: 80 MB in a few milliseconds, and what
// passed is what the builder wrote. Indexes found in an image are checked once more where they are
// used, so that not even an image made to deceive can reach beyond its end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "tokens.hpp"
#include "unicode.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#include <xmmintrin.h>
#endif

namespace cocarde {

// A run of words in each text; either may be empty, as the table has it.
struct ParaphraseMatch {
  std::uint32_t reference_start;
  std::uint32_t reference_length;
  std::uint32_t hypothesis_start;
  std::uint32_t hypothesis_length;

  friend bool operator==(const ParaphraseMatch&, const ParaphraseMatch&) = default;
};

// The bytes are no image of this version, or not as they were written.
class BadParaphraseImage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The text of a table is not what it should be; the builder knows the line.
class BadParaphraseText : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace paraphrases {

inline constexpr std::uint32_t kNone = UINT32_MAX;
// Read on a machine with the other byte order, it is another number.
inline constexpr std::uint64_t kMagic = 0x436F6344'50617231ULL;
// To be raised with every change of the image, of `checksum`, of `slot_hash` and of what follows from it.
inline constexpr std::uint32_t kVersion = 1;

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t size = 0;  // of the whole image, in bytes
  std::uint32_t version = kVersion;
  std::uint32_t longest_probe = 0;  // groups looked at to find any phrase
  std::uint32_t words = 0;
  std::uint32_t buckets = 0;
  std::uint32_t groups = 0;
  std::uint32_t reference_phrases = 0;
  std::uint32_t entries = 0;
  std::uint32_t letters = 0;         // bytes
  std::array<char, 64> source = {};  // what the image was made from, zero padded
  std::array<char, 16> unused = {};
};
static_assert(sizeof(Header) == 128);  // the groups come next, each in one cache line

struct Slot {
  std::uint32_t parent = kNone;
  std::uint32_t word = kNone;
  std::uint32_t link = 0;
};

struct Group {
  static constexpr std::uint32_t kSlots = 5;

  std::array<Slot, kSlots> slots;
  std::uint32_t overflow = 0;  // a bit of each key that found no room
};
static_assert(sizeof(Group) == 64);

// Each step is a bijection of its lane, and so is the gathering of the lanes: any change within eight
// bytes changes the result for certain, any other but for one case in 2^64.
inline std::uint64_t checksum(std::string_view bytes) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
  std::array<std::uint64_t, 4> lanes = {1, 2, 3, 4};
  const auto step = [](std::uint64_t lane, std::uint64_t value) {
    return std::rotl((lane ^ value) * kFactor, 29);
  };
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 32; left -= 32, p += 32) {
    for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] = step(lanes[lane], load64(p + 8 * lane));
  }
  for (std::size_t lane = 0; left > 0; ++lane) {
    const std::size_t count = std::min<std::size_t>(left, 8);
    lanes[lane] = step(lanes[lane], load_prefix(p, count));
    p += count;
    left -= count;
  }
  std::uint64_t result = bytes.size();
  for (const std::uint64_t lane : lanes) {
    result = (result ^ lane) * kFactor;
    result ^= result >> 32;
  }
  return result;
}

inline std::uint32_t slot_hash(std::uint32_t parent, std::uint32_t word) {
  std::uint64_t hash = ((static_cast<std::uint64_t>(parent) << 32) | word) * 0xD6E8FEB86659FD93ULL;
  hash ^= hash >> 32;
  return static_cast<std::uint32_t>((hash * 0x9E3779B97F4A7C15ULL) >> 32);
}

// The group to begin with: the hash, a number below 2^32, brought into [0, groups).
inline std::uint32_t first_group(std::uint32_t hash, std::uint32_t groups) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(hash) * groups) >> 32);
}

// The bit for the filter of a group; the lowest bits of the hash, since the highest chose the group.
inline std::uint32_t overflow_bit(std::uint32_t hash) { return std::uint32_t{1} << (hash & 31); }

inline void prefetch(const char* p) {
#if defined(_MSC_VER) && !defined(__clang__)
  _mm_prefetch(p, _MM_HINT_T0);
#else
  __builtin_prefetch(p);
#endif
}

}  // namespace paraphrases

// Makes an image of the text of a table: three lines an entry, a probability (which METEOR does not use), a
// reference phrase and its paraphrase. Lines end as for Java's readers, words as for its StringTokenizer.
class ParaphraseBuilder {
 public:
  // The next piece of the text, cut anywhere.
  void add(std::string_view piece) {
    check_open();
    while (!piece.empty()) {
      const void* const found = std::memchr(piece.data(), '\n', piece.size());
      if (found == nullptr) {
        rest_.append(piece);
        return;
      }
      const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - piece.data());
      if (rest_.empty()) {
        take_lines(piece.substr(0, size));
      } else {
        rest_.append(piece.substr(0, size));
        take_lines(rest_);
        rest_.clear();
      }
      piece.remove_prefix(size + 1);
    }
  }

  // The image. `source` says what it was made from. Nothing can be added afterwards.
  std::string finish(std::string_view source) {
    check_open();
    if (!rest_.empty()) {
      take_lines(rest_);
      rest_.clear();
    }
    if (lines_ % 3 != 0) {
      throw BadParaphraseText("the table ends within an entry: " + std::string(kEntry));
    }
    finished_ = true;  // what follows takes apart what entries are added to
    return image(source);
  }

  // How many lines were read, which is the 1-based number of the last.
  std::uint64_t lines() const { return lines_; }
  std::uint64_t entries() const { return lines_ / 3; }

 private:
  static constexpr std::uint32_t kNone = paraphrases::kNone;
  static constexpr std::string_view kEntry = "each has three lines, a probability, a phrase and its paraphrase";

  // A phrase, or the beginning of one.
  struct Node {
    std::uint32_t parent;
    std::uint32_t word;
  };

  struct Entry {
    std::uint32_t list;
    std::uint32_t paraphrase;
  };

  void check_open() const {
    if (finished_) throw std::logic_error("the table is finished already");
  }

  // A line up to its line feed: Java ends lines at carriage returns as well.
  void take_lines(std::string_view text) {
    if (text.ends_with('\r')) text.remove_suffix(1);
    for (std::size_t end; (end = text.find('\r')) != text.npos; text.remove_prefix(end + 1)) {
      take_line(text.substr(0, end));
    }
    take_line(text);
  }

  void take_line(std::string_view line) {
    ++lines_;
    if (lines_ % 3 == 1) {
      // METEOR reads over it. Here it tells whether lines are missing, which would make phrases of probabilities.
      if (!is_number(line)) {
        throw BadParaphraseText("found '" + printable(line) + "' in place of a probability: " + std::string(kEntry));
      }
    } else if (lines_ % 3 == 2) {
      if (line == reference_line_ && lines_ > 2) return;  // its paraphrases stand together
      reference_line_ = line;
      const std::uint32_t node = phrase(line);
      reference_list_ = kNone;
      if (node == kNone) return;
      if (list_of_.size() <= node) list_of_.resize(nodes_.size(), kNone);
      if (list_of_[node] == kNone) {
        list_of_[node] = static_cast<std::uint32_t>(list_sizes_.size());
        list_sizes_.push_back(0);
      }
      reference_list_ = list_of_[node];
    } else {
      const std::uint32_t node = phrase(line);
      if (reference_list_ == kNone) return;  // an empty phrase is found nowhere
      if (entries_.size() >= kNone / 2) throw std::length_error("a paraphrase table has 2^31 entries or more");
      entries_.push_back({reference_list_, node});
      ++list_sizes_[reference_list_];
    }
  }

  static bool is_number(std::string_view line) {
    bool digits = false;
    for (const char c : line) {
      if (c >= '0' && c <= '9') {
        digits = true;
      } else if (std::string_view(".+-eE \t").find(c) == std::string_view::npos) {
        return false;
      }
    }
    return digits;
  }

  static bool is_delimiter(char c) { return c == ' ' || c == '\t' || c == '\f'; }

  // The node of a phrase, which becomes known with all its words; kNone for one without words.
  std::uint32_t phrase(std::string_view line) {
    std::uint32_t node = kNone;
    for (std::size_t i = 0; i < line.size();) {
      if (is_delimiter(line[i])) {
        ++i;
        continue;
      }
      std::size_t end = i + 1;
      while (end < line.size() && !is_delimiter(line[end])) ++end;
      const std::uint32_t word = word_number(line.substr(i, end - i));
      node = node == kNone ? single(word) : child(node, word);
      i = end;
    }
    return node;
  }

  std::uint32_t word_number(std::string_view text) {
    const Token token = make_token(text.data(), text.size());
    for (std::size_t i = token.hash & (word_slots_.size() - 1);; i = (i + 1) & (word_slots_.size() - 1)) {
      const std::uint32_t word = word_slots_[i];
      if (word == kNone) {
        if (!is_utf8(text)) {
          throw BadParaphraseText("the word '" + printable(text) + "' is not UTF-8: convert the table to UTF-8");
        }
        word_slots_[i] = words();
        add_word(text, token.hash);
        return words() - 1;
      }
      if (word_hashes_[word] == token.hash && word_text(word) == text) return word;
    }
  }

  static std::string printable(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string shown;
    for (const char c : text.substr(0, 40)) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte < 0x7F) {
        shown += c;
      } else {
        shown += "\\x";
        shown += kDigits[byte >> 4];
        shown += kDigits[byte & 15];
      }
    }
    return shown;
  }

  std::uint32_t words() const { return static_cast<std::uint32_t>(begins_.size() - 1); }

  std::string_view word_text(std::uint32_t word) const {
    return std::string_view(letters_).substr(begins_[word], begins_[word + 1] - begins_[word]);
  }

  void add_word(std::string_view text, std::uint32_t hash) {
    if (letters_.size() + text.size() >= kNone) {
      throw std::length_error("the words of a paraphrase table take 4 GiB or more");
    }
    letters_.append(text);
    begins_.push_back(static_cast<std::uint32_t>(letters_.size()));
    word_hashes_.push_back(hash);
    singles_.push_back(kNone);
    if (2 * word_hashes_.size() <= word_slots_.size()) return;
    word_slots_.assign(2 * word_slots_.size(), kNone);
    for (std::uint32_t word = 0; word < words(); ++word) {
      std::size_t i = word_hashes_[word] & (word_slots_.size() - 1);
      while (word_slots_[i] != kNone) i = (i + 1) & (word_slots_.size() - 1);
      word_slots_[i] = word;
    }
  }

  std::uint32_t new_node(std::uint32_t parent, std::uint32_t word) {
    // Numbers of nodes, words and slots are added up in 32 bits.
    if (nodes_.size() >= (std::size_t{1} << 30)) {
      throw std::length_error("a paraphrase table has 2^30 phrases or more");
    }
    nodes_.push_back({parent, word});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  std::uint32_t single(std::uint32_t word) {
    if (singles_[word] == kNone) singles_[word] = new_node(kNone, word);
    return singles_[word];
  }

  std::uint32_t child(std::uint32_t parent, std::uint32_t word) {
    const std::uint32_t mask = static_cast<std::uint32_t>(children_.size() - 1);
    for (std::uint32_t i = paraphrases::slot_hash(parent, word) & mask;; i = (i + 1) & mask) {
      paraphrases::Slot& slot = children_[i];
      if (slot.parent == parent && slot.word == word) return slot.link;
      if (slot.parent != kNone) continue;
      const std::uint32_t node = new_node(parent, word);
      slot = {parent, word, node};
      if (++child_count_ * 2 > children_.size()) grow_children();
      return node;
    }
  }

  void grow_children() {
    std::vector<paraphrases::Slot> larger(2 * children_.size());
    const std::uint32_t mask = static_cast<std::uint32_t>(larger.size() - 1);
    for (const paraphrases::Slot& slot : children_) {
      if (slot.parent == kNone) continue;
      std::uint32_t i = paraphrases::slot_hash(slot.parent, slot.word) & mask;
      while (larger[i].parent != kNone) i = (i + 1) & mask;
      larger[i] = slot;
    }
    children_ = std::move(larger);
  }

  std::string image(std::string_view source) {
    using paraphrases::Group;
    paraphrases::Header header;
    if (source.size() > header.source.size()) throw std::length_error("the name of a source has more than 64 bytes");
    std::copy(source.begin(), source.end(), header.source.begin());
    children_ = {};  // the last large structure that is of no more use
    list_of_.resize(nodes_.size(), kNone);

    // A link of a reference phrase is one more than the place of its list, from the second bit on.
    header.reference_phrases = static_cast<std::uint32_t>(list_sizes_.size());
    header.entries = static_cast<std::uint32_t>(entries_.size());
    if (entries_.size() + list_sizes_.size() >= (std::size_t{1} << 31)) {
      throw std::length_error("a paraphrase table has 2^31 entries or more");
    }
    std::vector<std::uint32_t> lists(entries_.size() + list_sizes_.size());
    std::vector<std::uint32_t> list_begins;
    list_begins.reserve(list_sizes_.size());
    for (std::uint32_t begin = 0; const std::uint32_t size : list_sizes_) {
      list_begins.push_back(begin);
      begin += size + 1;
    }

    // A slot depends on that of the parent, and parents come first.
    header.words = words();
    header.groups = static_cast<std::uint32_t>(child_count_ * 4 / (3 * Group::kSlots) + 1);
    std::vector<Group> groups(header.groups);
    std::vector<std::uint32_t> singles(header.words, 0);
    std::vector<std::uint32_t> places(nodes_.size());
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      const auto [parent, word] = nodes_[node];
      const std::uint32_t link = list_of_[node] == kNone ? 0 : (list_begins[list_of_[node]] + 1) << 1;
      if (parent == kNone) {
        places[node] = word;
        singles[word] |= link;
        continue;
      }
      const std::uint32_t above = places[parent];
      if (above < header.words) {
        singles[above] |= 1;
      } else {
        const std::uint32_t slot = above - header.words;
        groups[slot / Group::kSlots].slots[slot % Group::kSlots].link |= 1;
      }
      const std::uint32_t hash = paraphrases::slot_hash(above, word);
      std::uint32_t g = paraphrases::first_group(hash, header.groups);
      const auto empty = [](const paraphrases::Slot& slot) { return slot.parent == kNone; };
      std::uint32_t probes = 1;
      for (; std::ranges::none_of(groups[g].slots, empty); ++probes) {
        groups[g].overflow |= paraphrases::overflow_bit(hash);
        g = g + 1 == header.groups ? 0 : g + 1;
      }
      header.longest_probe = std::max(header.longest_probe, probes);
      const auto room = std::ranges::find_if(groups[g].slots, empty);
      *room = {above, word, link};
      places[node] = header.words + g * Group::kSlots + static_cast<std::uint32_t>(room - groups[g].slots.begin());
    }

    for (const auto& [list, paraphrase] : entries_) {
      const std::uint32_t begin = list_begins[list];
      lists[begin + ++lists[begin]] = paraphrase == kNone ? kNone : places[paraphrase];
    }

    header.buckets = std::bit_ceil(2 * header.words + 1);
    std::vector<std::uint32_t> buckets(header.buckets, kNone);
    for (std::uint32_t word = 0; word < header.words; ++word) {
      std::size_t i = paraphrases::checksum(word_text(word)) & (header.buckets - 1);
      while (buckets[i] != kNone) i = (i + 1) & (header.buckets - 1);
      buckets[i] = word;
    }

    header.letters = static_cast<std::uint32_t>(letters_.size());
    const auto bytes = [](const auto& values) {
      return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
    };
    const std::array<std::string_view, 6> parts = {bytes(groups),  bytes(lists),   bytes(singles),
                                                   bytes(buckets), bytes(begins_), std::string_view(letters_)};
    header.size = sizeof header + sizeof(std::uint64_t);
    for (const std::string_view part : parts) header.size += part.size();
    std::string result;
    result.reserve(header.size);
    result.append(reinterpret_cast<const char*>(&header), sizeof header);
    for (const std::string_view part : parts) result.append(part);
    const std::uint64_t sum = paraphrases::checksum(result);
    result.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return result;
  }

  bool finished_ = false;
  std::string rest_;  // the beginning of a line whose end has not come yet
  std::uint64_t lines_ = 0;
  std::string reference_line_;
  std::uint32_t reference_list_ = kNone;
  // Words.
  std::string letters_;
  std::vector<std::uint32_t> begins_ = {0};
  std::vector<std::uint32_t> word_hashes_;
  std::vector<std::uint32_t> word_slots_ = std::vector<std::uint32_t>(1 << 12, kNone);
  // Phrases and their beginnings; `link` of a slot is the node here.
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> singles_;
  std::vector<paraphrases::Slot> children_ = std::vector<paraphrases::Slot>(1 << 12);
  std::size_t child_count_ = 0;
  // Entries.
  std::vector<std::uint32_t> list_of_;
  std::vector<std::uint32_t> list_sizes_;
  std::vector<Entry> entries_;
};

// A view of an image, which has to outlive it.
class Paraphrases {
 public:
  static constexpr std::uint32_t kUnknown = paraphrases::kNone;

  class Scratch;

  // Reads all of the image once, to compare it with its checksum.
  explicit Paraphrases(std::string_view image) : image_(image) {
    using paraphrases::Header;
    if (image.size() < sizeof(Header) + sizeof(std::uint64_t)) {
      throw BadParaphraseImage("it has " + std::to_string(image.size()) + " bytes, fewer than any compiled table");
    }
    std::memcpy(&header_, image.data(), sizeof(Header));
    if (header_.magic != paraphrases::kMagic) throw BadParaphraseImage("it does not begin like a compiled table");
    if (header_.version != paraphrases::kVersion) {
      throw BadParaphraseImage("it is of version " + std::to_string(header_.version) + ", not " +
                               std::to_string(paraphrases::kVersion));
    }
    std::uint64_t end = sizeof(Header);
    const auto part = [&end](std::uint64_t count, std::uint64_t size) {
      const std::uint64_t begin = end;
      end += count * size;  // less than 2^36
      return begin;
    };
    const std::uint64_t groups = part(header_.groups, sizeof(paraphrases::Group));
    const std::uint64_t lists = part(header_.reference_phrases + std::uint64_t{header_.entries}, 4);
    const std::uint64_t singles = part(header_.words, 4);
    const std::uint64_t buckets = part(header_.buckets, 4);
    const std::uint64_t begins = part(header_.words + std::uint64_t{1}, 4);
    const std::uint64_t letters = part(header_.letters, 1);
    if (end + sizeof(std::uint64_t) != header_.size || header_.size != image.size()) {
      throw BadParaphraseImage("it has " + std::to_string(image.size()) + " bytes where its header says " +
                               std::to_string(header_.size));
    }
    if (!std::has_single_bit(header_.buckets) || header_.groups == 0) {
      throw BadParaphraseImage("its header is corrupt");
    }
    verify();
    groups_ = image.data() + groups;
    lists_ = image.data() + lists;
    singles_ = image.data() + singles;
    buckets_ = image.data() + buckets;
    begins_ = image.data() + begins;
    letters_ = image.substr(static_cast<std::size_t>(letters), header_.letters);
  }

  // Throws unless the image is, to this moment, what the builder wrote.
  void verify() const {
    const std::size_t size = image_.size() - sizeof(std::uint64_t);
    if (paraphrases::checksum(image_.substr(0, size)) != load64(image_.data() + size)) {
      throw BadParaphraseImage("its checksum does not fit its content");
    }
  }

  std::string_view source() const {
    const std::string_view padded(header_.source.data(), header_.source.size());
    return padded.substr(0, padded.find('\0'));
  }

  // The number of a word; kUnknown for one that no phrase has.
  std::uint32_t word(std::string_view text) const {
    const std::uint32_t mask = header_.buckets - 1;
    auto i = static_cast<std::uint32_t>(paraphrases::checksum(text)) & mask;
    for (std::uint32_t probes = 0; probes <= mask; ++probes, i = (i + 1) & mask) {
      const std::uint32_t word = load32(buckets_ + 4 * std::size_t{i});
      if (word == kUnknown) return kUnknown;
      check(word < header_.words);
      const std::uint32_t begin = load32(begins_ + 4 * std::size_t{word});
      const std::uint32_t end = load32(begins_ + 4 * (std::size_t{word} + 1));
      check(begin <= end && end <= letters_.size());
      if (letters_.substr(begin, end - begin) == text) return word;
    }
    return kUnknown;
  }

  // Calls emit(match) for the matches of two texts, given as numbers of words, as METEOR 1.5 finds and orders them: for
  // each phrase of the reference, by its start and length, each of its paraphrases in the order of the table,
  // each place where the hypothesis has it; then the same with the phrases of the hypothesis, found in the
  // reference. What both ways find comes twice.
  //
  // Takes O((n + m) L + E + matches) for texts of n and m words, the longest phrase L and all the paraphrases
  // E of the distinct phrases in both texts. There may be as many matches as pairs of places: 2,000 times "??"
  // against 2,000 times "???" are 4 million each way, in METEOR as well. `emit` may throw where they are too many.
  template <class Emit>
  void match(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference, Scratch& scratch,
             const StopFlag& stop, Emit&& emit) const;

 private:
  struct Found;
  class Text;

  static void check(bool held) {
    if (!held) throw BadParaphraseImage("its indexes are corrupt");
  }

  // The place of a list among the lists; `link` has one.
  std::size_t list_begin(std::uint32_t link) const {
    const std::size_t begin = (link >> 1) - 1;
    check(begin < std::size_t{header_.reference_phrases} + header_.entries);
    return begin;
  }

  // The bytes of the paraphrases.
  std::span<const char> list(std::uint32_t link) const {
    const std::size_t begin = list_begin(link);
    const std::size_t count = load32(lists_ + 4 * begin);
    check(begin + 1 + count <= std::size_t{header_.reference_phrases} + header_.entries);
    return {lists_ + 4 * (begin + 1), 4 * count};
  }

  void walk(std::span<const std::uint32_t> words, Text& text, const StopFlag& stop) const;

  template <class Emit>
  void match_one_way(Text& from, const Text& into, const StopFlag& stop, Emit&& emit) const;

  std::string_view image_;
  paraphrases::Header header_;
  const char* groups_ = nullptr;
  const char* lists_ = nullptr;
  const char* singles_ = nullptr;
  const char* buckets_ = nullptr;
  const char* begins_ = nullptr;
  std::string_view letters_;
};

// A place where a text has a phrase, or the beginning of one.
struct Paraphrases::Found {
  std::uint32_t start;
  std::uint32_t length;
  std::uint32_t phrase;
  std::uint32_t link;
  std::uint32_t next;  // the next place with the same phrase
  // At the first place with a phrase: its paraphrases in the other text, by the first place of each.
  std::uint32_t hits_begin;
  std::uint32_t hits_end;
};

// What of the table is in a text.
class Paraphrases::Text {
 public:
  // The places in the order of start, then length.
  std::vector<Found> found;
  std::vector<std::uint32_t> hits;
  std::size_t size = 0;  // words

  // The first place with a phrase, kNone without one.
  std::uint32_t first(std::uint32_t phrase) const {
    // Most are not there, and most of those end here.
    if ((filter_[spread(phrase) >> 26] >> (spread(phrase) >> 20 & 63) & 1) == 0) return paraphrases::kNone;
    for (std::uint32_t i = place(phrase);; i = (i + 1) & mask_) {
      if (table_[i] == paraphrases::kNone || found[table_[i]].phrase == phrase) return table_[i];
    }
  }

  // Makes `first` and the chains of `next`.
  void index(const StopFlag& stop) {
    const std::size_t wanted = std::bit_ceil(2 * found.size() + 1);
    table_.assign(wanted, paraphrases::kNone);
    mask_ = static_cast<std::uint32_t>(wanted - 1);
    filter_.fill(0);
    for (std::size_t k = found.size(); k-- > 0;) {
      pause(k, stop);
      const std::uint32_t bits = spread(found[k].phrase);
      filter_[bits >> 26] |= std::uint64_t{1} << (bits >> 20 & 63);
      std::uint32_t i = place(found[k].phrase);
      while (table_[i] != paraphrases::kNone && found[table_[i]].phrase != found[k].phrase) i = (i + 1) & mask_;
      found[k].next = table_[i];
      table_[i] = static_cast<std::uint32_t>(k);
    }
  }

  // Used by `walk` alone.
  std::vector<Found> levels;
  std::vector<std::uint32_t> ends;

 private:
  static std::uint32_t spread(std::uint32_t phrase) { return phrase * 0x9E3779B1U; }
  std::uint32_t place(std::uint32_t phrase) const { return (spread(phrase) >> 7) & mask_; }

  std::array<std::uint64_t, 64> filter_ = {};
  std::vector<std::uint32_t> table_;
  std::uint32_t mask_ = 0;
};

// Memory to be used again, by one thread at a time.
class Paraphrases::Scratch {
  friend class Paraphrases;
  Text hypothesis_;
  Text reference_;
};

inline void Paraphrases::walk(std::span<const std::uint32_t> words, Text& text, const StopFlag& stop) const {
  using paraphrases::Group;
  if (words.size() >= paraphrases::kNone / 2) throw std::length_error("a segment has 2^31 words or more");
  text.size = words.size();
  // Length by length, all places of a length together: their cache misses then overlap.
  std::vector<Found>& levels = text.levels;
  levels.clear();
  text.ends.assign(words.size() + 1, 0);
  for (std::uint32_t start = 0; start < words.size(); ++start) {
    pause(start, stop);
    const std::uint32_t word = words[start];
    if (word == kUnknown) continue;
    if (word >= header_.words) throw std::out_of_range("a word has no number of this table");
    const std::uint32_t link = load32(singles_ + 4 * std::size_t{word});
    levels.push_back({start, 1, word, link, 0, 0, 0});
    ++text.ends[start + 1];
  }
  const auto longer = [&](const Found& found) {
    const std::size_t end = std::size_t{found.start} + found.length;
    return (found.link & 1) != 0 && end < words.size() && words[end] != kUnknown ? words[end] : kUnknown;
  };
  for (std::size_t begin = 0, end = levels.size(); begin < end; begin = end, end = levels.size()) {
    if (end >= paraphrases::kNone / 2) throw std::length_error("a segment has 2^31 phrases or more");
    // `next` holds the hash until the chains are made.
    for (std::size_t k = begin; k < end; ++k) {
      pause(k, stop);
      Found& found = levels[k];
      if (found.link > 1) paraphrases::prefetch(lists_ + 4 * list_begin(found.link));
      const std::uint32_t word = longer(found);
      if (word == kUnknown) continue;
      found.next = paraphrases::slot_hash(found.phrase, word);
      const std::size_t group = paraphrases::first_group(found.next, header_.groups);
      paraphrases::prefetch(groups_ + sizeof(Group) * group);
    }
    for (std::size_t k = begin; k < end; ++k) {
      pause(k, stop);
      const Found found = levels[k];
      const std::uint32_t word = longer(found);
      if (word == kUnknown) continue;
      std::uint32_t g = paraphrases::first_group(found.next, header_.groups);
      for (std::uint32_t probes = 0; probes < header_.longest_probe; ++probes) {
        Group group;
        std::memcpy(&group, groups_ + sizeof group * std::size_t{g}, sizeof group);
        std::uint32_t at = Group::kSlots;
        for (std::uint32_t i = 0; i < Group::kSlots; ++i) {
          // Without a branch: nothing predicts where in a group a phrase is.
          at = (group.slots[i].parent == found.phrase) & (group.slots[i].word == word) ? i : at;
        }
        if (at < Group::kSlots) {
          const std::uint32_t phrase = header_.words + g * Group::kSlots + at;
          levels.push_back({found.start, found.length + 1, phrase, group.slots[at].link, 0, 0, 0});
          ++text.ends[found.start + 1];
          break;
        }
        if ((group.overflow & paraphrases::overflow_bit(found.next)) == 0) break;
        g = g + 1 == header_.groups ? 0 : g + 1;
      }
    }
  }
  // By start; those of one start are there with every length from 1 on.
  for (std::size_t start = 0; start < words.size(); ++start) text.ends[start + 1] += text.ends[start];
  text.found.resize(levels.size());
  for (const Found& found : levels) text.found[text.ends[found.start] + found.length - 1] = found;
  text.index(stop);
}

template <class Emit>
void Paraphrases::match_one_way(Text& from, const Text& into, const StopFlag& stop, Emit&& emit) const {
  from.hits.clear();
  std::size_t steps = 0;
  for (std::uint32_t k = 0; k < from.found.size(); ++k) {
    Found& found = from.found[k];
    if (found.link < 2) continue;
    Found& first = from.found[from.first(found.phrase)];
    if (&first == &found) {
      found.hits_begin = static_cast<std::uint32_t>(from.hits.size());
      const std::span<const char> entries = list(found.link);
      for (std::size_t i = 0; i < entries.size(); i += 4) {
        pause(++steps, stop);
        const std::uint32_t paraphrase = load32(entries.data() + i);
        const std::uint32_t hit = paraphrase == paraphrases::kNone ? paraphrases::kNone : into.first(paraphrase);
        if (hit != paraphrases::kNone || paraphrase == paraphrases::kNone) from.hits.push_back(hit);
      }
      found.hits_end = static_cast<std::uint32_t>(from.hits.size());
    }
    for (std::uint32_t i = first.hits_begin; i < first.hits_end; ++i) {
      const std::uint32_t hit = from.hits[i];
      if (hit == paraphrases::kNone) {
        // An empty paraphrase is wherever there is a word.
        for (std::uint32_t start = 0; start < into.size; ++start) {
          pause(++steps, stop);
          emit(found, start, 0U);
        }
        continue;
      }
      for (std::uint32_t place = hit; place != paraphrases::kNone; place = into.found[place].next) {
        pause(++steps, stop);
        emit(found, into.found[place].start, into.found[place].length);
      }
    }
  }
}

template <class Emit>
void Paraphrases::match(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                        Scratch& scratch, const StopFlag& stop, Emit&& emit) const {
  if (hypothesis.empty() || reference.empty()) return;
  walk(hypothesis, scratch.hypothesis_, stop);
  walk(reference, scratch.reference_, stop);
  match_one_way(scratch.reference_, scratch.hypothesis_, stop,
                [&emit](const Found& found, std::uint32_t start, std::uint32_t length) {
                  emit(ParaphraseMatch{found.start, found.length, start, length});
                });
  match_one_way(scratch.hypothesis_, scratch.reference_, stop,
                [&emit](const Found& found, std::uint32_t start, std::uint32_t length) {
                  emit(ParaphraseMatch{start, length, found.start, found.length});
                });
}

}  // namespace cocarde
