// Clipped n-gram matches between one hypothesis and its references (Papineni et al., 2002).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "tokens.hpp"

namespace cocarde {

inline constexpr std::uint32_t kNoId = UINT32_MAX;

// Distinct tokens of one segment, numbered from 0. Open addressing, at most half full.
class TokenTable {
 public:
  void reset(std::size_t most) {
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(16, 2 * most));
    mask_ = capacity - 1;
    slots_.assign(capacity, 0);
    tokens_.clear();
  }
  std::uint32_t insert(const Token& token) {
    std::uint32_t& slot = find(token);
    if (slot == 0) {
      tokens_.push_back(token);
      slot = static_cast<std::uint32_t>(tokens_.size());
    }
    return slot - 1;
  }
  std::uint32_t lookup(const Token& token) { return find(token) - 1; }  // kNoId where absent
  std::size_t size() const { return tokens_.size(); }

 private:
  std::uint32_t& find(const Token& token) {
    std::size_t i = token.hash & mask_;
    while (slots_[i] != 0 && !same_token(tokens_[slots_[i] - 1], token)) i = (i + 1) & mask_;
    return slots_[i];
  }
  std::vector<std::uint32_t> slots_;  // id + 1; 0 where free
  std::vector<Token> tokens_;
  std::size_t mask_ = 0;
};

// Distinct pairs of ids, numbered from 0.
class PairTable {
 public:
  void reset(std::size_t most) {
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(16, 2 * most));
    shift_ = 64 - std::countr_zero(capacity);
    mask_ = capacity - 1;
    slots_.assign(capacity, Slot{0, 0});
    size_ = 0;
  }
  std::uint32_t insert(std::uint32_t first, std::uint32_t second) {
    Slot& slot = find(key(first, second));
    if (slot.number == 0) {
      slot.key = key(first, second);
      slot.number = ++size_;
    }
    return slot.number - 1;
  }
  std::uint32_t lookup(std::uint32_t first, std::uint32_t second) {
    return find(key(first, second)).number - 1;  // kNoId where absent
  }
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint32_t number;  // id + 1; 0 where free
  };
  static std::uint64_t key(std::uint32_t first, std::uint32_t second) {
    return (static_cast<std::uint64_t>(first) << 32) | second;
  }
  Slot& find(std::uint64_t wanted) {
    // Fibonacci hashing: ids are small consecutive numbers, the high bits of the product spread them.
    std::size_t i = static_cast<std::size_t>((wanted * 0x9E3779B97F4A7C15ULL) >> shift_);
    while (slots_[i].number != 0 && slots_[i].key != wanted) i = (i + 1) & mask_;
    return slots_[i];
  }
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 60;
  std::uint32_t size_ = 0;
};

// Counts the n-grams of a hypothesis that its references hold. One object a worker: it keeps its
// memory from segment to segment.
class NgramMatcher {
 public:
  // matches[n - 1] for n = 1 … matches.size(). With clip, an n-gram counts at most as often as the
  // reference that has it most often has it; without, each time it stands in the hypothesis.
  void count(std::span<const Token> hypothesis, std::span<const std::span<const Token>> references,
             bool clip, std::span<double> matches, const StopFlag& stop) {
    std::fill(matches.begin(), matches.end(), 0.0);
    if (hypothesis.empty() || matches.empty()) return;
    intern_tokens(hypothesis, references, stop);
    for (std::size_t order = 1;; ++order) {
      const std::uint64_t matched = score_order(clip);
      matches[order - 1] = static_cast<double>(matched);
      // Without a match no longer n-gram can match either.
      if (matched == 0 || order == matches.size() || hypothesis_ids_.size() < 2) return;
      extend_order(stop);
    }
  }

