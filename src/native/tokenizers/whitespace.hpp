// Cutting at white space and nowhere else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "../tokens.hpp"
#include "../unicode.hpp"
#include "cutter.hpp"

namespace cocarde {

struct PythonSpaceRules {
  static constexpr bool kPadded = false;
  static constexpr bool kAsciiMarks = true;
  static constexpr bool kWideTokens = false;
  static constexpr bool is_space(char32_t c) { return is_python_space(c); }
  static constexpr bool is_number(char32_t) { return false; }
  static constexpr Kind kind(char32_t) { return Kind::word; }
  static constexpr bool is_lead(unsigned char byte) { return is_lead_of_space(byte); }
  static constexpr bool is_special(unsigned char byte) { return is_lead(byte) | (byte <= 0x20); }
};

struct AsciiSpaceRules : PythonSpaceRules {
  static constexpr bool is_space(char32_t c) { return is_ascii_space(c); }
  static constexpr bool is_lead(unsigned char) { return false; }
  static constexpr bool is_special(unsigned char byte) { return byte <= 0x20; }
};

// str.split(): the tokenizer "none" of sacreBLEU, and what NLTK's and COCO's users do by hand.
inline void tokenize_python_whitespace(std::string_view text, TokenBuffer& buffer) {
  cut<PythonSpaceRules, Rewriting::none>(text, buffer);
}

// split of multi-bleu.perl, which reads bytes.
inline void tokenize_ascii_whitespace(std::string_view text, TokenBuffer& buffer) {
  cut<AsciiSpaceRules, Rewriting::none>(text, buffer);
}

// str.split(" ") of COCO's ROUGE-L: blanks in a row have empty tokens between them, and an empty text is one.
inline void tokenize_single_blanks(std::string_view text, TokenBuffer& buffer) {
  const char* const text_end = text.data() + text.size();
  for (;;) {
    const std::size_t end = std::min(text.size(), text.find(' '));
    buffer.add(text.data(), end, text_end);
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace cocarde
