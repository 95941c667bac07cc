// Clipped n-gram matches between one hypothesis and its references (Papineni et al., 2002).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "parallel.hpp"
#include "tokens.hpp"

namespace cocarde {

inline constexpr std::uint32_t kNoId = UINT32_MAX;

// Distinct tokens of one segment, numbered from 0. Open addressing, at most a quarter full.
class TokenTable {
 public:
  void reset(std::size_t most) {
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(16, 4 * most));
    mask_ = capacity - 1;
    slots_.assign(capacity, 0);
    // Free slots point to a token that equals none, so that one comparison decides both ends of a search.
    tokens_.assign(1, Token{0, nullptr, UINT32_MAX, 0});
  }
  std::uint32_t insert(const Token& token) {
    const std::size_t i = find(token);
    if (slots_[i] == 0) {
      slots_[i] = static_cast<std::uint32_t>(tokens_.size());
      tokens_.push_back(token);
    }
    return slots_[i] - 1;
  }
  std::uint32_t lookup(const Token& token) const { return slots_[find(token)] - 1; }  // kNoId where absent
  std::size_t size() const { return tokens_.size() - 1; }

 private:
  std::size_t find(const Token& token) const {
    std::size_t i = token.hash & mask_;
    for (;;) {
      const std::uint32_t slot = slots_[i];
      // Whether a word of the reference is in the hypothesis cannot be predicted, so it must not branch.
      const bool free = slot == 0;
      const bool same = same_token(tokens_[slot], token);
      if (free | same) return i;
      i = (i + 1) & mask_;
    }
  }
  std::vector<std::uint32_t> slots_;  // id + 1; 0 where free
  std::vector<Token> tokens_;         // by id + 1
  std::size_t mask_ = 0;
};

// Distinct pairs of ids below a limit, numbered from 0. Short segments use a matrix, long ones a hash table.
class PairTable {
 public:
  // At most `most` pairs of ids below `limit`.
  void reset(std::size_t limit, std::size_t most) {
    size_ = 0;
    dense_ = limit <= kDenseLimit;
    if (dense_) {
      limit_ = limit;
      matrix_.assign(limit * limit, 0);
      return;
    }
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(16, 2 * most));
    shift_ = 64 - std::countr_zero(capacity);
    mask_ = capacity - 1;
    slots_.assign(capacity, Slot{0, 0});
  }
  std::uint32_t insert(std::uint32_t first, std::uint32_t second) {
    if (dense_) {
      std::uint16_t& number = matrix_[first * limit_ + second];
      if (number == 0) number = static_cast<std::uint16_t>(++size_);
      return std::uint32_t{number} - 1;
    }
    Slot& slot = slots_[find(key(first, second))];
    if (slot.number == 0) {
      slot.key = key(first, second);
      slot.number = ++size_;
    }
    return slot.number - 1;
  }
  // kNoId where absent.
  std::uint32_t lookup(std::uint32_t first, std::uint32_t second) const {
    if (dense_) return std::uint32_t{matrix_[first * limit_ + second]} - 1;
    return slots_[find(key(first, second))].number - 1;
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kDenseLimit = 96;  // 18 KB: within the first-level cache

  struct Slot {
    std::uint64_t key;
    std::uint32_t number;  // id + 1; 0 where free
  };
  static std::uint64_t key(std::uint32_t first, std::uint32_t second) {
    return (static_cast<std::uint64_t>(first) << 32) | second;
  }
  std::size_t find(std::uint64_t wanted) const {
    // Fibonacci hashing: ids are small consecutive numbers, the high bits of the product spread them.
    std::size_t i = static_cast<std::size_t>((wanted * 0x9E3779B97F4A7C15ULL) >> shift_);
    while (slots_[i].number != 0 && slots_[i].key != wanted) i = (i + 1) & mask_;
    return i;
  }

  bool dense_ = true;
  std::size_t limit_ = 0;
  std::vector<std::uint16_t> matrix_;  // id + 1; 0 where free
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 60;
  std::uint32_t size_ = 0;
};

// Counts the n-grams of a hypothesis that its references hold. One object a worker: it keeps its
// memory from segment to segment.
//
// Of each text it carries a list of the n-grams that may still match: where each starts, and its id.
// The list of the next order comes from neighbours in that list. Whether an entry survives cannot be
// predicted, so lists are filled without branches: write always, advance by 0 or 1.
class NgramMatcher {
 public:
  // matches[n - 1] for n = 1 … matches.size(). With clip, an n-gram counts at most as often as the
  // reference that has it most often has it; without, each time it stands in the hypothesis.
  void count(std::span<const Token> hypothesis, std::span<const std::span<const Token>> references,
             bool clip, std::span<double> matches, const StopFlag& stop) {
    std::fill(matches.begin(), matches.end(), 0.0);
    if (hypothesis.empty() || matches.empty()) return;
    clip_ = clip;
    intern_tokens(hypothesis, references, stop);
    for (std::size_t order = 1;; ++order) {
      matches[order - 1] = static_cast<double>(matched_);
      // Without a match no longer n-gram can match either.
      if (matched_ == 0 || order == matches.size()) return;
      extend_order(stop);
    }
  }

 private:
  struct Entry {
    std::uint32_t start;  // position of the first token; references lie one after the other
    std::uint32_t id;
  };

