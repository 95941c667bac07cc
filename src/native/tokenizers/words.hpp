// Words by Unicode's default rules (UAX #29, "Unicode Text Segmentation"), rules WB1 to WB999, and a
// count of the kinds of words in a text.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "../tokens.hpp"
#include "../unicode.hpp"
#include "../word_tables.hpp"
#include "cutter.hpp"
#include "runs.hpp"

namespace cocarde {

// The property Word_Break. Its value "other" has four members here: three for the letters of scripts
// that are written without spaces, which the rules do not tell apart from the rest.
enum class WordBreak : std::uint8_t {
  other,
  carriage_return,
  line_feed,
  newline,
  extend,
  zero_width_joiner,
  regional_indicator,
  format,
  katakana,
  hebrew_letter,
  letter,
  single_quote,
  double_quote,
  middle_of_number_or_letters,
  middle_of_letters,
  middle_of_number,
  numeric,
  joining_punctuation,  // ExtendNumLet
  space,
  han,
  hiragana,
  unspaced,  // Thai, Lao, Khmer, Burmese and others
};

struct WordCharacter {
  std::uint8_t entry;

  constexpr WordBreak kind() const { return static_cast<WordBreak>(entry & 31); }
  constexpr bool is_pictographic() const { return (entry & 32) != 0; }
  constexpr bool is_letter_or_number() const { return (entry & 64) != 0; }

  // The sets that the rules name.
  constexpr bool is_any_letter() const { return is_any_of(bit(WordBreak::letter) | bit(WordBreak::hebrew_letter)); }
  constexpr bool is_transparent() const {
    return is_any_of(bit(WordBreak::extend) | bit(WordBreak::format) | bit(WordBreak::zero_width_joiner));
  }
  constexpr bool is_line_break() const {
    return is_any_of(bit(WordBreak::carriage_return) | bit(WordBreak::line_feed) | bit(WordBreak::newline));
  }
  constexpr bool may_join_letters() const {
    return is_any_of(bit(WordBreak::middle_of_letters) | bit(WordBreak::middle_of_number_or_letters) |
                     bit(WordBreak::single_quote));
  }
  constexpr bool may_join_numbers() const {
    return is_any_of(bit(WordBreak::middle_of_number) | bit(WordBreak::middle_of_number_or_letters) |
                     bit(WordBreak::single_quote));
  }
  // What may depend on more than the character before.
  constexpr bool asks_for_context() const {
    return may_join_letters() || may_join_numbers() ||
           is_any_of(bit(WordBreak::double_quote) | bit(WordBreak::regional_indicator));
  }
  constexpr bool takes_joining_punctuation() const {
    return is_any_letter() || is_any_of(bit(WordBreak::numeric) | bit(WordBreak::katakana));
  }

 private:
  static constexpr std::uint32_t bit(WordBreak kind) { return 1u << static_cast<std::uint8_t>(kind); }
  constexpr bool is_any_of(std::uint32_t kinds) const { return ((kinds >> (entry & 31)) & 1) != 0; }
};

constexpr WordCharacter word_character(char32_t c) {
  return {word_tables::kBlocks[word_tables::kBlockIndex[c >> 8] * std::size_t{256} + (c & 255)]};
}

struct WordRules {
  // What stands before a place in the text.
  struct Before {
    WordCharacter raw{0};     // the character right before
    WordCharacter last{0};    // the last one that is not transparent
    WordCharacter second{0};  // the one before that
    bool half_flag = false;   // whether an odd number of regional indicators ends there
  };

  template <class After>
  static constexpr bool is_boundary(const Before& before, WordCharacter character, After&& after) {
    const WordBreak kind = character.kind();
    const WordBreak raw = before.raw.kind();
    const WordBreak last = before.last.kind();
    // WB3 to WB3d, between neighbours as they stand.
    if (raw == WordBreak::carriage_return && kind == WordBreak::line_feed) return false;
    if (before.raw.is_line_break() || character.is_line_break()) return true;
    if (raw == WordBreak::zero_width_joiner && character.is_pictographic()) return false;
    if (raw == WordBreak::space && kind == WordBreak::space) return false;
    // WB4: from here on, what only changes the character before it is not seen.
    if (character.is_transparent()) return false;
    // WB5 to WB7c, and WB9.
    if (before.last.is_any_letter()) {
      if (character.is_any_letter() || kind == WordBreak::numeric) return false;
      if (last == WordBreak::hebrew_letter) {
        if (kind == WordBreak::single_quote) return false;
        if (kind == WordBreak::double_quote && after().kind() == WordBreak::hebrew_letter) return false;
      }
      if (character.may_join_letters() && after().is_any_letter()) return false;
    }
    if (character.is_any_letter()) {
      if (before.last.may_join_letters() && before.second.is_any_letter()) return false;
      if (kind == WordBreak::hebrew_letter && last == WordBreak::double_quote &&
          before.second.kind() == WordBreak::hebrew_letter) {
        return false;
      }
    }
    // WB8 to WB12.
    if (last == WordBreak::numeric) {
      if (kind == WordBreak::numeric || character.is_any_letter()) return false;
      if (character.may_join_numbers() && after().kind() == WordBreak::numeric) return false;
    }
    if (kind == WordBreak::numeric && before.last.may_join_numbers() &&
        before.second.kind() == WordBreak::numeric) {
      return false;
    }
    // WB13 to WB13b.
    if (kind == WordBreak::katakana && last == WordBreak::katakana) return false;
    if (kind == WordBreak::joining_punctuation &&
        (before.last.takes_joining_punctuation() || last == WordBreak::joining_punctuation)) {
      return false;
    }
    if (last == WordBreak::joining_punctuation && character.takes_joining_punctuation()) return false;
    // WB15 and WB16: flags are pairs.
    return kind != WordBreak::regional_indicator || !before.half_flag;
  }

