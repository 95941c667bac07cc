// The plain tokenizer of COCO's ROUGE-L.
#pragma once

#include <algorithm>
#include <string_view>

#include "../tokens.hpp"

namespace cocarde {

// str.split(" "): blanks in a row have empty tokens between them, and an empty text is one.
inline void tokenize_single_blanks(std::string_view text, TokenBuffer& buffer) {
  for (;;) {
    const std::size_t end = std::min(text.size(), text.find(' '));
    buffer.add(text.data(), end);
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace cocarde
