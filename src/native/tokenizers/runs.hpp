// Runs of bits as words: what cutting a text block by block comes to once each byte is known to belong
// to a word or not.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "cutter.hpp"

namespace cocarde {

class Runs {
 public:
  // At most so many runs end in a block.
  static constexpr std::size_t kMostInBlock = kBlock / 2 + 1;

  // Calls emit(begin, end) for each run that ends within the block at `block`, whose bytes that belong to
  // words have a bit each. Blocks come in order.
  template <class Emit>
  void add(std::uint64_t words, std::size_t block, Emit&& emit) {
    if (begin_ != kNone) {
      const auto rest = static_cast<std::size_t>(std::countr_one(words));
      if (rest == kBlock) return;
      emit(begin_, block + rest);
      words &= ~low_bits(rest);
      begin_ = kNone;
    }
    if (const auto open = static_cast<std::size_t>(std::countl_one(words)); open > 0) {
      begin_ = block + kBlock - open;
      words &= low_bits(kBlock - open);
    }
    while (words != 0) {
      const auto begin = static_cast<std::size_t>(std::countr_zero(words));
      const auto width = static_cast<std::size_t>(std::countr_one(words >> begin));
      words &= ~(low_bits(width) << begin);
      emit(block + begin, block + begin + width);
    }
  }

  // The same for a run that reaches to the end of the text.
  template <class Emit>
  void finish(std::size_t end, Emit&& emit) {
    if (begin_ != kNone) emit(begin_, end);
    begin_ = kNone;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // width < kBlock: a run that fills a block reaches into the next one.
  static constexpr std::uint64_t low_bits(std::size_t width) { return (std::uint64_t{1} << width) - 1; }

  std::size_t begin_ = kNone;  // of a run that goes on into the next block
};

}  // namespace cocarde