  // What two neighbours alone say.
  enum class Verdict : std::uint8_t { joined, parted, depends };
  using Verdicts = std::array<std::array<Verdict, 32>, 32>;

  static constexpr Verdicts make_verdicts() {
    Verdicts verdicts{};
    for (std::uint8_t left = 0; left < 32; ++left) {
      for (std::uint8_t right = 0; right < 32; ++right) {
        const WordCharacter before{left};
        const WordCharacter character{right};
        const bool depends = before.is_transparent() || before.asks_for_context() || character.asks_for_context();
        verdicts[left][right] = depends ? Verdict::depends
                                : is_boundary({before, before, {0}, false}, character, [] { return WordCharacter{0}; })
                                    ? Verdict::parted
                                    : Verdict::joined;
      }
    }
    return verdicts;
  }
};

inline constexpr WordRules::Verdicts kWordVerdicts = WordRules::make_verdicts();

// Finds the boundaries of a text from left to right.
class WordSegmenter {
 public:
  explicit WordSegmenter(std::string_view text) : text_(text) {}

  bool at_end() const { return next_ == text_.size(); }

  struct Segment {
    std::size_t begin;
    std::size_t end;
    // The first letter or number, which tells the script; any character if there is none.
    WordCharacter character;
  };

  // The next segment; not to be called at the end.
  Segment next() {
    const std::size_t begin = next_;
    WordCharacter first{0};
    bool started = false;
    while (next_ < text_.size()) {
      const CodePoint point = decode(text_, next_);
      const WordCharacter character = word_character(point.value);
      const std::size_t end = next_ + point.size;
      if (started && is_boundary(character, end)) break;
      started = true;
      next_ = end;
      if (!first.is_letter_or_number()) first = character;
      step(character);
      if (point.size == 1 && character.is_letter_or_number()) skip_plain();
    }
    return {begin, next_, first};
  }

 private:
  // Letters and digits of ASCII after one another: no boundary lies between them.
  void skip_plain() {
    const std::size_t begin = next_;
    while (next_ < text_.size()) {
      const auto byte = static_cast<unsigned char>(text_[next_]);
      const auto letter = static_cast<unsigned char>((byte | 0x20) - 'a');
      const auto digit = static_cast<unsigned char>(byte - '0');
      if (letter >= 26 && digit >= 10) break;
      ++next_;
    }
    if (next_ > begin) step(word_character(static_cast<unsigned char>(text_[next_ - 1])));
  }

  // Whether there is a boundary before a character, which ends at `end`. At the start of the text there
  // always is one, and that is not asked for.
  bool is_boundary(WordCharacter character, std::size_t end) const {
    switch (kWordVerdicts[before_.raw.entry & 31][character.entry & 31]) {
      case WordRules::Verdict::joined: return false;
      case WordRules::Verdict::parted: return true;
      case WordRules::Verdict::depends: break;
    }
    return WordRules::is_boundary(before_, character, [&] { return after(end); });
  }

  // The next character from i on that is not transparent; "other" at the end.
  WordCharacter after(std::size_t i) const {
    while (i < text_.size()) {
      const CodePoint point = decode(text_, i);
      const WordCharacter character = word_character(point.value);
      if (!character.is_transparent()) return character;
      i += point.size;
    }
    return {0};
  }

  void step(WordCharacter character) {
    const bool is_seen = !character.is_transparent() || at_line_start_;
    before_.raw = character;
    at_line_start_ = character.is_line_break();
    if (!is_seen) return;
    before_.half_flag = character.kind() == WordBreak::regional_indicator && !before_.half_flag;
    before_.second = before_.last;
    before_.last = character;
  }

  std::string_view text_;
  std::size_t next_ = 0;
  WordRules::Before before_;
  bool at_line_start_ = true;  // where even a transparent character stands for itself
};

// Cuts a text in ASCII, for which the rules come to this: a word is a run of letters, digits and low
// lines, and of single marks between two letters (' . :) or two digits (' . , ;).
class AsciiWordCutter {
 public:
  AsciiWordCutter(std::string_view text, TokenBuffer& buffer) : text_(text), buffer_(buffer) {}