 private:
  // After intern_tokens, and after each extend_order: hypothesis_ids_[i] is the id of the n-gram that
  // starts at token i, or kNoId where it cannot match; likewise reference_ids_ for the references, one
  // after the other, each ended by one kNoId; hypothesis_counts_ by id; and reference_counts_, the most
  // that any one reference holds of an id.
  void intern_tokens(std::span<const Token> hypothesis,
                     std::span<const std::span<const Token>> references, const StopFlag& stop) {
    tokens_.reset(hypothesis.size());
    hypothesis_ids_.resize(hypothesis.size());
    hypothesis_counts_.assign(hypothesis.size(), 0);
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      pause(i, stop);
      const std::uint32_t id = tokens_.insert(hypothesis[i]);
      hypothesis_ids_[i] = id;
      ++hypothesis_counts_[id];
    }
    distinct_ = tokens_.size();
    reference_counts_.assign(distinct_, 0);
    reference_ids_.clear();
    reference_ends_.clear();
    for (const std::span<const Token> reference : references) {
      const std::size_t begin = reference_ids_.size();
      reference_ids_.resize(begin + reference.size() + 1);
      for (std::size_t j = 0; j < reference.size(); ++j) {
        pause(j, stop);
        reference_ids_[begin + j] = tokens_.lookup(reference[j]);
      }
      reference_ids_.back() = kNoId;
      reference_ends_.push_back(reference_ids_.size());
    }
    count_references();
  }

  void count_references() {
    if (reference_ends_.size() == 1) {
      for (const std::uint32_t id : reference_ids_) {
        if (id != kNoId) ++reference_counts_[id];
      }
      return;
    }
    one_reference_.assign(distinct_, 0);
    std::size_t begin = 0;
    for (const std::size_t end : reference_ends_) {
      for (std::size_t j = begin; j < end; ++j) {
        const std::uint32_t id = reference_ids_[j];
        if (id == kNoId) continue;
        reference_counts_[id] = std::max(reference_counts_[id], ++one_reference_[id]);
      }
      for (std::size_t j = begin; j < end; ++j) {
        if (reference_ids_[j] != kNoId) one_reference_[reference_ids_[j]] = 0;
      }
      begin = end;
    }
  }

  std::uint64_t score_order(bool clip) const {
    std::uint64_t matched = 0;
    for (std::size_t id = 0; id < distinct_; ++id) {
      const std::uint32_t have = hypothesis_counts_[id];
      const std::uint32_t most = reference_counts_[id];
      matched += clip ? std::min(have, most) : (most > 0 ? have : 0);
    }
    return matched;
  }

  // From n-grams to (n + 1)-grams: the pair of n-grams that start at i and i + 1, if both matched.
  void extend_order(const StopFlag& stop) {
    for (std::uint32_t& id : hypothesis_ids_) {
      if (id != kNoId && reference_counts_[id] == 0) id = kNoId;
    }
    const std::size_t last = hypothesis_ids_.size() - 1;
    std::size_t candidates = 0;
    for (std::size_t i = 0; i < last; ++i) {
      candidates += hypothesis_ids_[i] != kNoId && hypothesis_ids_[i + 1] != kNoId;
    }
    pairs_.reset(candidates);
    hypothesis_counts_.assign(candidates, 0);
    for (std::size_t i = 0; i < last; ++i) {
      pause(i, stop);
      std::uint32_t& id = hypothesis_ids_[i];
      if (id == kNoId) continue;
      if (hypothesis_ids_[i + 1] == kNoId) {
        id = kNoId;
        continue;
      }
      id = pairs_.insert(id, hypothesis_ids_[i + 1]);
      ++hypothesis_counts_[id];
    }
    hypothesis_ids_.pop_back();
    distinct_ = pairs_.size();
    reference_counts_.assign(distinct_, 0);
    for (std::size_t j = 0; j + 1 < reference_ids_.size(); ++j) {
      pause(j, stop);
      std::uint32_t& id = reference_ids_[j];
      if (id == kNoId) continue;
      const std::uint32_t next = reference_ids_[j + 1];
      id = next == kNoId ? kNoId : pairs_.lookup(id, next);
    }
    count_references();
  }

  static void pause(std::size_t i, const StopFlag& stop) {
    if ((i & 0xFFFF) == 0xFFFF) stop.check();
  }

  TokenTable tokens_;
  PairTable pairs_;
  std::vector<std::uint32_t> hypothesis_ids_;
  std::vector<std::uint32_t> hypothesis_counts_;
  std::vector<std::uint32_t> reference_ids_;
  std::vector<std::size_t> reference_ends_;
  std::vector<std::uint32_t> reference_counts_;
  std::vector<std::uint32_t> one_reference_;
  std::size_t distinct_ = 0;
};

}  // namespace cocarde
