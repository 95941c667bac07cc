// The distinct words of many segments, and the segments as numbers of words: what a metric that looks
// at words (their stems, their synonyms) finds out once for each of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "column.hpp"
#include "parallel.hpp"
#include "tokens.hpp"
#include "word_table.hpp"

namespace cocarde {

// Segments of one column as numbers of words.
class WordSegments {
 public:
  std::size_t size() const { return ends_.empty() ? 0 : ends_.size() - 1; }
  std::span<const std::uint32_t> segment(std::size_t i) const {
    return {numbers_.data() + ends_[i], ends_[i + 1] - ends_[i]};
  }
  std::size_t total() const { return numbers_.size(); }

 private:
  friend class DistinctWords;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> ends_;
};

class DistinctWords {
 public:
  DistinctWords(const Column& hypotheses, const Column& references, ParallelOptions parallel) {
    // Each thread numbers the words it meets; then the few distinct words of each become one list.
    struct Local {
      WordTable table;
      TokenBuffer buffer;
      std::vector<std::uint32_t> common;  // the number of each word in the list of all
    };
    struct Block {
      std::vector<std::uint32_t> numbers;
      std::vector<std::size_t> sizes;
      const Local* local = nullptr;
    };
    const auto blocks_of = [](std::size_t count) { return (count + kBlock - 1) / kBlock; };
    const std::size_t hypothesis_blocks = blocks_of(hypotheses.size());
    std::vector<Block> blocks(hypothesis_blocks + blocks_of(references.size()));
    std::vector<std::unique_ptr<Local>> locals;
    std::mutex mutex;
    parallel.cost = hypotheses.cost() + references.cost();
    parallel_for(
        blocks.size(), parallel,
        [&] {
          const std::lock_guard lock(mutex);
          return locals.emplace_back(std::make_unique<Local>()).get();
        },
        [&](Local* local, std::size_t b, const StopFlag& stop) {
          const bool first = b < hypothesis_blocks;
          const Column& column = first ? hypotheses : references;
          const std::size_t begin = (first ? b : b - hypothesis_blocks) * kBlock;
          Block& block = blocks[b];
          block.local = local;
          for (std::size_t i = begin; i < std::min(column.size(), begin + kBlock); ++i) {
            stop.check();
            const std::span<const Token> tokens = column.tokens(i, local->buffer);
            for (const Token& token : tokens) block.numbers.push_back(local->table.insert(token));
            block.sizes.push_back(tokens.size());
          }
        });
    for (const std::unique_ptr<Local>& local : locals) {
      for (const Token& word : local->table.words()) local->common.push_back(table_.insert(word));
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      WordSegments& side = b < hypothesis_blocks ? hypotheses_ : references_;
      if (side.ends_.empty()) side.ends_.push_back(0);
      for (const std::uint32_t number : blocks[b].numbers) side.numbers_.push_back(blocks[b].local->common[number]);
      for (const std::size_t size : blocks[b].sizes) side.ends_.push_back(side.ends_.back() + size);
    }
  }

  std::span<const Token> words() const { return table_.words(); }
  // Equal for no two of these: what is made of their words is of use with them alone.
  std::shared_ptr<const void> identity() const { return identity_; }
  const WordSegments& hypotheses() const { return hypotheses_; }
  const WordSegments& references() const { return references_; }
  // Bytes' worth of both sides: how much work it is to compare them.
  std::size_t cost() const { return 64 * (hypotheses_.total() + references_.total()); }

 private:
  static constexpr std::size_t kBlock = 64;

  std::shared_ptr<const void> identity_ = std::make_shared<char>();
  WordTable table_;
  WordSegments hypotheses_;
  WordSegments references_;
};

}  // namespace cocarde
