// Words by Unicode's default rules (UAX #29, "Unicode Text Segmentation"), rules WB1 to WB999, and a
// count of the kinds of words in a text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../tokens.hpp"
#include "../unicode.hpp"
#include "../word_tables.hpp"

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
    const WordBreak kind = character.kind();
    const WordBreak raw = raw_.kind();
    // WB3 to WB3d, between neighbours as they stand.
    if (raw == WordBreak::carriage_return && kind == WordBreak::line_feed) return false;
    if (raw_.is_line_break() || character.is_line_break()) return true;
    if (raw == WordBreak::zero_width_joiner && character.is_pictographic()) return false;
    if (raw == WordBreak::space && kind == WordBreak::space) return false;
    // WB4: from here on, what only changes the character before it is not seen.
    if (character.is_transparent()) return false;
    // WB5 to WB7c.
    if (before_.is_any_letter()) {
      if (character.is_any_letter() || kind == WordBreak::numeric) return false;  // and WB9
      if (before_.kind() == WordBreak::hebrew_letter) {
        if (kind == WordBreak::single_quote) return false;
        if (kind == WordBreak::double_quote && after(end).kind() == WordBreak::hebrew_letter) return false;
      }
      if (character.may_join_letters() && after(end).is_any_letter()) return false;
    }
    if (character.is_any_letter()) {
      if (before_.may_join_letters() && second_before_.is_any_letter()) return false;
      if (kind == WordBreak::hebrew_letter && before_.kind() == WordBreak::double_quote &&
          second_before_.kind() == WordBreak::hebrew_letter) {
        return false;
      }
    }
    // WB8 to WB12.
    if (before_.kind() == WordBreak::numeric) {
      if (kind == WordBreak::numeric || character.is_any_letter()) return false;
      if (character.may_join_numbers() && after(end).kind() == WordBreak::numeric) return false;
    }
    if (kind == WordBreak::numeric && before_.may_join_numbers() && second_before_.kind() == WordBreak::numeric) {
      return false;
    }
    // WB13 to WB13b.
    if (kind == WordBreak::katakana && before_.kind() == WordBreak::katakana) return false;
    if (kind == WordBreak::joining_punctuation &&
        (before_.takes_joining_punctuation() || before_.kind() == WordBreak::joining_punctuation)) {
      return false;
    }
    if (before_.kind() == WordBreak::joining_punctuation && character.takes_joining_punctuation()) return false;
    // WB15 and WB16: flags are pairs.
    return kind != WordBreak::regional_indicator || !half_flag_;
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
    raw_ = character;
    at_line_start_ = character.is_line_break();
    if (!is_seen) return;
    half_flag_ = character.kind() == WordBreak::regional_indicator && !half_flag_;
    second_before_ = before_;
    before_ = character;
  }

  std::string_view text_;
  std::size_t next_ = 0;
  WordCharacter raw_{0};            // the character before
  WordCharacter before_{0};         // the last one that is not transparent
  WordCharacter second_before_{0};  // the one before that
  bool at_line_start_ = true;       // where even a transparent character stands for itself
  bool half_flag_ = false;          // an odd number of regional indicators stands before
};

// The segments that have a letter or a number in them.
inline void tokenize_words(std::string_view text, TokenBuffer& buffer) {
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
    if (!segment.character.is_letter_or_number()) continue;
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
