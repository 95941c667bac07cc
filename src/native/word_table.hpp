// Distinct words, numbered.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tokens.hpp"

namespace cocarde {

// Numbers words in the order in which they come; keeps their bytes. Open addressing, at most half full.
class WordTable {
 public:
  WordTable() = default;
  WordTable(WordTable&&) = default;  // words point into the arenas
  WordTable& operator=(WordTable&&) = default;

  // The number of this word; it is new if the table had as many words before.
  std::uint32_t insert(const Token& token) {
    if (2 * (words_.size() + 1) > slots_.size()) grow();
    std::size_t i = first_slot(token);
    while (slots_[i] != kFree) {
      if (same_token(words_[slots_[i]], token)) return slots_[i];
      i = (i + 1) & (slots_.size() - 1);
    }
    if (words_.size() == kFree) throw std::length_error("there are more than 4 billion distinct words");
    slots_[i] = static_cast<std::uint32_t>(words_.size());
    words_.push_back(token.is_integer() ? token : kept(token));
    return slots_[i];
  }
  std::span<const Token> words() const { return words_; }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr std::size_t kArena = std::size_t{1} << 16;

  // The highest bits of a hash are the best mixed.
  std::size_t first_slot(const Token& token) const {
    return (static_cast<std::uint64_t>(token.hash) << 32) >> (64 - std::countr_zero(slots_.size()));
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 4 * slots_.size()), kFree);
    for (std::uint32_t number = 0; number < words_.size(); ++number) {
      std::size_t i = first_slot(words_[number]);
      while (slots_[i] != kFree) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = number;
    }
  }
  Token kept(Token token) {
    if (arenas_.empty() || free_ < token.size) {
      free_ = std::max<std::size_t>(kArena, token.size);
      arenas_.push_back(std::make_unique<char[]>(free_));
      next_ = arenas_.back().get();
    }
    std::copy_n(token.data, token.size, next_);
    token.data = next_;
    next_ += token.size;
    free_ -= token.size;
    return token;
  }

  std::vector<std::uint32_t> slots_;
  std::vector<Token> words_;
  std::vector<std::unique_ptr<char[]>> arenas_;
  char* next_ = nullptr;
  std::size_t free_ = 0;
};

}  // namespace cocarde
