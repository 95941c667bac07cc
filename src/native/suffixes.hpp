// N-grams of all orders that two sequences have in common, by merging their sorted suffixes; where one
// short sequence is compared, by sets of its positions (see positions.hpp).
//
// Of each position a sequence has a key: the items that follow, up to the highest order, packed with the
// first in the highest bits. Sorted, equal n-grams of every order stand next to each other, so one pass
// over the keys of two sequences counts all orders at once, each in a lane of its own. Two sequences are
// sorted together; of several each is sorted once, and merged with those it is compared with.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "ngrams.hpp"
#include "parallel.hpp"
#include "positions.hpp"
#include "tokens.hpp"

namespace cocarde {

// One number for each of several orders.
template <class Number, std::size_t kSize>
struct NumberLanes {
  static constexpr std::size_t size = kSize;
  std::array<Number, kSize> numbers{};

  // Below `n` ones, above zeros.
  static NumberLanes ones_below(std::size_t n) {
    NumberLanes lanes;
    for (std::size_t k = 0; k < kSize; ++k) lanes.numbers[k] = k < n ? 1 : 0;
    return lanes;
  }
  // Below `n` all bits.
  static NumberLanes bits_below(std::size_t n) {
    NumberLanes lanes;
    for (std::size_t k = 0; k < kSize; ++k) lanes.numbers[k] = k < n ? Number{-1} : Number{0};
    return lanes;
  }
  void add(const NumberLanes& other) {
    for (std::size_t k = 0; k < kSize; ++k) numbers[k] = static_cast<Number>(numbers[k] + other.numbers[k]);
  }
  void keep(const NumberLanes& bits) {
    for (std::size_t k = 0; k < kSize; ++k) numbers[k] = static_cast<Number>(numbers[k] & bits.numbers[k]);
  }
  void drop(const NumberLanes& bits) {
    for (std::size_t k = 0; k < kSize; ++k) numbers[k] = static_cast<Number>(numbers[k] & ~bits.numbers[k]);
  }
  static NumberLanes least(const NumberLanes& a, const NumberLanes& b) {
    NumberLanes lanes;
    for (std::size_t k = 0; k < kSize; ++k) lanes.numbers[k] = std::min(a.numbers[k], b.numbers[k]);
    return lanes;
  }
  void store(double* out, std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<double>(numbers[k]);
  }
};

using LongLanes = NumberLanes<std::int32_t, 16>;

#if defined(__SSE2__)
// The same as NumberLanes<std::int16_t, 8> in one register.
struct ShortLanes {
  static constexpr std::size_t size = 8;
  __m128i numbers = _mm_setzero_si128();

  static ShortLanes of(const NumberLanes<std::int16_t, 8>& lanes) {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes.numbers.data()))};
  }
  static ShortLanes ones_below(std::size_t n) { return of(NumberLanes<std::int16_t, 8>::ones_below(n)); }
  static ShortLanes bits_below(std::size_t n) { return of(NumberLanes<std::int16_t, 8>::bits_below(n)); }
  void add(const ShortLanes& other) { numbers = _mm_add_epi16(numbers, other.numbers); }
  void keep(const ShortLanes& bits) { numbers = _mm_and_si128(numbers, bits.numbers); }
  void drop(const ShortLanes& bits) { numbers = _mm_andnot_si128(bits.numbers, numbers); }
  static ShortLanes least(const ShortLanes& a, const ShortLanes& b) { return {_mm_min_epi16(a.numbers, b.numbers)}; }
  void store(double* out, std::size_t n) const {
    NumberLanes<std::int16_t, 8> lanes;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(lanes.numbers.data()), numbers);
    lanes.store(out, n);
  }
};
#else
using ShortLanes = NumberLanes<std::int16_t, 8>;
#endif

// How items become keys: `order` items of so many bits, then zeros, then in the lowest bits how many
// items there are from here to the end of the sequence, at most `order`, and on which side it is.
struct SuffixPacking {
  static constexpr std::size_t kEndBits = 5;
  static constexpr std::uint64_t kEndMask = (1 << kEndBits) - 1;
  // No length is 0 and none has all its bits set: no key is the smallest or the largest number there is.
  static constexpr std::size_t kHighestOrder = kEndMask / 2 - 1;

  static constexpr std::uint64_t end(std::size_t length, bool second) { return 2 * length + second; }

  std::size_t order = 0;
  std::size_t bits = 0;

  SuffixPacking() = default;
  explicit SuffixPacking(std::size_t highest) : order(highest), bits((64 - kEndBits) / highest) {}

  // Whether there is room for items below `alphabet`.
  bool fits(std::size_t alphabet) const {
    return order <= kHighestOrder && static_cast<std::size_t>(std::bit_width(alphabet)) <= bits;
  }
};

