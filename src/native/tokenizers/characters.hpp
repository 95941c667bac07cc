// Every character but white space is a token.
#pragma once

#include <cstddef>
#include <string_view>

#include "../tokens.hpp"
#include "../unicode.hpp"

namespace cocarde {

// char of sacreBLEU.
inline void tokenize_characters(std::string_view text, TokenBuffer& buffer) {
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    if (!is_python_space(point.value)) buffer.add(text.data() + i, point.size, end);
    i += point.size;
  }
}

}  // namespace cocarde
