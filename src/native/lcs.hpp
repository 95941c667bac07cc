// Longest common subsequences of sequences of ids, 64 cells of the table at a time.
//
// A column of the classic table never falls and rises by at most one from cell to cell, so that it is
// a set of bits: where it rises. Adding the next token of the other sequence is a handful of operations
// on whole words (Allison and Dix, 1986; Hyyrö, 2004). A word of `still` has a 1 where the column does
// not rise.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ngrams.hpp"
#include "parallel.hpp"

namespace cocarde {

// One more token of the other sequence, which stands in these places.
inline std::uint64_t lcs_step(std::uint64_t still, std::uint64_t match) {
  const std::uint64_t hit = still & match;
  return (still + hit) | (still - hit);
}

// The same for one of several words.
inline std::uint64_t lcs_step(std::uint64_t still, std::uint64_t match, std::uint64_t& carry) {
  const std::uint64_t hit = still & match;
  std::uint64_t sum = still + hit;
  const std::uint64_t carried = sum < still;
  sum += carry;
  carry = carried | (sum < carry);
  return sum | (still - hit);
}

// Where each id stands in a sequence: for each id, the words of the bit set that hold it. Short
// sequences have whole sets; of long ones only the words with a bit are kept, so that memory is linear
// in the sequence, whatever the number of distinct ids.
class IdPositions {
 public:
  struct Part {
    std::uint32_t word;
    std::uint64_t bits;
  };

  // Ids are below `limit`, or kNoId, which stands nowhere.
  void assign(std::span<const std::uint32_t> ids, std::size_t limit, const StopFlag& stop) {
    words_ = (ids.size() + 63) / 64;
    if (words_ <= 1) {
      std::uint64_t* masks = masks_.zeros(limit);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] != kNoId) masks[ids[i]] |= std::uint64_t{1} << i;
      }
      return;
    }
    dense_ = words_ <= kDenseWords;
    if (dense_) {
      std::uint32_t* ranks = begins_.zeros(limit);  // of distinct ids, from 1 on
      std::uint32_t distinct = 0;
      for (const std::uint32_t id : ids) {
        if (id != kNoId && ranks[id] == 0) ranks[id] = ++distinct;
      }
      std::uint64_t* masks = masks_.zeros((distinct + 1) * words_);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] != kNoId) masks[ranks[ids[i]] * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
      }
      return;
    }
    // Positions are appended to the last part of their id while they fall into its word; parts are
    // laid out by a counting sort over ids.
    std::uint32_t* begins = begins_.zeros(limit + 2);
    std::uint32_t* last = last_.zeros(limit);  // last word seen of the id, plus 1
    for (std::size_t i = 0; i < ids.size(); ++i) {
      pause(i, stop);
      if (ids[i] == kNoId) continue;
      const auto word = static_cast<std::uint32_t>(i / 64) + 1;
      begins[ids[i] + 2] += last[ids[i]] != word;
      last[ids[i]] = word;
    }
    for (std::size_t id = 2; id <= limit + 1; ++id) begins[id] += begins[id - 1];
    Part* parts = parts_.room(std::max<std::size_t>(1, begins[limit + 1]));
    std::fill(last, last + limit, 0);
    // begins[id + 1] is where the next part of the id goes; at the end, where the parts of id + 1 begin.
    for (std::size_t i = 0; i < ids.size(); ++i) {
      pause(i, stop);
      const std::uint32_t id = ids[i];
      if (id == kNoId) continue;
      const auto word = static_cast<std::uint32_t>(i / 64);
      const std::uint64_t bit = std::uint64_t{1} << (i % 64);
      if (last[id] == word + 1) {
        parts[begins[id + 1] - 1].bits |= bit;
      } else {
        parts[begins[id + 1]++] = {word, bit};
        last[id] = word + 1;
      }
    }
  }

  std::size_t words() const { return words_; }
  // Only where there is at most one word.
  std::uint64_t mask(std::uint32_t id) const { return id == kNoId ? 0 : masks_.get()[id]; }
  // The next column of the table.
  void step(std::uint64_t* still, std::uint32_t id) const {
    if (dense_) {
      const std::uint64_t* match = dense(id);
      std::uint64_t carry = 0;
      for (std::size_t word = 0; word < words_; ++word) still[word] = lcs_step(still[word], match[word], carry);
      return;
    }
    // Words without a match stay as they are unless a carry comes in, so that a rare token costs little
    // however long the sequence is.
    const std::span<const Part> match = parts(id);
    std::size_t next = 0;
    while (next < match.size()) {
      std::size_t word = match[next].word;
      std::uint64_t carry = 0;
      do {
        const bool here = next < match.size() && match[next].word == word;
        still[word] = lcs_step(still[word], here ? match[next].bits : 0, carry);
        next += here;
        ++word;
      } while (carry != 0 && word < words_);
    }
  }
  std::uint64_t bits(std::uint32_t id, std::size_t word) const {
    if (dense_) return dense(id)[word];
    const std::span<const Part> all = parts(id);
    const auto found = std::lower_bound(all.begin(), all.end(), word,
                                        [](const Part& part, std::size_t wanted) { return part.word < wanted; });
    return found != all.end() && found->word == word ? found->bits : 0;
  }

 private:
  // 2,048 tokens.
  static constexpr std::size_t kDenseWords = 32;

  const std::uint64_t* dense(std::uint32_t id) const {
    return masks_.get() + (id == kNoId ? 0 : begins_.get()[id]) * words_;
  }
  // Ascending by word.
  std::span<const Part> parts(std::uint32_t id) const {
    if (id == kNoId) return {};
    const std::uint32_t* begins = begins_.get();
    return {parts_.get() + begins[id], begins[id + 1] - begins[id]};
  }

  std::size_t words_ = 0;
  bool dense_ = true;
  Workspace<std::uint64_t> masks_;
  Workspace<std::uint32_t> begins_;
  Workspace<std::uint32_t> last_;
  Workspace<Part> parts_;
};

