// A text as its only token, for metrics of characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../tokens.hpp"

namespace cocarde {

// Nobody looks for this token in a table, so it has no hash.
inline void tokenize_whole(std::string_view text, TokenBuffer& buffer) {
  check_token_size(text.size());
  buffer.tokens.push_back({load_prefix(text.data(), text.size()), text.data(), static_cast<std::uint32_t>(text.size()), 0});
}

}  // namespace cocarde