// Sequences of items, each a number below a common limit.
class Suffixes {
 public:
  // Room for the next sequence, of at most so many items.
  std::uint32_t* room(std::size_t most) {
    if (items_.size() < begin_ + most) items_.resize(std::max(2 * items_.size(), begin_ + most));
    return items_.data() + begin_;
  }
  // The next sequence has so many items.
  void end_sequence(std::size_t size) {
    if (size > INT32_MAX) throw std::length_error("a segment has more than 2,147,483,647 characters");
    begin_ += size;
    ends_.push_back(begin_);
  }
  void clear() {
    begin_ = 0;
    ends_.clear();
  }
  std::size_t size(std::size_t sequence) const { return ends_[sequence] - start(sequence); }
  // Of values that belong to all items, those of one sequence.
  template <class Value>
  std::span<Value> sequence(std::size_t s, std::span<Value> values) const {
    return values.subspan(start(s), size(s));
  }
  // All items of all sequences; they may be changed before `sort`.
  std::span<std::uint32_t> items() { return {items_.data(), begin_}; }

  // Memory of a calling thread.
  struct Scratch {
    Workspace<std::uint64_t> merged;
    Workspace<std::uint64_t> positions;  // by item
    Workspace<std::uint64_t> where;
    NgramMatcher matcher;
  };

  // To be called after the last sequence. The first `left` will be compared with the others, by their
  // n-grams of up to `order` items.
  void sort(std::size_t order, std::size_t alphabet, std::size_t left, const StopFlag& stop) {
    order_ = order;
    left_ = left;
    alphabet_ = alphabet;
    few_ = left == 1 && !ends_.empty() && size(0) <= PositionSets::kMostPositions &&
           order <= PositionSets::kMostOrders && alphabet <= kSmallAlphabet;
    if (few_) return;
    set_packing(SuffixPacking(order));
    if (!packing_.fits(alphabet)) alphabet = renumber(alphabet);
    packed_ = packing_.fits(alphabet);
    if (!packed_) {
      tokens_.clear();
      for (const std::uint32_t item : items()) tokens_.push_back(make_token(static_cast<std::int64_t>(item)));
      return;
    }
    together_ = ends_.size() == 2 && left == 1;
    const std::size_t step = together_ ? 2 : 1;
    // Before each list stands a key smaller than all, behind it one larger than all.
    std::uint64_t* next = keys_.room(begin_ + 2 * ends_.size());
    for (std::size_t s = 0; s < ends_.size(); s += step) {
      const std::size_t n = ends_[s + step - 1] - start(s);
      if ((s & 0xFF) == 0xFF || n > 0xFFFF) stop.check();  // a look at the clock, each time
      *next++ = 0;
      sort_sequences(s, s + step, alphabet, next, stop);
      next += n;
      *next++ = UINT64_MAX;
    }
  }

  // matches[n - 1]: how many n-grams sequences a and b have in common, for n up to the order of `sort`.
  void count(std::size_t a, std::size_t b, double* matches, Scratch& scratch, const StopFlag& stop) const {
    if (few_) return count_positions(a, b, matches, scratch, stop);
    if (!packed_) {
      const std::span<const Token> all(tokens_);
      const std::span<const Token> second = all.subspan(start(b), size(b));
      scratch.matcher.count(all.subspan(start(a), size(a)), {&second, 1}, true, {matches, order_}, stop);
      return;
    }
    const std::size_t n = size(a) + size(b);
    const std::uint64_t* both = keys_.get() + 1;
    if (!together_) {
      std::uint64_t* const merged = scratch.merged.room(n);
      merge(keys(a), size(a), keys(b), size(b), merged);
      both = merged;
    }
    // Numbers of 16 bits, one of them for the sign.
    if (order_ <= ShortLanes::size && n <= INT16_MAX) {
      scan(short_, both, n, matches, stop);
    } else {
      scan(long_, both, n, matches, stop);
    }
  }

 private:
  // Up to so many different items, it costs little to go through all of them.
  static constexpr std::size_t kSmallAlphabet = 512;
  // From so many items on, insertion may take long.
  static constexpr std::size_t kShortSequence = 512;
  // So few items seldom share their first two.
  static constexpr std::size_t kBriefSequence = 128;

  template <class Lanes>
  struct Tables {
    // By the number of leading bits that two keys share: all bits in the orders in which they are the same.
    std::array<Lanes, 65> same;
    // By the end of a key: ones in the orders of the n-grams that begin there, if they do on that side.
    std::array<Lanes, SuffixPacking::kEndMask + 1> left;
    std::array<Lanes, SuffixPacking::kEndMask + 1> right;
  };

  std::size_t start(std::size_t sequence) const { return sequence == 0 ? 0 : ends_[sequence - 1]; }
  const std::uint64_t* keys(std::size_t sequence) const { return keys_.get() + start(sequence) + 2 * sequence + 1; }