  void intern_tokens(std::span<const Token> hypothesis,
                     std::span<const std::span<const Token>> references, const StopFlag& stop) {
    tokens_.reset(hypothesis.size());
    hypothesis_counts_.assign(hypothesis.size(), 0);
    hypothesis_.resize(hypothesis.size());
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      pause(i, stop);
      const std::uint32_t id = tokens_.insert(hypothesis[i]);
      hypothesis_[i] = {static_cast<std::uint32_t>(i), id};
      ++hypothesis_counts_[id];
    }
    std::size_t most = 0;
    for (const std::span<const Token> reference : references) most += reference.size();
    if (most + references.size() > UINT32_MAX || hypothesis.size() > UINT32_MAX) {
      throw std::length_error("a segment has more than 4,294,967,295 tokens");
    }
    references_.resize(most + 1);
    ends_.clear();
    std::size_t kept = 0;
    std::uint32_t start = 0;
    for (const std::span<const Token> reference : references) {
      for (std::size_t j = 0; j < reference.size(); ++j) {
        pause(j, stop);
        const std::uint32_t id = tokens_.lookup(reference[j]);
        references_[kept] = {start + static_cast<std::uint32_t>(j), id};
        kept += id != kNoId;
      }
      // One position is left free, so that no n-gram reaches from one reference into the next.
      start += static_cast<std::uint32_t>(reference.size()) + 1;
      ends_.push_back(kept);
    }
    references_.resize(kept);
    count_references(tokens_.size());
  }

  // Sets reference_counts_ (by id, the most that any one reference holds) and matched_.
  void count_references(std::size_t distinct) {
    distinct_ = distinct;
    matched_ = 0;
    reference_counts_.assign(distinct, 0);
    if (ends_.size() == 1) {
      for (const Entry& entry : references_) {
        const std::uint32_t seen = ++reference_counts_[entry.id];
        matched_ += seen <= hypothesis_counts_[entry.id];
      }
    } else {
      count_each_reference();
    }
    if (!clip_) {
      matched_ = 0;
      for (std::size_t id = 0; id < distinct; ++id) {
        matched_ += reference_counts_[id] > 0 ? hypothesis_counts_[id] : 0;
      }
    }
  }

  void count_each_reference() {
    one_reference_.assign(distinct_, 0);
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      for (std::size_t j = begin; j < end; ++j) {
        const std::uint32_t id = references_[j].id;
        const std::uint32_t seen = ++one_reference_[id];
        const bool more = seen > reference_counts_[id];
        reference_counts_[id] += more;
        matched_ += more & (seen <= hypothesis_counts_[id]);
      }
      for (std::size_t j = begin; j < end; ++j) one_reference_[references_[j].id] = 0;
      begin = end;
    }
  }

  // From n-grams to (n + 1)-grams: two n-grams that start at neighbouring tokens, if both matched.
  void extend_order(const StopFlag& stop) {
    pairs_.reset(distinct_, hypothesis_.size());
    pair_neighbours(hypothesis_, 0, hypothesis_.size());
    hypothesis_.resize(kept_);
    hypothesis_counts_.assign(kept_, 0);
    for (std::size_t k = 0; k < kept_; ++k) {
      pause(k, stop);
      Entry& entry = hypothesis_[k];
      entry.id = pairs_.insert(entry.id, seconds_[k]);
      ++hypothesis_counts_[entry.id];
    }

    std::size_t begin = 0;
    std::size_t total = 0;
    for (std::size_t& end : ends_) {
      pair_neighbours(references_, begin, end);
      for (std::size_t k = 0; k < kept_; ++k) {
        pause(k, stop);
        const Entry entry = references_[begin + k];
        const std::uint32_t id = pairs_.lookup(entry.id, seconds_[k]);
        references_[total] = {entry.start, id};
        total += id != kNoId;
      }
      begin = end;
      end = total;
    }
    references_.resize(total);
    count_references(pairs_.size());
  }

  // Moves the entries of [begin, end) that have a matching neighbour to begin …, the ids of those
  // neighbours to seconds_, and their number to kept_.
  void pair_neighbours(std::vector<Entry>& entries, std::size_t begin, std::size_t end) {
    kept_ = 0;
    if (seconds_.size() < end - begin) seconds_.resize(end - begin);
    for (std::size_t i = begin; i + 1 < end; ++i) {
      const Entry first = entries[i];
      const Entry second = entries[i + 1];
      entries[begin + kept_] = first;
      seconds_[kept_] = second.id;
      kept_ += (second.start == first.start + 1) & (reference_counts_[first.id] > 0) &
               (reference_counts_[second.id] > 0);
    }
  }

  static void pause(std::size_t i, const StopFlag& stop) {
    if ((i & 0xFFFF) == 0xFFFF) stop.check();
  }

  TokenTable tokens_;
  PairTable pairs_;
  std::vector<Entry> hypothesis_;
  std::vector<std::uint32_t> hypothesis_counts_;  // by id
  std::vector<Entry> references_;
  std::vector<std::size_t> ends_;                 // of each reference's entries
  std::vector<std::uint32_t> reference_counts_;   // by id
  std::vector<std::uint32_t> one_reference_;      // by id, of the reference at hand
  std::vector<std::uint32_t> seconds_;
  std::size_t kept_ = 0;
  std::size_t distinct_ = 0;
  std::uint64_t matched_ = 0;
  bool clip_ = true;
};

}  // namespace cocarde
