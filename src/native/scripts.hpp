// What a text is written in: whether a tokenizer for English would lose most of its letters, whether one that
// does not divide its script would leave clauses whole, and whether it has forms of characters that look alike.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tokenizers/cutter.hpp"
#include "tokenizers/words.hpp"
#include "tokens.hpp"
#include "unicode.hpp"

namespace cocarde {

// Scripts without blanks between words, as a set of bits.
using Scripts = std::uint32_t;
inline constexpr Scripts kHan = 1;        // ideographs of three bytes
inline constexpr Scripts kRareHan = 2;    // ideographs of four bytes
inline constexpr Scripts kKana = 4;
inline constexpr Scripts kUnspaced = 8;   // Thai, Lao, Khmer, Burmese and others

// Whether there are so few characters outside ASCII that they are not the most: fewer than letters a-z.
inline bool hardly_any_others(std::string_view text) {
  // Stretches of sixteens whose counts fit into a byte each: the compiler does 16 characters at once.
  constexpr std::size_t kStretch = 240;
  std::size_t others = 0, letters = 0;
  const auto byte_at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t begin = 0; begin < text.size(); begin += kStretch) {
    std::uint8_t some_others = 0, some_letters = 0;
    const std::size_t end = std::min(text.size(), begin + kStretch);
    for (std::size_t i = begin; i < end; ++i) {
      some_others = static_cast<std::uint8_t>(some_others + (byte_at(i) >= 0xC0));
      some_letters = static_cast<std::uint8_t>(some_letters + (static_cast<std::uint8_t>((byte_at(i) | 0x20) - 'a') < 26));
    }
    others += some_others;
    letters += some_letters;
  }
  return others <= letters;
}

// Calls body(i) for each byte of which the predicate holds, until it says true; whether it did.
template <class Predicate, class Body>
inline bool any_byte_where(std::string_view text, Predicate predicate, Body&& body) {
  for (std::size_t block = 0; block < text.size(); block += kBlock) {
    const char* p = text.data() + block;
    std::array<char, kBlock> padded;
    if (const std::size_t rest = text.size() - block; rest < kBlock) {
      padded.fill(' ');
      std::memcpy(padded.data(), p, rest);
      p = padded.data();
    }
    for (std::uint64_t bits = bits_where(p, predicate); bits != 0; bits &= bits - 1) {
      if (body(block + static_cast<std::size_t>(std::countr_zero(bits)))) return true;
    }
  }
  return false;
}

// The letters of a text by script.
class Letters {
 public:
  explicit Letters(std::string_view text) {
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
      if (is_supplementary_ideograph(point.value)) {
        ++others_;
        ++rare_han_;
        continue;
      }
      const WordCharacter character = word_character(point.value);
      if (!character.is_letter_or_number()) continue;
      ++others_;
      switch (character.kind()) {
        case WordBreak::han: ++han_; break;
        case WordBreak::hiragana: ++hiragana_; break;
        case WordBreak::katakana: ++katakana_; break;
        case WordBreak::unspaced: ++unspaced_; break;
        default: break;
      }
    }
  }

  // Most are outside a-z.
  bool mostly_others() const { return others_ > ascii_; }

  // Runs between blanks.
  std::size_t pieces() const { return pieces_; }

  // Whether so many tokens, which do not divide these scripts, are longer than its words are on the average.
  bool outnumber(std::size_t tokens, Scripts scripts) const {
    // A word is 3 ideographs or hiragana, 6 katakana, 8 letters of Thai and the like at most.
    std::size_t words = 0;  // in parts of 24
    if (scripts & kHan) words += 8 * han_;
    if (scripts & kRareHan) words += 8 * rare_han_;
    if (scripts & kKana) words += 8 * hiragana_ + 4 * katakana_;
    if (scripts & kUnspaced) words += 3 * unspaced_;
    return words > 24 * tokens;
  }

  // The one that a reader would name: Japanese is a third to two thirds kana.
  Scripts main_script() const {
    const std::size_t kana = hiragana_ + katakana_, east_asian = han_ + rare_han_ + kana;
    if (unspaced_ > east_asian) return kUnspaced;
    return kana * 10 > east_asian ? kKana : kHan;
  }

 private:
  std::size_t ascii_ = 0;
  std::size_t others_ = 0;
  std::size_t han_ = 0;
  std::size_t rare_han_ = 0;
  std::size_t hiragana_ = 0;
  std::size_t katakana_ = 0;
  std::size_t unspaced_ = 0;
  std::size_t pieces_ = 0;
};

