// The registry of native tokenizers. Each family has a header of its own under tokenizers/.
#pragma once

#include <array>
#include <string_view>

#include "tokenizers/whitespace.hpp"
#include "tokens.hpp"

namespace cocarde {

struct TokenizerEntry {
  std::string_view name;
  TokenizeFunction tokenize;
};

inline constexpr std::array kTokenizers = {
    TokenizerEntry{"none", &tokenize_python_whitespace},
    TokenizerEntry{"multi-bleu", &tokenize_ascii_whitespace},
};

// Null where there is no such tokenizer.
inline TokenizeFunction find_tokenizer(std::string_view name) {
  for (const TokenizerEntry& entry : kTokenizers) {
    if (entry.name == name) return entry.tokenize;
  }
  return nullptr;
}

}  // namespace cocarde
