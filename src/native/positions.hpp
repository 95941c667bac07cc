// Clipped matches of n-grams of all orders, for a hypothesis of few items: sets of its positions are bits of
// a number.
//
// Of each item of the reference, `where` is the set of the hypothesis's positions that hold the same item.
// The n-gram that begins there is found where the first, the second shifted by one, and so on, are all set.
// Each position that was found is taken out of those that are left for its order, so that no n-gram counts
// more often than the hypothesis has it. There is no table, and no branch that cannot be predicted.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "tokens.hpp"

namespace cocarde {

struct PositionSets {
  static constexpr std::size_t kMostPositions = 64;
  static constexpr std::size_t kMostOrders = 8;

  // matches[n - 1] for n = 1 … matches.size(), at most kMostOrders. Behind the `size` sets of the
  // reference there are kMostOrders empty ones.
  static void count(const std::uint64_t* where, std::size_t size, std::span<double> matches) {
    switch (matches.size()) {
      case 2: return count_orders<2>(where, size, matches);
      case 4: return count_orders<4>(where, size, matches);
      case 6: return count_orders<6>(where, size, matches);
      default: return count_orders<kMostOrders>(where, size, matches);
    }
  }

 private:
  template <std::size_t kOrders>
  static void count_orders(const std::uint64_t* where, std::size_t size, std::span<double> matches) {
    std::array<std::uint64_t, kOrders> left;
    left.fill(~std::uint64_t{0});
    for (std::size_t j = 0; j < size; ++j) {
      std::uint64_t found = ~std::uint64_t{0};
      for (std::size_t k = 0; k < kOrders; ++k) {
        found &= where[j + k] >> k;
        const std::uint64_t free = found & left[k];
        left[k] ^= free & (~free + 1);
      }
    }
    for (std::size_t k = 0; k < matches.size(); ++k) matches[k] = std::popcount(~left[k]);
  }
};

#if defined(__SSE2__)

// The sets of positions that hold the same token, found by comparing sixteen hashes at once.
class TokenPositions {
 public:
  // False if there are too many tokens, or two that differ have the same tag.
  bool reset(std::span<const Token> tokens) {
    if (tokens.size() > PositionSets::kMostPositions) return false;
    tokens_ = tokens;
    blocks_ = (tokens.size() + kLanes - 1) / kLanes;
    for (std::size_t i = 0; i < tokens.size(); ++i) tags_[i] = tag(tokens[i]);
    const std::size_t unused = PositionSets::kMostPositions - tokens.size();
    valid_ = tokens.empty() ? 0 : ~std::uint64_t{0} >> unused;
    bool alike = true;
    for (const Token& token : tokens) alike &= same_token(tokens[first_of(tagged(token))], token);
    return alike;
  }

  std::uint64_t find(const Token& token) const {
    const std::uint64_t found = tagged(token);
    if (valid_ == 0) return 0;
    return found & (std::uint64_t{0} - std::uint64_t{same_token(tokens_[first_of(found)], token)});
  }

 private:
  static constexpr std::size_t kLanes = 16;

  static std::uint16_t tag(const Token& token) { return static_cast<std::uint16_t>(token.hash >> 16); }
  static std::size_t first_of(std::uint64_t set) {
    return static_cast<std::size_t>(std::countr_zero(set + (set == 0)));
  }

  // Where the tag is that of the token.
  std::uint64_t tagged(const Token& token) const {
    const __m128i wanted = _mm_set1_epi16(static_cast<short>(tag(token)));
    std::uint64_t found = 0;
    for (std::size_t block = 0; block < blocks_; ++block) {
      const auto* tags = reinterpret_cast<const __m128i*>(tags_.data() + block * kLanes);
      const __m128i low = _mm_cmpeq_epi16(_mm_load_si128(tags), wanted);
      const __m128i high = _mm_cmpeq_epi16(_mm_load_si128(tags + 1), wanted);
      const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
      found |= std::uint64_t{bits} << (block * kLanes);
    }
    return found & valid_;
  }

  std::span<const Token> tokens_;
  std::size_t blocks_ = 0;
  std::uint64_t valid_ = 0;  // the positions that there are
  alignas(16) std::array<std::uint16_t, PositionSets::kMostPositions> tags_{};
};

#endif

}  // namespace cocarde