// What a text holds, told by its bytes alone: scripts without blanks, and a sum over the characters that
// normalising changes or that are not seen: combining marks, zero-width characters, soft hyphens, no-break
// spaces, presentation forms, wide letters. The sums of texts that hold the same of them are the same.
struct Characters {
  Scripts scripts = 0;
  std::uint64_t forms = 0;
};

class CharacterReader {
 public:
  // `scripts`: which are looked for.
  static Characters read(std::string_view text, Scripts scripts) {
    Characters found;
    if ((scripts & kHan) != 0 && any_byte_where(text, [](unsigned char byte) { return is_lead_of_han(byte); },
                                               [](std::size_t) { return true; })) {
      found.scripts |= kHan;
    }
    any_byte_where(text, [](unsigned char byte) { return is_lead(byte); }, [&](std::size_t i) {
      const char32_t c = decode(text, i).value;
      found.scripts |= script(c);
      if (is_form(c)) found.forms += (c + 0x9E3779B9ULL) * 0x9E3779B97F4A7C15ULL;
      return false;
    });
    return found;
  }

 private:
  // The first bytes of all that is looked for, but for most ideographs: C2, CC, CD, E0 to E3 and EF to F3.
  static bool is_lead(unsigned char byte) {
    return (byte == 0xC2) | ((byte & 0xFE) == 0xCC) | ((byte & 0xFC) == 0xE0) |
           (static_cast<unsigned char>(byte - 0xEF) <= 4);
  }

  // E4 to E9: U+4000 to U+9FFF.
  static bool is_lead_of_han(unsigned char byte) { return static_cast<unsigned char>(byte - 0xE4) <= 5; }

  static Scripts script(char32_t c) {
    if (is_supplementary_ideograph(c)) return kRareHan;
    if ((c >= 0x3400 && c <= 0x3FFF) || (c >= 0xF900 && c <= 0xFAFF)) return kHan;
    if (c >= 0x3041 && c <= 0x30FF) return kKana;
    const bool thai_or_lao = c >= 0x0E00 && c <= 0x0EFF;
    return thai_or_lao || (c >= 0x1000 && c <= 0x109F) || (c >= 0x1780 && c <= 0x17FF) ? kUnspaced : 0;
  }

  static bool is_form(char32_t c) {
    if (c < 0x1000) {
      return c == 0xA0 || c == 0xAD || (c >= 0x0300 && c <= 0x036F) || c == 0x093C || (c >= 0x0958 && c <= 0x095F);
    }
    if (c < 0x3000) {
      return (c >= 0x1161 && c <= 0x11C2) || (c >= 0x1F71 && c <= 0x1F7D) || c == 0x2007 || (c >= 0x200B && c <= 0x200F) ||
             (c >= 0x202A && c <= 0x202F) || (c >= 0x2060 && c <= 0x206F) || c == 0x2126 || c == 0x212A || c == 0x212B;
    }
    if (c < 0xF900) return c == 0x3099 || c == 0x309A;
    if (c < 0x10000) {
      return c <= 0xFDFF || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFE70 && c <= 0xFEFF) || (c >= 0xFF10 && c <= 0xFF19) ||
             (c >= 0xFF21 && c <= 0xFF3A) || (c >= 0xFF41 && c <= 0xFF5A) || (c >= 0xFF66 && c <= 0xFF9F);
    }
    return (c >= 0x2F800 && c <= 0x2FA1F) || (c >= 0xE0000 && c <= 0xE01EF);
  }
};

}  // namespace cocarde