// One worker's longest common subsequences.
class LcsMatcher {
 public:
  // Length of the longest common subsequence; ids are below `limit`, or kNoId, which equals nothing.
  // Time |a| |b| / 64, memory |a| + |b|.
  std::size_t length(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::size_t limit,
                     const StopFlag& stop) {
    if (a.size() > b.size()) std::swap(a, b);
    if (a.empty()) return 0;
    pace_.step(b.size() + limit / 64 + 1, stop);
    positions_.assign(a, limit, stop);
    if (positions_.words() == 1) {
      std::uint64_t still = ~std::uint64_t{0};
      for (const std::uint32_t id : b) still = lcs_step(still, positions_.mask(id));
      return static_cast<std::size_t>(std::popcount(~still));
    }
    std::uint64_t* still = still_.room(positions_.words());
    std::fill(still, still + positions_.words(), ~std::uint64_t{0});
    for (std::size_t j = 0; j < b.size(); ++j) {
      pause_column(j, stop);
      positions_.step(still, b[j]);
    }
    std::size_t length = 0;
    for (std::size_t w = 0; w < positions_.words(); ++w) length += static_cast<std::size_t>(std::popcount(~still[w]));
    return length;
  }

  // The sequence against which `trace` then works. None of its tokens is taken.
  void set_rows(std::span<const std::uint32_t> rows, std::size_t limit, const StopFlag& stop) {
    pace_.step(limit / 64 + 1, stop);
    positions_.assign(rows, limit, stop);
    taken_.zeros(positions_.words());
  }

  // Takes the tokens of `rows` in one longest common subsequence with `columns`. Among several it is the
  // one that walks back from the last cell thus: equal tokens are taken; else, where the cell to the left
  // holds more than the cell above, a column back; else a row back.
  void trace(std::span<const std::uint32_t> columns, const StopFlag& stop) {
    const std::size_t words = positions_.words();
    pace_.step(columns.size() + 1, stop);
    if (words == 0 || columns.empty()) return;
    if (words == 1) {
      *taken_.get() |= trace_word(columns);
    } else {
      trace_words(columns, stop);
    }
  }

