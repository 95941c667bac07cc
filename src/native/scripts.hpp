// What letters a text has: whether a tokenizer for English would lose most of them, and whether one that
// cuts at blanks would find whole sentences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tokenizers/words.hpp"
#include "tokens.hpp"
#include "unicode.hpp"

namespace cocarde {

// Whether there are so few characters outside ASCII that neither question of `Letters` can be answered
// with yes: fewer than letters a-z, and than three for each piece between blanks.
inline bool hardly_any_others(std::string_view text) {
  // Stretches of sixteens whose counts fit into a byte each: the compiler does 16 characters at once.
  constexpr std::size_t kStretch = 240;
  std::size_t others = 0, letters = 0, pieces = 0;
  const auto byte_at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (!text.empty()) pieces += byte_at(0) > 0x20;
  for (std::size_t begin = 0; begin < text.size(); begin += kStretch) {
    std::uint8_t some_others = 0, some_letters = 0, some_pieces = 0;
    const std::size_t end = std::min(text.size(), begin + kStretch);
    for (std::size_t i = begin; i < end; ++i) {
      some_others = static_cast<std::uint8_t>(some_others + (byte_at(i) >= 0xC0));
      some_letters = static_cast<std::uint8_t>(some_letters + (static_cast<std::uint8_t>((byte_at(i) | 0x20) - 'a') < 26));
    }
    for (std::size_t i = std::max<std::size_t>(1, begin); i < end; ++i) {
      some_pieces = static_cast<std::uint8_t>(some_pieces + ((byte_at(i - 1) <= 0x20) & (byte_at(i) > 0x20)));
    }
    others += some_others;
    letters += some_letters;
    pieces += some_pieces;
  }
  return others <= letters && others <= 3 * pieces;
}

class Letters {
 public:
  void read(std::string_view text) {
    bool blank_before = true;
    for (std::size_t i = 0; i < text.size();) {
      const CodePoint point = decode(text, i);
      i += point.size;
      const bool blank = point.value <= 0x20 || point.value == 0x3000;
      pieces_ += blank_before && !blank;
      blank_before = blank;
      if (point.value < 0x80) {
        ascii_ += static_cast<unsigned>((point.value | 0x20) - 'a') < 26;
        continue;
      }
      const WordCharacter character = word_character(point.value);
      if (!character.is_letter_or_number()) continue;
      ++others_;
      switch (character.kind()) {
        case WordBreak::han:
        case WordBreak::hiragana:
        case WordBreak::katakana:
        case WordBreak::unspaced: ++unspaced_; break;
        default: break;
      }
    }
  }

  // Most are outside a-z.
  bool mostly_others() const { return others_ > ascii_; }
  // Pieces between blanks are longer than words of a script without blanks ever are on the average.
  bool lack_spaces() const { return unspaced_ > kLongestWord * pieces_; }

 private:
  static constexpr std::size_t kLongestWord = 3;

  std::size_t ascii_ = 0;
  std::size_t others_ = 0;
  std::size_t unspaced_ = 0;
  std::size_t pieces_ = 0;
};

}  // namespace cocarde
