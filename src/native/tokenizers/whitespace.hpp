// Cutting at white space and nowhere else.
#pragma once

#include "../tokens.hpp"
#include "../unicode.hpp"

namespace cocarde {

template <bool (*IsSpace)(char32_t)>
void tokenize_at_spaces(std::string_view text, TokenBuffer& buffer) {
  const char* const end = text.data() + text.size();
  std::size_t start = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte > 0x20 && byte < 0x80) {
      ++i;
      continue;
    }
    const CodePoint point = decode(text, i);
    if (IsSpace(point.value)) {
      if (i > start) buffer.add(text.data() + start, i - start, end);
      start = i + point.size;
    }
    i += point.size;
  }
  if (i > start) buffer.add(text.data() + start, i - start, end);
}

// str.split(): the tokenizer "none" of sacreBLEU, and what NLTK's and COCO's users do by hand.
inline void tokenize_python_whitespace(std::string_view text, TokenBuffer& buffer) {
  tokenize_at_spaces<is_python_space>(text, buffer);
}

// split of multi-bleu.perl, which reads bytes.
inline void tokenize_ascii_whitespace(std::string_view text, TokenBuffer& buffer) {
  tokenize_at_spaces<is_ascii_space>(text, buffer);
}

}  // namespace cocarde
