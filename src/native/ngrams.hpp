// Clipped n-gram matches between one hypothesis and its references (Papineni et al., 2002).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "parallel.hpp"
#include "positions.hpp"
#include "tokens.hpp"

namespace cocarde {

inline constexpr std::uint32_t kNoId = UINT32_MAX;

// Memory that is kept from segment to segment.
template <class T>
class Workspace {
 public:
  // Room for n values, whatever they are; zeros where it was enlarged.
  T* room(std::size_t n) {
    if (n > capacity_) {
      capacity_ = std::bit_ceil(n);
      values_ = std::make_unique<T[]>(capacity_);
    }
    return values_.get();
  }
  T* zeros(std::size_t n) {
    T* values = room(n);
    if (n > 0) std::memset(static_cast<void*>(values), 0, n * sizeof(T));  // there may be no memory yet
    return values;
  }
  T* get() const { return values_.get(); }
  std::size_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t capacity_ = 0;
};

// Where each distinct token of a hypothesis stands first: that position is the token's id. Open
// addressing, at most a quarter full. Tables are not cleared between segments: each entry carries the
// generation that wrote it, and those of older generations count as free.
class TokenTable {
 public:
  void reset(std::span<const Token> tokens) {
    tokens_ = tokens;
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(16, 4 * tokens.size()));
    mask_ = capacity - 1;
    shift_ = 64 - std::countr_zero(capacity);
    slots_.room(capacity);
    generation_ += std::uint64_t{1} << 32;
    if (generation_ == 0) {
      slots_.zeros(slots_.capacity());
      generation_ = std::uint64_t{1} << 32;
    }
  }
  // The id of the token at this position, which may be new.
  std::uint32_t insert(std::uint32_t position) {
    std::uint64_t& slot = slots_.get()[find(tokens_[position])];
    // Whether a word is new cannot be predicted, so it must not branch; nor below.
    slot = slot < generation_ ? generation_ | position : slot;
    return static_cast<std::uint32_t>(slot);
  }
  // kNoId where absent.
  std::uint32_t lookup(const Token& token) const {
    const std::uint64_t slot = slots_.get()[find(token)];
    return slot < generation_ ? kNoId : static_cast<std::uint32_t>(slot);
  }

 private:
  std::size_t find(const Token& token) const {
    const std::uint64_t* slots = slots_.get();
    // The highest bits of the hash, even where the table is larger than the hash reaches.
    std::size_t i = (static_cast<std::uint64_t>(token.hash) << 32) >> shift_;
    for (;;) {
      const bool free = slots[i] < generation_;
      const std::uint32_t position = free ? 0 : static_cast<std::uint32_t>(slots[i]);
      const bool same = same_token(tokens_[position], token);
      if (free | same) return i;
      i = (i + 1) & mask_;
    }
  }
  std::span<const Token> tokens_;
  Workspace<std::uint64_t> slots_;  // generation, position
  std::uint64_t generation_ = 0;    // in the upper half, as in the slots
  std::size_t mask_ = 0;
  int shift_ = 60;
};