  // Numbers the items that there are, and returns how many.
  std::uint32_t renumber(std::size_t alphabet) {
    std::uint32_t* numbers = places_.zeros(alphabet);
    std::uint32_t distinct = 0;
    for (std::uint32_t& item : items()) {
      if (numbers[item] == 0) numbers[item] = ++distinct;
      item = numbers[item] - 1;
    }
    return distinct;
  }

  void set_packing(const SuffixPacking& packing) {
    if (packing.order == packing_.order) return;
    packing_ = packing;
    if (packing.order > SuffixPacking::kHighestOrder) return;
    if (packing.order <= ShortLanes::size) fill(short_);
    fill(long_);
  }

  template <class Lanes>
  void fill(Tables<Lanes>& tables) const {
    for (std::size_t n = 0; n <= 64; ++n) tables.same[n] = Lanes::bits_below(n / packing_.bits);
    for (std::size_t n = 0; n <= SuffixPacking::kHighestOrder; ++n) {
      tables.left[SuffixPacking::end(n, false)] = Lanes::ones_below(n);
      tables.left[SuffixPacking::end(n, true)] = Lanes();
      tables.right[SuffixPacking::end(n, false)] = Lanes();
      tables.right[SuffixPacking::end(n, true)] = Lanes::ones_below(n);
    }
  }

  // Sorts the keys of sequences [first, last) together.
  void sort_sequences(std::size_t first, std::size_t last, std::size_t alphabet, std::uint64_t* sorted,
                      const StopFlag& stop) {
    const std::size_t n = ends_[last - 1] - start(first);
    const std::size_t bits = packing_.bits;
    const std::size_t order = packing_.order;
    const bool radix = alphabet <= 2 * n + 64;
    const std::size_t depth = n > kShortSequence ? order : std::min<std::size_t>(order, n > kBriefSequence ? 3 : 2);
    std::uint64_t* from = radix && depth % 2 == 1 ? other_.room(n) : sorted;
    std::uint64_t* to = from == sorted ? other_.room(n) : sorted;
    std::uint64_t* next = from;
    // An alphabet may be far larger than a text: then no work may depend on it.
    std::uint32_t* const places = radix ? places_.zeros(alphabet + 1) : nullptr;
    for (std::size_t s = first; s < last; ++s) {
      const std::span<const std::uint32_t> items(items_.data() + start(s), size(s));
      next = radix ? pack<true>(items, s >= left_, next, places) : pack<false>(items, s >= left_, next, places);
    }
    if (!radix) {
      std::sort(from, from + n);
      return;
    }
    // From now on, places[item] is where the keys that begin with it begin.
    std::uint32_t before = 0;
    for (std::size_t item = 0; item <= alphabet; ++item) {
      const std::uint32_t count = places[item];
      places[item] = before;
      before += count;
    }
    std::uint32_t* fronts = fronts_.room(alphabet);
    std::uint32_t* backs = backs_.room(alphabet);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const std::size_t half = n / 2;
    for (std::size_t k = depth; k-- > 0;) {
      if (n > 0xFFFF) stop.check();
      std::copy_n(places, alphabet, fronts);
      std::copy_n(places + 1, alphabet, backs);
      const std::size_t shift = 64 - (k + 1) * bits;
      // From both ends: what happens on one does not wait for the other.
      for (std::size_t i = 0; i < half; ++i) {
        const std::uint64_t low = from[i];
        to[fronts[(low >> shift) & mask]++] = low;
        const std::uint64_t high = from[n - 1 - i];
        to[--backs[(high >> shift) & mask]] = high;
      }
      if (n % 2 == 1) to[fronts[(from[half] >> shift) & mask]] = from[half];
      std::swap(from, to);
    }
    if (depth == order) return;
    // Few share their first items.
    for (std::size_t i = 1; i < n; ++i) {
      const std::uint64_t key = sorted[i];
      std::size_t k = i;
      for (; k > 0 && sorted[k - 1] > key; --k) sorted[k] = sorted[k - 1];
      sorted[k] = key;
    }
  }