  // Calls body(row) for each token of `rows` that was taken, from the first to the last.
  template <class Body>
  void each_taken(Body&& body) const {
    for (std::size_t word = 0; word < positions_.words(); ++word) {
      for (std::uint64_t bits = taken_.get()[word]; bits != 0; bits &= bits - 1) {
        body(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }

 private:
  // A column of a sequence of millions of tokens takes a tenth of a millisecond.
  static void pause_column(std::size_t column, const StopFlag& stop) {
    if ((column & 0x3F) == 0x3F) stop.check();
  }

  std::uint64_t trace_word(std::span<const std::uint32_t> columns) {
    std::uint64_t* kept = kept_.room(2 * columns.size());
    std::uint64_t still = ~std::uint64_t{0};
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const std::uint64_t match = positions_.mask(columns[j]);
      still = lcs_step(still, match);
      kept[2 * j] = match;
      kept[2 * j + 1] = still;
    }
    std::uint64_t taken = 0;
    if (still == ~std::uint64_t{0}) return taken;
    std::uint64_t below = ~std::uint64_t{0};  // rows not yet walked
    for (std::size_t j = columns.size(); j-- > 0;) {
      const std::uint64_t match = kept[2 * j];
      const std::uint64_t stops = (match | ~kept[2 * j + 1]) & below;
      if (stops == 0) break;
      // Whether there is a match cannot be predicted: no branch.
      const std::uint64_t bit = std::bit_floor(stops);
      taken |= match & bit;
      below = (bit - 1) | (bit & ~match);
    }
    return taken;
  }

  // Columns are kept in stretches: what would not fit is computed again from the state before its
  // stretch, which takes twice the time and the square root of the memory.
  void trace_words(std::span<const std::uint32_t> columns, const StopFlag& stop) {
    constexpr std::size_t kKeptWords = std::size_t{1} << 21;
    const std::size_t words = positions_.words();
    // As many states before stretches as columns in one, unless there is room for more of these.
    const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(columns.size())));
    const std::size_t stretch = std::max<std::size_t>({kKeptWords / words, root, 64});
    const std::size_t stretches = (columns.size() + stretch - 1) / stretch;
    std::uint64_t* starts = starts_.room(stretches * words);
    std::uint64_t* still = still_.room(words);
    std::fill(still, still + words, ~std::uint64_t{0});
    for (std::size_t s = 0; s < stretches; ++s) {
      stop.check();
      std::copy(still, still + words, starts + s * words);
      if (s + 1 == stretches) break;
      for (std::size_t j = s * stretch; j < (s + 1) * stretch; ++j) {
        pause_column(j, stop);
        positions_.step(still, columns[j]);
      }
    }
    std::uint64_t* kept = kept_.room(std::min(stretch, columns.size()) * words);
    std::uint64_t* taken = taken_.get();
    std::size_t word = words - 1;  // the row at hand is in this word, at or below the highest bit of `below`
    std::uint64_t below = ~std::uint64_t{0};
    for (std::size_t s = stretches; s-- > 0;) {
      stop.check();
      const std::size_t begin = s * stretch;
      const std::size_t end = std::min(columns.size(), begin + stretch);
      std::copy(starts + s * words, starts + (s + 1) * words, still);
      for (std::size_t j = begin; j < end; ++j) {
        pause_column(j, stop);
        positions_.step(still, columns[j]);
        std::copy(still, still + words, kept + (j - begin) * words);
      }
      for (std::size_t j = end; j-- > begin;) {
        const std::uint64_t* column = kept + (j - begin) * words;
        std::uint64_t match = positions_.bits(columns[j], word);
        std::uint64_t stops = (match | ~column[word]) & below;
        while (stops == 0) {
          if (word == 0) return;
          --word;
          below = ~std::uint64_t{0};
          match = positions_.bits(columns[j], word);
          stops = match | ~column[word];
        }
        const std::uint64_t bit = std::bit_floor(stops);
        taken[word] |= match & bit;
        below = (bit - 1) | (bit & ~match);  // 0 makes the next column go on in the word below
      }
    }
  }

  Pace pace_;  // there may be many short sequences instead of a long one
  IdPositions positions_;
  Workspace<std::uint64_t> still_;
  Workspace<std::uint64_t> kept_;
  Workspace<std::uint64_t> starts_;
  Workspace<std::uint64_t> taken_;
};

}  // namespace cocarde