// Distinct pairs of ids below a limit, numbered from 0. Short segments use a matrix, with generations
// as above; long ones a hash table.
class PairTable {
 public:
  // At most `most` pairs of ids below `limit`.
  void reset(std::size_t limit, std::size_t most) {
    size_ = 0;
    dense_ = limit <= kDenseLimit;
    if (dense_) {
      limit_ = limit;
      matrix_.room(kDenseLimit * kDenseLimit);
      generation_ += std::uint32_t{1} << 16;
      if (generation_ == 0) {
        matrix_.zeros(kDenseLimit * kDenseLimit);
        generation_ = std::uint32_t{1} << 16;
      }
      return;
    }
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(16, 2 * most));
    shift_ = 64 - std::countr_zero(capacity);
    mask_ = capacity - 1;
    slots_.zeros(capacity);
  }
  std::uint32_t insert(std::uint32_t first, std::uint32_t second) {
    if (dense_) {
      std::uint32_t& entry = matrix_.get()[first * limit_ + second];
      const bool fresh = entry < generation_;
      entry = fresh ? generation_ | size_ : entry;
      size_ += fresh;
      return entry & 0xFFFF;
    }
    Slot& slot = slots_.get()[find(key(first, second))];
    if (slot.number == 0) {
      slot.key = key(first, second);
      slot.number = ++size_;
    }
    return slot.number - 1;
  }
  // kNoId where absent.
  std::uint32_t lookup(std::uint32_t first, std::uint32_t second) const {
    if (dense_) {
      const std::uint32_t entry = matrix_.get()[first * limit_ + second];
      return entry < generation_ ? kNoId : entry & 0xFFFF;
    }
    return slots_.get()[find(key(first, second))].number - 1;
  }
  std::size_t size() const { return size_; }

 private:
  // 36 KB at most, and only a part that fits the first-level cache for segments of usual length. The
  // square must be below 2^16.
  static constexpr std::size_t kDenseLimit = 96;

  struct Slot {
    std::uint64_t key;
    std::uint32_t number;  // id + 1; 0 where free
  };
  static std::uint64_t key(std::uint32_t first, std::uint32_t second) {
    return (static_cast<std::uint64_t>(first) << 32) | second;
  }
  std::size_t find(std::uint64_t wanted) const {
    // Fibonacci hashing: ids are small numbers, the high bits of the product spread them.
    const Slot* slots = slots_.get();
    std::size_t i = static_cast<std::size_t>((wanted * 0x9E3779B97F4A7C15ULL) >> shift_);
    while (slots[i].number != 0 && slots[i].key != wanted) i = (i + 1) & mask_;
    return i;
  }

  bool dense_ = true;
  std::size_t limit_ = 0;
  Workspace<std::uint32_t> matrix_;  // generation, number
  std::uint32_t generation_ = 0;     // in the upper half, as in the matrix
  Workspace<Slot> slots_;
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
    if (clip && references.size() == 1 && count_few(hypothesis, references[0], matches)) return;
    count(hypothesis, references, clip, matches, stop, [](std::span<const Entry>, std::span<const Entry>) {});
  }

  // Whether a reference has this token too; to be asked while tokens are seen.
  bool shared(std::uint32_t id) const { return counts_.get()[id].most > 0; }

  // An n-gram of a text that may still match.
  struct Entry {
    std::uint32_t start;  // position of the first token; references lie one after the other
    std::uint32_t id;
  };

  // The same; see(hypothesis, references) is shown the tokens in between: of the hypothesis all, of the
  // references those that it holds too. Ids are below the number of the hypothesis's tokens.
  template <class See>
  void count(std::span<const Token> hypothesis, std::span<const std::span<const Token>> references,
             bool clip, std::span<double> matches, const StopFlag& stop, See&& see) {
    std::fill(matches.begin(), matches.end(), 0.0);
    if (hypothesis.empty() || matches.empty()) return;
    clip_ = clip;
    intern_tokens(hypothesis, references, stop);
    const std::size_t kept = reference_count_ == 0 ? 0 : ends_.get()[reference_count_ - 1];
    see(std::span<const Entry>(hypothesis_.get(), hypothesis_size_), std::span<const Entry>(references_.get(), kept));
    for (std::size_t order = 1;; ++order) {
      matches[order - 1] = static_cast<double>(matched_);
      // Without a match no longer n-gram can match either.
      if (matched_ == 0 || order == matches.size()) return;
      extend_order(stop);
    }
  }

 private:
  // The same for a short hypothesis and one reference; false if this is none.
  bool count_few([[maybe_unused]] std::span<const Token> hypothesis, [[maybe_unused]] std::span<const Token> reference,
                 [[maybe_unused]] std::span<double> matches) {
#if defined(__SSE2__)
    // A long reference must answer a request to stop, which the other way does.
    if (matches.size() > PositionSets::kMostOrders || reference.size() > 0xFFFF) return false;
    if (!positions_.reset(hypothesis)) return false;
    std::uint64_t* where = where_.room(reference.size() + PositionSets::kMostOrders);
    std::uint64_t* next = where;
    for (const Token& token : reference) *next++ = positions_.find(token);
    std::fill_n(next, PositionSets::kMostOrders, 0);
    PositionSets::count(where, reference.size(), matches);
    return true;
#else
    return false;
#endif
  }

  void intern_tokens(std::span<const Token> hypothesis,
                     std::span<const std::span<const Token>> references, const StopFlag& stop) {
    std::size_t most = 0;
    for (const std::span<const Token> reference : references) most += reference.size();
    if (most > UINT32_MAX || hypothesis.size() > UINT32_MAX) {
      throw std::length_error("a segment has more than 4,294,967,295 tokens");
    }
    const auto length = static_cast<std::uint32_t>(hypothesis.size());
    tokens_.reset(hypothesis);
    Count* counts = start_counting(length);
    hypothesis_size_ = length;
    Entry* entries = hypothesis_.room(length);
    for (std::uint32_t i = 0; i < length; ++i) {
      pause(i, stop);
      const std::uint32_t id = tokens_.insert(i);
      entries[i] = {i, id};
      ++counts[id].have;
    }

    Entry* kept = references_.room(most + 1);
    Entry* next = kept;
    reference_count_ = references.size();
    std::size_t* ends = ends_.room(reference_count_);
    std::uint32_t start = 0;
    for (std::size_t k = 0; k < reference_count_; ++k) {
      for (const Token& token : references[k]) {
        pause(start, stop);
        const std::uint32_t id = tokens_.lookup(token);
        *next = {start++, id};
        next += id != kNoId;
      }
      ends[k] = static_cast<std::size_t>(next - kept);
    }
    count_references(stop);
  }

  struct Count {
    std::uint32_t have;  // in the hypothesis
    std::uint32_t most;  // in the reference that has the n-gram most often
  };

  // Zero counts for ids below `limit`.
  Count* start_counting(std::size_t limit) {
    limit_ = limit;
    return counts_.zeros(limit);
  }

  // Sets Count::most and matched_.
  void count_references(const StopFlag& stop) {
    matched_ = 0;
    const Entry* entries = references_.get();
    Count* counts = counts_.get();
    if (reference_count_ == 1) {
      for (std::size_t j = 0; j < ends_.get()[0]; ++j) {
        pause(j, stop);
        Count& count = counts[entries[j].id];
        matched_ += ++count.most <= count.have;
      }
    } else {
      std::uint32_t* seen = one_reference_.zeros(limit_);
      std::size_t begin = 0;
      for (std::size_t k = 0; k < reference_count_; ++k) {
        const std::size_t end = ends_.get()[k];
        for (std::size_t j = begin; j < end; ++j) {
          pause(j, stop);
          const std::uint32_t id = entries[j].id;
          const bool more = ++seen[id] > counts[id].most;
          counts[id].most += more;
          matched_ += more & (seen[id] <= counts[id].have);
        }
        for (std::size_t j = begin; j < end; ++j) seen[entries[j].id] = 0;
        begin = end;
      }
    }
    if (!clip_) {
      matched_ = 0;
      for (std::size_t id = 0; id < limit_; ++id) matched_ += counts[id].most > 0 ? counts[id].have : 0;
    }
  }

  // From n-grams to (n + 1)-grams: two n-grams that start at neighbouring tokens, if both matched.
  void extend_order(const StopFlag& stop) {
    Entry* entries = hypothesis_.get();
    const std::size_t kept = pair_neighbours(entries, hypothesis_size_, stop);
    pairs_.reset(limit_, kept);
    const std::uint32_t* seconds = seconds_.get();
    for (std::size_t k = 0; k < kept; ++k) {
      pause(k, stop);
      entries[k].id = pairs_.insert(entries[k].id, seconds[k]);
    }
    hypothesis_size_ = kept;

    Entry* const first = references_.get();
    Entry* next = first;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < reference_count_; ++k) {
      Entry* some = first + begin;
      std::size_t& end = ends_.get()[k];
      const std::size_t paired = pair_neighbours(some, end - begin, stop);
      seconds = seconds_.get();
      for (std::size_t j = 0; j < paired; ++j) {
        pause(j, stop);
        const std::uint32_t id = pairs_.lookup(some[j].id, seconds[j]);
        *next = {some[j].start, id};
        next += id != kNoId;
      }
      begin = end;
      end = static_cast<std::size_t>(next - first);
    }

    Count* counts = start_counting(pairs_.size());
    for (std::size_t k = 0; k < kept; ++k) ++counts[entries[k].id].have;
    count_references(stop);
  }

  // Moves the entries that have a matching neighbour to the front, the ids of those neighbours to
  // seconds_, and returns how many there are.
  std::size_t pair_neighbours(Entry* entries, std::size_t size, const StopFlag& stop) {
    std::uint32_t* seconds = seconds_.room(size);
    const Count* counts = counts_.get();
    std::size_t kept = 0;
    if (size == 0) return kept;
    Entry first = entries[0];
    bool first_matches = counts[first.id].most > 0;
    for (std::size_t i = 1; i < size; ++i) {
      pause(i, stop);
      const Entry second = entries[i];
      const bool second_matches = counts[second.id].most > 0;
      entries[kept] = first;
      seconds[kept] = second.id;
      kept += first_matches & second_matches & (second.start == first.start + 1);
      first = second;
      first_matches = second_matches;
    }
    return kept;
  }

#if defined(__SSE2__)
  TokenPositions positions_;
  Workspace<std::uint64_t> where_;
#endif
  TokenTable tokens_;
  PairTable pairs_;
  Workspace<Entry> hypothesis_;
  std::size_t hypothesis_size_ = 0;
  Workspace<Entry> references_;
  Workspace<std::size_t> ends_;  // of each reference's entries
  std::size_t reference_count_ = 0;
  Workspace<std::uint32_t> seconds_;
  // By id; all ids are below limit_.
  std::size_t limit_ = 0;
  Workspace<Count> counts_;
  Workspace<std::uint32_t> one_reference_;  // of the reference at hand
  std::uint64_t matched_ = 0;
  bool clip_ = true;
};

}  // namespace cocarde