  // Writes the keys of a sequence and returns their end. Behind its last item it goes on with its first: the
  // items are then the same at every depth, and with them the places at which a radix sort puts them.
  // N-grams that reach over the end are not counted. With kCounts, adds to
  // places[item] how often the item is there.
  template <bool kCounts>
  std::uint64_t* pack(std::span<const std::uint32_t> items, bool second, std::uint64_t* keys,
                      std::uint32_t* places) const {
    const std::size_t n = items.size();
    const std::size_t order = packing_.order;
    const std::size_t bits = packing_.bits;
    if (n == 0) return keys;
    std::uint64_t window = 0;
    std::size_t ahead = 0;
    const auto advance = [&] {
      window = (window << bits) | items[ahead];
      ahead = ahead + 1 == n ? 0 : ahead + 1;
    };
    for (std::size_t k = 1; k < order; ++k) advance();
    const std::size_t unused = 64 - order * bits;
    // Written backwards, keys of the same items stand by their ends, and a stable sort leaves them so.
    std::uint64_t* key = keys + n;
    std::size_t i = 0;
    if (n >= order) {
      for (const std::uint64_t end = SuffixPacking::end(order, second); ahead < n; ++ahead, ++i) {
        window = (window << bits) | items[ahead];
        *--key = (window << unused) | end;
        if constexpr (kCounts) ++places[items[i]];
      }
      ahead = 0;
    }
    for (; i < n; ++i) {
      advance();
      *--key = (window << unused) | SuffixPacking::end(n - i, second);
      if constexpr (kCounts) ++places[items[i]];
    }
    return keys + n;
  }

  // The same where no sequence is sorted, since the first has few items.
  void count_positions(std::size_t a, std::size_t b, double* matches, Scratch& scratch, const StopFlag& stop) const {
    if (size(b) > 0xFFFF) stop.check();
    std::uint64_t* const positions = scratch.positions.zeros(alphabet_);
    const std::uint32_t* const left = items_.data() + start(a);
    for (std::size_t i = 0; i < size(a); ++i) positions[left[i]] |= std::uint64_t{1} << i;
    const std::uint32_t* const right = items_.data() + start(b);
    const std::size_t n = size(b);
    std::uint64_t* const where = scratch.where.room(n + PositionSets::kMostOrders);
    for (std::size_t j = 0; j < n; ++j) where[j] = positions[right[j]];
    std::fill_n(where + n, PositionSets::kMostOrders, 0);
    PositionSets::count(where, n, {matches, order_});
  }

  // Merges two lists from both ends: what comes next on one end does not wait for the other.
  static void merge(const std::uint64_t* a, std::size_t a_size, const std::uint64_t* b, std::size_t b_size,
                    std::uint64_t* out) {
    const std::uint64_t* a_back = a + a_size - 1;
    const std::uint64_t* b_back = b + b_size - 1;
    std::uint64_t* back = out + a_size + b_size;
    const std::size_t half = (a_size + b_size) / 2;
    // Keys of two sides are never equal.
    for (std::size_t k = 0; k < half; ++k) {
      const std::uint64_t low_a = *a;
      const std::uint64_t low_b = *b;
      *out++ = std::min(low_a, low_b);
      a += low_a < low_b;
      b += low_a > low_b;
      const std::uint64_t high_a = *a_back;
      const std::uint64_t high_b = *b_back;
      *--back = std::max(high_a, high_b);
      a_back -= high_a > high_b;
      b_back -= high_a < high_b;
    }
    if (out != back) *out = std::min(*a, *b);
  }

  template <class Lanes>
  void scan(const Tables<Lanes>& tables, const std::uint64_t* keys, std::size_t size, double* matches,
            const StopFlag& stop) const {
    Lanes matched;
    Lanes left;
    Lanes right;
    std::uint64_t previous = 0;
    while (size > 0) {
      const std::size_t some = std::min<std::size_t>(size, 0x10000);
      size -= some;
      for (std::size_t i = 0; i < some; ++i) {
        const std::uint64_t key = *keys++;
        const Lanes& same = tables.same[static_cast<std::size_t>(std::countl_zero(key ^ previous))];
        previous = key;
        // Where the n-gram is another one, that before it is complete.
        Lanes complete = Lanes::least(left, right);
        complete.drop(same);
        matched.add(complete);
        left.keep(same);
        right.keep(same);
        left.add(tables.left[key & SuffixPacking::kEndMask]);
        right.add(tables.right[key & SuffixPacking::kEndMask]);
      }
      if (size > 0) stop.check();
    }
    matched.add(Lanes::least(left, right));
    matched.store(matches, order_);
  }

  std::size_t order_ = 1;
  std::size_t left_ = 0;
  std::size_t alphabet_ = 0;
  bool few_ = false;  // whether sets of positions do, and nothing is sorted
  bool together_ = false;
  std::vector<std::uint32_t> items_;
  std::size_t begin_ = 0;  // of the next sequence
  std::vector<std::size_t> ends_;
  bool packed_ = true;
  SuffixPacking packing_;
  Tables<ShortLanes> short_;
  Tables<LongLanes> long_;
  Workspace<std::uint64_t> keys_;
  std::vector<Token, UninitialisedAllocator<Token>> tokens_;  // where keys do not fit
  Workspace<std::uint64_t> other_;
  Workspace<std::uint32_t> places_;
  Workspace<std::uint32_t> fronts_;
  Workspace<std::uint32_t> backs_;
};

}  // namespace cocarde