  // Appends the tokens; false, with none appended, if the text is not in ASCII.
  bool run() {
    std::vector<Token, UninitialisedAllocator<Token>>& tokens = buffer_.tokens;
    const std::size_t tokens_before = tokens.size();
    for (std::size_t block = 0; block < text_.size(); block += kBlock) {
      const char* p = text_.data() + block;
      std::array<char, kBlock> padded;
      if (const std::size_t rest = text_.size() - block; rest < kBlock) {
        padded.fill(' ');
        std::memcpy(padded.data(), p, rest);
        p = padded.data();
      }
      if (bits_where(p, [](unsigned char byte) { return byte >= 0x80; }) != 0) {
        tokens.resize(tokens_before);
        return false;
      }
      std::uint64_t words = bits_where(p, [](unsigned char byte) { return is_word(byte); });
      for (std::uint64_t marks = bits_where(p, [](unsigned char byte) { return is_mark(byte); }); marks != 0; marks &= marks - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(marks));
        words |= std::uint64_t{joins(block + bit)} << bit;
      }
      const std::size_t size = tokens.size();
      tokens.resize(size + Runs::kMostInBlock);
      Token* next = tokens.data() + size;
      runs_.add(words, block, [&](std::size_t begin, std::size_t end) {
        if (is_kept(begin, end)) *next++ = token(begin, end);
      });
      tokens.resize(static_cast<std::size_t>(next - tokens.data()));
    }
    runs_.finish(text_.size(), [&](std::size_t begin, std::size_t end) {
      if (is_kept(begin, end)) tokens.push_back(token(begin, end));
    });
    return true;
  }

 private:
  static bool is_letter(unsigned char byte) { return static_cast<unsigned char>((byte | 0x20) - 'a') < 26; }
  static bool is_digit(unsigned char byte) { return static_cast<unsigned char>(byte - '0') < 10; }
  static bool is_word(unsigned char byte) { return is_letter(byte) | is_digit(byte) | (byte == '_'); }
  // ' , . : ; of which two and two differ in one bit: plain comparisons with five values would become a
  // look-up, which is no vector instruction.
  static bool is_mark(unsigned char byte) {
    return (byte == '\'') | ((byte & 0xFD) == ',') | ((byte & 0xFE) == ':');
  }

  bool joins(std::size_t i) const {
    if (i == 0 || i + 1 == text_.size()) return false;
    const auto before = static_cast<unsigned char>(text_[i - 1]);
    const auto after = static_cast<unsigned char>(text_[i + 1]);
    if (is_letter(before)) return is_letter(after) && text_[i] != ',' && text_[i] != ';';
    return is_digit(before) && is_digit(after) && text_[i] != ':';
  }

  // Low lines alone are punctuation.
  bool is_kept(std::size_t begin, std::size_t end) const {
    return text_[begin] != '_' || text_.substr(begin, end - begin).find_first_not_of('_') != std::string_view::npos;
  }

  Token token(std::size_t begin, std::size_t end) const {
    return make_token(text_.data() + begin, end - begin, text_.data() + text_.size());
  }

  std::string_view text_;
  TokenBuffer& buffer_;
  Runs runs_;
};

// The segments that have a letter or a number in them.
inline void tokenize_words(std::string_view text, TokenBuffer& buffer) {
  if (AsciiWordCutter(text, buffer).run()) return;
  const char* const end = text.data() + text.size();
  for (WordSegmenter segmenter(text); !segmenter.at_end();) {
    const WordSegmenter::Segment segment = segmenter.next();
    if (!segment.character.is_letter_or_number()) continue;
    buffer.add(text.data() + segment.begin, segment.end - segment.begin, end);
  }
}

// How many words of each kind there are. A word of a script written without spaces is a character.
struct WordCounts {
  std::uint64_t ascii = 0;     // of ASCII letters and digits alone
  std::uint64_t other = 0;     // with other letters or digits: of any script that parts its words
  std::uint64_t han = 0;
  std::uint64_t kana = 0;      // hiragana by character, katakana by word
  std::uint64_t unspaced = 0;  // Thai, Lao, Khmer, Burmese and others
};

inline void count_words(std::string_view text, WordCounts& counts) {
  for (WordSegmenter segmenter(text); !segmenter.at_end();) {
    const WordSegmenter::Segment segment = segmenter.next();
    if (!segment.character.is_letter_or_number()) {
      // An ideograph that came into Unicode after the tables.
      if (is_supplementary_ideograph(decode(text, segment.begin).value)) ++counts.han;
      continue;
    }
    switch (segment.character.kind()) {
      case WordBreak::han: ++counts.han; break;
      case WordBreak::hiragana:
      case WordBreak::katakana: ++counts.kana; break;
      case WordBreak::unspaced: ++counts.unspaced; break;
      default: {
        // A letter outside ASCII, not just a curly apostrophe.
        bool is_ascii = true;
        for (std::size_t i = segment.begin; i < segment.end && is_ascii;) {
          const CodePoint point = decode(text, i);
          is_ascii = point.value < 0x80 || !word_character(point.value).is_letter_or_number();
          i += point.size;
        }
        ++(is_ascii ? counts.ascii : counts.other);
      }
    }
  }
}

}  // namespace cocarde
