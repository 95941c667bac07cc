// Rows of TER (Snover et al., 2006): the edits of each segment, shifts of phrases among them.
//
// What is found is what Tercom finds, as sacreBLEU 2.6.0 has it: phrases are shifted greedily, one after
// the other, as long as that makes the edit distance smaller, and the edit distance looks at a band around
// the diagonal alone. The distance is computed bit-parallel, fifty columns of the band in one machine word
// (Myers, 1999; Hyyrö, 2003), which gives the same numbers as the table. The rules of torchmetrics and of
// the Java program itself are the same search with other limits: see TerRules.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "column.hpp"
#include "ngrams.hpp"
#include "parallel.hpp"

namespace cocarde {

// Tercom's limits, and sacreBLEU's on candidates.
inline constexpr std::size_t kLongestShift = 10;
inline constexpr std::size_t kFarthestShift = 50;
inline constexpr std::size_t kMostCandidates = 1000;
inline constexpr std::size_t kBeam = 25;
// Of the Java program: a way is given up where it costs so much more than the cheapest step.
inline constexpr std::size_t kTercomBeam = 20;

// Whose search it is; by default sacreBLEU's.
struct TerRules {
  // The Java program's: no limit on candidates, another beam, targets within a phrase, and distances of
  // shifts from the word that a word of the reference is aligned with.
  bool tercom = false;
  // The reference becomes the hypothesis, so that its phrases move; a hypothesis without words takes no
  // edits. Insertions and deletions keep their meaning.
  bool from_reference = false;
  std::size_t longest_shift = kLongestShift;

  // Fields of a row.
  enum Field : std::size_t {
    kEdits,
    kReferenceLength,
    kInsertions,
    kDeletions,
    kSubstitutions,
    kShifts,
    kHypothesisLength,
    kFields,
  };

  static constexpr std::size_t width() { return kFields; }
};

// One step of the way from the hypothesis to the reference.
enum class Edit : char { keep = ' ', substitute = 's', remove = 'd', insert = 'i' };

// `length` words from `start` on go before the word that stood at `target`.
struct Shift {
  std::uint32_t start = 0;
  std::uint32_t length = 0;
  std::uint32_t target = 0;
};

// What a shift does to the words: [first, middle) and [middle, last) change places.
struct Rotation {
  std::size_t first;
  std::size_t middle;
  std::size_t last;
};

inline Rotation rotation_of(const Shift& shift, std::size_t words) {
  const std::size_t end = std::size_t{shift.start} + shift.length;
  if (shift.target < shift.start) return {shift.target, shift.start, end};
  if (shift.target > end) return {shift.start, end, shift.target};
  // A target within the phrase: so many words behind the phrase go before it.
  return {shift.start, end, std::min<std::size_t>(words, std::size_t{shift.target} + shift.length)};
}

// The word at a place after a rotation.
inline std::uint32_t rotated(std::span<const std::uint32_t> words, const Rotation& by, std::size_t place) {
  const std::size_t moved = by.last - by.middle;
  return words[place < by.first + moved ? place + (by.middle - by.first) : place - moved];
}

// The columns of the table, 0 to the size of the reference, at which the edit distance looks, row by row.
class Band {
 public:
  Band(std::size_t hypothesis, std::size_t reference)
      : rows_(hypothesis),
        columns_(reference + 1),
        ratio_(hypothesis == 0 ? 1.0 : static_cast<double>(reference) / static_cast<double>(hypothesis)),
        width_(kBeam) {
    // Otherwise two rows that follow each other might have no column in common.
    if (static_cast<double>(kBeam) < ratio_ / 2) {
      width_ = static_cast<std::size_t>(std::ceil(ratio_ / 2 + static_cast<double>(kBeam)));
    }
  }
  double ratio() const { return ratio_; }
  std::size_t begin(std::size_t row) const {
    const std::size_t middle = diagonal(row);
    return row == 0 || middle < width_ ? 0 : middle - width_;
  }
  std::size_t end(std::size_t row) const {
    if (row == 0 || row == rows_) return columns_;
    return std::min(columns_, diagonal(row) + width_);
  }

 private:
  std::size_t diagonal(std::size_t row) const {
    return static_cast<std::size_t>(std::floor(static_cast<double>(row) * ratio_));
  }

  std::size_t rows_;
  std::size_t columns_;
  double ratio_;
  std::size_t width_;
};

// The words of a reference as ids, and where each of them stands.
class ReferenceWords {
 public:
  void read(std::span<const Token> reference, std::span<const Token> hypothesis, std::vector<std::uint32_t>& words) {
    if (std::max(reference.size(), hypothesis.size()) >= kNoId) {
      throw std::length_error("a segment has more than 4,294,967,294 tokens");
    }
    ids_.resize(reference.size());
    words.assign(hypothesis.size(), kNoId);
    if (!reference.empty()) {
      table_.reset(reference);
      for (std::size_t i = 0; i < ids_.size(); ++i) ids_[i] = table_.insert(static_cast<std::uint32_t>(i));
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = table_.lookup(hypothesis[i]);
    }
    // The places of each word, one word after the other.
    starts_.assign(ids_.size() + 1, 0);
    for (const std::uint32_t id : ids_) ++starts_[id + 1];
    for (std::size_t i = 0; i < ids_.size(); ++i) starts_[i + 1] += starts_[i];
    places_.resize(ids_.size());
    next_.assign(starts_.begin(), starts_.end());
    for (std::size_t i = 0; i < ids_.size(); ++i) places_[next_[ids_[i]]++] = static_cast<std::uint32_t>(i);
    stride_ = (ids_.size() + 64) / 64 + 1;
    dense_ = ids_.size() * stride_ <= kMostMasks;
    if (!dense_) return;
    masks_.assign(ids_.size() * stride_, 0);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      masks_[ids_[i] * stride_ + (i + 1) / 64] |= std::uint64_t{1} << ((i + 1) % 64);
    }
  }

  std::span<const std::uint32_t> ids() const { return ids_; }
  // Ascending.
  std::span<const std::uint32_t> places(std::uint32_t id) const {
    return std::span<const std::uint32_t>(places_).subspan(starts_[id], starts_[id + 1] - starts_[id]);
  }
  // The least number of edits that any order of these words leaves.
  std::size_t least_edits(std::span<const std::uint32_t> words) {
    next_.assign(starts_.begin(), starts_.end());
    std::size_t common = 0;
    for (const std::uint32_t id : words) {
      if (id != kNoId && next_[id] < starts_[id + 1]) {
        ++next_[id];
        ++common;
      }
    }
    return std::max(words.size(), ids_.size()) - common;
  }
  // Bit k: whether the word stands in column `column` + k, which is place column + k - 1.
  std::uint64_t matches(std::uint32_t id, std::size_t column) const {
    if (id == kNoId) return 0;
    if (dense_) {
      const std::uint64_t* const mask = masks_.data() + id * stride_ + column / 64;
      const std::size_t bit = column % 64;
      return bit == 0 ? mask[0] : (mask[0] >> bit) | (mask[1] << (64 - bit));
    }
    const std::span<const std::uint32_t> all = places(id);
    std::uint64_t found = 0;
    const auto least = static_cast<std::uint32_t>(column == 0 ? 0 : column - 1);
    for (auto place = std::lower_bound(all.begin(), all.end(), least); place != all.end(); ++place) {
      const std::size_t bit = *place + 1 - column;
      if (bit >= 64) break;
      found |= std::uint64_t{1} << bit;
    }
    return found;
  }

 private:
  static constexpr std::size_t kMostMasks = std::size_t{1} << 14;

  TokenTable table_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint64_t> masks_;
  std::size_t stride_ = 0;
  bool dense_ = false;
};

// The edit distance in the band, bit-parallel. Bit k of a row's words stands for column begin(row) + k:
// whether its number is one more (`up`) or one less (`down`) than that of the column before. What lies
// outside the band counts as infinite in the table; here it gets numbers that no cell of the band takes.
class BitDistance {
 public:
  static constexpr bool kTercom = false;
  // Rows that follow each other overlap by more than half up to here.
  static constexpr double kHighestRatio = 24;

  void reset(std::span<const std::uint32_t> words, const ReferenceWords& reference) {
    const std::size_t columns = reference.ids().size() + 1;
    const Band band(words.size(), columns - 1);
    shapes_.resize(words.size() + 1);
    rows_.resize(words.size() + 1);
    shapes_[0] = {};
    rows_[0] = {};
    rows_[0].up = ~std::uint64_t{0};
    std::size_t begin = 0;
    std::size_t end = columns;
    for (std::size_t i = 1; i <= words.size(); ++i) {
      Shape& shape = shapes_[i];
      const std::size_t next_begin = band.begin(i);
      const std::size_t next_end = band.end(i);
      shape.begin = next_begin;
      shape.shift = static_cast<std::uint32_t>(next_begin - begin);
      shape.stuck = shape.shift == 0;
      shape.outside = ~first_bits(end - next_begin);
      shape.behind = ~first_bits(end - next_begin + 1);
      // A word in the first column behind the band of the row above can still follow one in it.
      shape.allowed = first_bits(next_end - next_begin) & ~shape.behind & ~std::uint64_t{shape.stuck};
      shape.compared = first_bits(next_end - next_begin) & ~std::uint64_t{1};
      begin = next_begin;
      end = next_end;
    }
    last_column_ = columns - 1;
    rebuild(words, reference, 0, words.size());
  }

  // The rows from `first` on, of words that changed in [first, last).
  void rebuild(std::span<const std::uint32_t> words, const ReferenceWords& reference, std::size_t first,
               std::size_t last) {
    State state = rows_[first];
    for (std::size_t i = first; i < words.size(); ++i) {
      const Shape& shape = shapes_[i + 1];
      Row& row = rows_[i + 1];
      if (i < last) row.matches = reference.matches(words[i], shape.begin) & shape.allowed;
      const std::uint64_t diagonal = step(state, shape, row.matches);
      row.down_above = above_;
      row.diagonal = diagonal | shape.behind;
      static_cast<State&>(row) = state;
    }
    distance_ = total(state, words.size());
  }

  std::size_t distance() const { return distance_; }

  // The distance of the words after a rotation; perhaps another one above `most`.
  std::size_t distance_after(const Rotation& by, std::span<const std::uint32_t> words, const ReferenceWords& reference,
                             std::size_t /*most*/, std::size_t& steps) {
    State state = rows_[by.first];
    for (std::size_t i = by.first; i < by.last; ++i) {
      const Shape& shape = shapes_[i + 1];
      step(state, shape, reference.matches(rotated(words, by, i), shape.begin) & shape.allowed);
    }
    std::size_t i = by.last;
    for (; i < words.size(); ++i) {
      // Rows that are alike stay alike, and so does the difference of their numbers.
      const Row& row = rows_[i];
      if ((((state.up ^ row.up) | (state.down ^ row.down)) & shapes_[i].compared) == 0) {
        steps += i - by.first;
        return distance_ + state.number - row.number;
      }
      step(state, shapes_[i + 1], rows_[i + 1].matches);
    }
    steps += i - by.first;
    return total(state, words.size());
  }

  // Calls edit(kind, row, column) from the end to the beginning.
  template <class Visit>
  void trace(Visit&& visit) const {
    std::size_t i = rows_.size() - 1;
    std::size_t j = last_column_;
    while (i > 0) {
      const Row& row = rows_[i];
      const std::size_t bit = j - shapes_[i].begin;
      // Tercom's order of preference.
      if ((row.matches >> bit) & 1) {
        visit(Edit::keep, i--, j--);
      } else if (((row.diagonal >> bit) & 1) == 0) {
        visit(Edit::substitute, i--, j--);
      } else if ((row.down_above >> bit) & 1) {
        visit(Edit::remove, i--, j);
      } else {
        visit(Edit::insert, i, j--);
      }
    }
    while (j > 0) visit(Edit::insert, i, j--);
  }

 private:
  struct State {
    std::uint64_t up = 0;
    std::uint64_t down = 0;
    std::size_t number = 0;  // of the first column in the band
  };
  struct Row : State {
    std::uint64_t matches = 0;
    std::uint64_t diagonal = 0;    // whether the number is that of the row and column before
    std::uint64_t down_above = 0;  // `down` of the row above, in the columns of this one
  };
  struct Shape {
    std::size_t begin = 0;
    std::uint32_t shift = 0;     // of the band, against the row above
    bool stuck = false;          // whether there is none
    std::uint64_t outside = 0;   // columns that the row above does not have
    std::uint64_t behind = 0;    // the same without the first of them
    std::uint64_t allowed = 0;   // columns in which a match counts
    std::uint64_t compared = 0;  // columns whose bits tell of the band alone
  };

  static std::uint64_t first_bits(std::size_t count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  }

  std::uint64_t step(State& state, const Shape& shape, std::uint64_t matches) {
    std::uint64_t up = state.up;
    std::uint64_t down = state.down;
    for (std::uint32_t s = 1; s <= shape.shift; ++s) state.number += ((up >> s) & 1) - ((down >> s) & 1);
    up = (up >> shape.shift) | shape.outside;
    down = (down >> shape.shift) & ~shape.outside;
    // Where the band stands still nothing comes from its left: one more than the column itself.
    const std::uint64_t stuck = shape.stuck;
    up &= ~stuck;
    down |= stuck;
    above_ = down;
    const std::uint64_t diagonal = (((matches & up) + up) ^ up) | matches | down;
    const std::uint64_t more = down | ~(diagonal | up);
    const std::uint64_t less = up & diagonal;
    state.number += (more & 1) - (less & 1);
    const std::uint64_t shifted = (more << 1) | 1;
    state.down = shifted & diagonal;
    state.up = (less << 1) | ~(shifted | diagonal);
    return diagonal;
  }

  std::size_t total(const State& state, std::size_t row) const {
    if (row == 0) return last_column_;
    const std::uint64_t columns = first_bits(last_column_ - shapes_[row].begin + 1) & ~std::uint64_t{1};
    return state.number + static_cast<std::size_t>(std::popcount(state.up & columns)) -
           static_cast<std::size_t>(std::popcount(state.down & columns));
  }

  std::vector<Shape> shapes_;
  std::vector<Row> rows_;
  std::size_t last_column_ = 0;
  std::size_t distance_ = 0;
  std::uint64_t above_ = 0;
};

// The same by the table itself, for references so much longer than the hypothesis that the band of a row
// fits no machine word.
class TableDistance {
 public:
  static constexpr bool kTercom = false;

  void reset(std::span<const std::uint32_t> words, const ReferenceWords& reference) {
    const std::size_t columns = reference.ids().size() + 1;
    const Band band(words.size(), columns - 1);
    begins_.resize(words.size() + 1);
    rows_.resize(words.size() + 1);
    for (std::size_t i = 0; i <= words.size(); ++i) {
      begins_[i] = band.begin(i);
      rows_[i].resize(band.end(i) - begins_[i]);
    }
    for (std::size_t j = 0; j < columns; ++j) rows_[0][j] = j;
    ids_ = reference.ids();
    rebuild(words, reference, 0, words.size());
  }

  void rebuild(std::span<const std::uint32_t> words, const ReferenceWords&, std::size_t first, std::size_t) {
    for (std::size_t i = first; i < words.size(); ++i) fill(words[i], i + 1, rows_[i], rows_[i + 1]);
    words_ = words;
    distance_ = rows_.back().back();
  }

  std::size_t distance() const { return distance_; }

  std::size_t distance_after(const Rotation& by, std::span<const std::uint32_t> words, const ReferenceWords&,
                             std::size_t /*most*/, std::size_t& steps) {
    const Numbers* above = &rows_[by.first];
    for (std::size_t i = by.first; i < words.size(); ++i) {
      Numbers& row = scratch_[i % 2];
      row.resize(rows_[i + 1].size());
      fill(i < by.last ? rotated(words, by, i) : words[i], i + 1, *above, row);
      above = &row;
      steps += row.size();
    }
    return above->back();
  }

  template <class Visit>
  void trace(Visit&& visit) const {
    std::size_t i = rows_.size() - 1;
    std::size_t j = ids_.size();
    while (i > 0) {
      const std::size_t here = at(rows_[i], i, j);
      const bool same = j > 0 && words_[i - 1] == ids_[j - 1];
      if (j > 0 && at(rows_[i - 1], i - 1, j - 1) + !same == here) {
        visit(same ? Edit::keep : Edit::substitute, i--, j--);
      } else if (at(rows_[i - 1], i - 1, j) + 1 == here) {
        visit(Edit::remove, i--, j);
      } else {
        visit(Edit::insert, i, j--);
      }
    }
    while (j > 0) visit(Edit::insert, i, j--);
  }

 private:
  using Numbers = std::vector<std::size_t>;
  static constexpr std::size_t kInfinite = std::size_t{1} << 48;

  std::size_t at(const Numbers& row, std::size_t i, std::size_t j) const {
    return j < begins_[i] || j - begins_[i] >= row.size() ? kInfinite : row[j - begins_[i]];
  }

  void fill(std::uint32_t word, std::size_t i, const Numbers& above, Numbers& row) const {
    std::size_t left = kInfinite;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::size_t j = begins_[i] + k;
      std::size_t least = std::min(at(above, i - 1, j), left) + 1;
      if (j > 0) least = std::min(least, at(above, i - 1, j - 1) + (word != ids_[j - 1]));
      row[k] = left = least;
    }
  }

  std::span<const std::uint32_t> ids_;
  std::span<const std::uint32_t> words_;
  std::vector<std::size_t> begins_;
  std::vector<Numbers> rows_;
  std::array<Numbers, 2> scratch_;
  std::size_t distance_ = 0;
};

// The edit distance of the Java program. Of the cells of a row, it follows those that cost at most
// kTercomBeam more than the cheapest step from the row above to a word of both texts: kept or replaced.
// Most segments are so alike that this leaves out nothing, nor does the band; then the bits tell all.
class TercomDistance {
 public:
  static constexpr bool kTercom = true;

  void reset(std::span<const std::uint32_t> words, const ReferenceWords& reference) {
    ids_ = reference.ids();
    difference_ = std::max(words.size(), ids_.size()) - std::min(words.size(), ids_.size());
    foreign_ = static_cast<std::size_t>(std::count(words.begin(), words.end(), kNoId));
    narrow_ = difference_ < kBeam && Band(words.size(), ids_.size()).ratio() <= BitDistance::kHighestRatio;
    if (narrow_) bits_.reset(words, reference);
    filled_ = false;
    settle(words, 0);
  }

  void rebuild(std::span<const std::uint32_t> words, const ReferenceWords& reference, std::size_t first,
               std::size_t last) {
    if (narrow_) bits_.rebuild(words, reference, first, last);
    settle(words, first);
  }

  std::size_t distance() const { return distance_; }
  // Whether that is the distance of the whole table.
  bool whole() const { return whole_; }

  std::size_t distance_after(const Rotation& by, std::span<const std::uint32_t> words, const ReferenceWords& reference,
                             std::size_t most, std::size_t& steps) {
    if (narrow_) {
      const std::size_t found = bits_.distance_after(by, words, reference, most, steps);
      // Of whole tables, each distance below another is that of a whole table.
      if (whole_ || is_whole(found)) return found;
      // A beam finds nothing cheaper than the whole table has.
      if (const std::size_t least = std::min(found, kLeaving - difference_); least > most) return least;
    }
    const Row* above = &rows_[by.first];
    for (std::size_t i = by.first; i < words.size(); ++i) {
      Row& row = scratch_[i % 2];
      fill(i < by.last ? rotated(words, by, i) : words[i], i + 1 == words.size(), *above, row);
      above = &row;
      steps += row.numbers.size();
    }
    return above->numbers.back();
  }

  template <class Visit>
  void trace(Visit&& visit) const {
    if (whole_) return bits_.trace(visit);
    std::size_t i = rows_.size() - 1;
    std::size_t j = ids_.size();
    while (i > 0) {
      const std::uint32_t here = rows_[i].at(j);
      const bool same = j > 0 && words_[i - 1] == ids_[j - 1];
      if (j > 0 && rows_[i - 1].at(j - 1) + !same == here) {
        visit(same ? Edit::keep : Edit::substitute, i--, j--);
      } else if (rows_[i - 1].at(j) + 1 == here) {
        visit(Edit::remove, i--, j);
      } else {
        visit(Edit::insert, i, j--);
      }
    }
    while (j > 0) visit(Edit::insert, i, j--);
  }

 private:
  static constexpr std::uint32_t kInfinite = std::uint32_t{1} << 30;
  // What a way out of the band costs at least, together with the difference of the lengths.
  static constexpr std::size_t kLeaving = 2 * kBeam - 2;

  // Numbers from column `begin` on; infinite where nothing goes on from there.
  struct Row {
    std::size_t begin = 0;
    std::vector<std::uint32_t> numbers;

    std::uint32_t at(std::size_t column) const {
      return column < begin || column - begin >= numbers.size() ? kInfinite : numbers[column - begin];
    }
  };

  // Whether a distance that the bits found is Tercom's. Its ways do not leave the band. Words that the
  // reference does not have cost one each on every way: those behind a cell keep what it costs below the
  // distance, those before it keep the cheapest step above nothing, so that no cell of the way is given up.
  bool is_whole(std::size_t distance) const {
    return distance + difference_ < kLeaving && distance <= foreign_ + kTercomBeam;
  }

  void settle(std::span<const std::uint32_t> words, std::size_t first) {
    whole_ = narrow_ && is_whole(bits_.distance());
    if (whole_) {
      distance_ = bits_.distance();
      filled_ = false;
      return;
    }
    if (!filled_) {
      rows_.resize(words.size() + 1);
      rows_[0].begin = 0;
      rows_[0].numbers.resize(ids_.size() + 1);
      std::iota(rows_[0].numbers.begin(), rows_[0].numbers.end(), 0u);
      first = 0;
      filled_ = true;
    }
    for (std::size_t i = first; i < words.size(); ++i) fill(words[i], i + 1 == words.size(), rows_[i], rows_[i + 1]);
    words_ = words;
    distance_ = rows_.back().numbers.back();
  }

  // In the last row nothing is given up.
  void fill(std::uint32_t word, bool is_last, const Row& above, Row& row) const {
    std::uint32_t most = kInfinite - 1;
    if (!is_last) {
      std::uint32_t cheapest = kInfinite;
      for (std::size_t k = 0; k < above.numbers.size() && above.begin + k < ids_.size(); ++k) {
        cheapest = std::min(cheapest, above.numbers[k] + (word != ids_[above.begin + k]));
      }
      if (cheapest < kInfinite) most = cheapest + kTercomBeam;
    }
    row.begin = above.begin;
    row.numbers.clear();
    std::uint32_t left = kInfinite;
    std::uint32_t corner = kInfinite;
    for (std::size_t k = 0; above.begin + k <= ids_.size(); ++k) {
      if (k > above.numbers.size() && left == kInfinite) break;
      const std::size_t column = above.begin + k;
      const std::uint32_t over = k < above.numbers.size() ? above.numbers[k] : kInfinite;
      std::uint32_t least = std::min(left, over) + 1;
      if (column > 0) least = std::min(least, corner + (word != ids_[column - 1]));
      left = least > most ? kInfinite : least;
      corner = over;
      if (left == kInfinite && row.numbers.empty()) {
        ++row.begin;
      } else {
        row.numbers.push_back(left);
      }
    }
    while (row.numbers.back() == kInfinite) row.numbers.pop_back();
  }

  BitDistance bits_;
  std::span<const std::uint32_t> ids_;
  std::span<const std::uint32_t> words_;
  std::vector<Row> rows_;
  std::array<Row, 2> scratch_;
  std::size_t difference_ = 0;  // of the lengths
  std::size_t foreign_ = 0;     // words that the reference does not have
  std::size_t distance_ = 0;
  bool narrow_ = false;  // whether the bits can tell
  bool whole_ = false;
  bool filled_ = false;  // whether the rows are those of the words
};

struct TerCounts {
  std::size_t insertions = 0;     // words of the reference that the hypothesis lacks
  std::size_t deletions = 0;      // words of the hypothesis that go
  std::size_t substitutions = 0;
  std::size_t shifts = 0;

  std::size_t edits() const { return insertions + deletions + substitutions + shifts; }
};

// How a hypothesis becomes a reference.
struct TerPath {
  std::vector<Shift> shifts;  // in turn; of the reference, where that is what becomes the hypothesis
  std::vector<Edit> edits;    // of the words after all shifts
};

// One worker's memory.
class TerWorker {
 public:
  using Options = TerRules;
  static constexpr std::size_t kCost = 8;

  using enum TerRules::Field;

  TerWorker(const TerRules& rules, const Column& hypotheses, const Column& references)
      : rules_(rules), hypotheses_(hypotheses), references_(references) {}

  void read(std::size_t hypothesis) { hypothesis_ = hypotheses_.tokens(hypothesis, hypothesis_buffer_); }

  void row(std::size_t begin, std::size_t end, std::span<double> row, const StopFlag& stop) {
    if (begin == end) throw std::invalid_argument("a hypothesis has no reference");
    TerCounts best;
    std::size_t lengths = 0;
    for (std::size_t r = begin; r < end; ++r) {
      const std::span<const Token> reference = references_.tokens(r, reference_buffer_);
      lengths += reference.size();
      const std::size_t limit = r == begin ? SIZE_MAX : best.edits();
      TerCounts found;
      // Of several with as many edits the first counts.
      if (count(hypothesis_, reference, limit, found, nullptr, stop)) best = found;
    }
    row[kEdits] = static_cast<double>(best.edits());
    row[kReferenceLength] = static_cast<double>(lengths) / static_cast<double>(end - begin);
    row[kInsertions] = static_cast<double>(best.insertions);
    row[kDeletions] = static_cast<double>(best.deletions);
    row[kSubstitutions] = static_cast<double>(best.substitutions);
    row[kShifts] = static_cast<double>(best.shifts);
    row[kHypothesisLength] = static_cast<double>(hypothesis_.size());
  }

  // How the hypothesis becomes one reference.
  TerPath path(std::size_t reference, const StopFlag& stop) {
    TerCounts counts;
    TerPath path;
    count(hypothesis_, references_.tokens(reference, reference_buffer_), SIZE_MAX, counts, &path, stop);
    return path;
  }

 private:

  // False, where there are no fewer edits than `limit`. `path`, unless null, gets the way.
  bool count(std::span<const Token> hypothesis, std::span<const Token> reference, std::size_t limit, TerCounts& counts,
             TerPath* path, const StopFlag& stop) {
    if (!rules_.from_reference) return turn(hypothesis, reference, limit, counts, path, stop);
    counts = {};
    if (hypothesis.empty()) return limit > 0;
    const bool fewer = turn(reference, hypothesis, limit, counts, path, stop);
    std::swap(counts.insertions, counts.deletions);
    if (path != nullptr) {
      for (Edit& edit : path->edits) {
        edit = edit == Edit::insert ? Edit::remove : edit == Edit::remove ? Edit::insert : edit;
      }
    }
    return fewer;
  }

  // A phrase that could go to a place.
  struct Candidate {
    std::uint32_t start;
    std::uint32_t target;
  };

  bool turn(std::span<const Token> hypothesis, std::span<const Token> reference, std::size_t limit, TerCounts& counts,
            TerPath* path, const StopFlag& stop) {
    stop.check();
    reference_.read(reference, hypothesis, words_);
    least_ = reference_.least_edits(words_);
    if (least_ >= limit) return false;
    counts = {};
    // An empty reference has no band: every word goes.
    if (reference.empty()) {
      counts.deletions = hypothesis.size();
      if (path != nullptr) path->edits.assign(hypothesis.size(), Edit::remove);
    } else if (rules_.tercom) {
      find(tercom_, counts, path, stop);
    } else if (Band(hypothesis.size(), reference.size()).ratio() <= BitDistance::kHighestRatio) {
      find(bits_, counts, path, stop);
    } else {
      find(table_, counts, path, stop);
    }
    return counts.edits() < limit;
  }

  template <class Distance>
  void find(Distance& distance, TerCounts& counts, TerPath* path, const StopFlag& stop) {
    distance.reset(words_, reference_);
    checked_ = 0;
    for (;;) {
      Shift best;
      // No shift helps where the words themselves differ so much.
      if (distance.distance() <= least_ || !best_shift(distance, best, stop)) break;
      ++counts.shifts;
      if (path != nullptr) path->shifts.push_back(best);
      const Rotation by = rotation_of(best, words_.size());
      const auto place = [this](std::size_t i) { return words_.begin() + static_cast<std::ptrdiff_t>(i); };
      std::rotate(place(by.first), place(by.middle), place(by.last));
      distance.rebuild(words_, reference_, by.first, by.last);
    }
    distance.trace([&](Edit edit, std::size_t, std::size_t) {
      counts.insertions += edit == Edit::insert;
      counts.deletions += edit == Edit::remove;
      counts.substitutions += edit == Edit::substitute;
      if (path != nullptr) path->edits.push_back(edit);
    });
    if (path != nullptr) std::reverse(path->edits.begin(), path->edits.end());
  }

  // Whether a shift makes the distance smaller, and there were not too many to look at.
  template <class Distance>
  bool best_shift(Distance& distance, Shift& best, const StopFlag& stop) {
    align(distance);
    if (!list_candidates<Distance::kTercom>(stop)) return false;
    const std::size_t before = distance.distance();
    const std::size_t sizes[2] = {words_.size(), reference_.ids().size()};
    const std::size_t difference = std::max(sizes[0], sizes[1]) - std::min(sizes[0], sizes[1]);
    // A way that leaves the band costs more than this: the distance is that of the whole table, which a
    // shift of n words changes by 2 n at most.
    bool exact = difference < kBeam && before + difference < 2 * kBeam - 2;
    if constexpr (Distance::kTercom) exact = distance.whole();
    std::size_t gain = 0;
    std::size_t steps = 0;
    // Of equal gains the longest phrase counts, of those the one that stands first, of those the one that
    // goes to the first place.
    for (std::size_t length = rules_.longest_shift; length > 0; --length) {
      for (const Candidate& candidate : candidates_[length - 1]) {
        // Tercom expects no more of a phrase, although more can come of what the beam gave up before.
        if (Distance::kTercom && gain > 2 * length) return true;
        const Shift shift{candidate.start, static_cast<std::uint32_t>(length), candidate.target};
        const Rotation by = rotation_of(shift, words_.size());
        const std::size_t moved = std::min(by.middle - by.first, by.last - by.middle);
        const std::size_t most = std::min(before - least_, exact ? 2 * moved : before);
        const bool better_place = gain > 0 && best.length == length &&
                                  (shift.start < best.start || (shift.start == best.start && shift.target < best.target));
        if (most < gain + !better_place) continue;
        const std::size_t after =
            distance.distance_after(by, words_, reference_, before - gain - !better_place, steps);
        if (after + gain + !better_place <= before) {
          gain = before - after;
          best = shift;
        }
        if (steps >= kStepsBetweenChecks) {
          stop.check();
          steps = 0;
        }
      }
    }
    return gain > 0;
  }

  // What the cheapest edits make of each word.
  template <class Distance>
  void align(const Distance& distance) {
    const std::size_t words = words_.size();
    const std::size_t columns = reference_.ids().size();
    word_error_.resize(words + 1);
    reference_error_.resize(columns + 1);
    behind_.resize(columns);
    auto next_word = static_cast<std::uint32_t>(words);
    auto next_reference = static_cast<std::uint32_t>(columns);
    distance.trace([&](Edit edit, std::size_t row, std::size_t column) {
      if (edit != Edit::insert) {
        const auto place = static_cast<std::uint32_t>(row - 1);
        if (edit != Edit::keep) next_word = place;
        word_error_[place] = next_word;
      }
      if (edit != Edit::remove) {
        const auto place = static_cast<std::uint32_t>(column - 1);
        if (edit != Edit::keep) next_reference = place;
        reference_error_[place] = next_reference;
        behind_[place] = static_cast<std::uint32_t>(row);
      }
    });
  }

  // False, where there are too many.
  template <bool kTercom>
  bool list_candidates(const StopFlag& stop) {
    for (std::vector<Candidate>& list : candidates_) list.clear();
    const std::span<const std::uint32_t> ids = reference_.ids();
    const std::size_t words = words_.size();
    const std::size_t columns = ids.size();
    std::size_t looked_at = 0;
    for (std::size_t start = 0; start < words; ++start) {
      const std::uint32_t id = words_[start];
      const std::size_t wrong = word_error_[start];
      // Something must be wrong within the phrase.
      if (id == kNoId || wrong - start >= rules_.longest_shift || wrong == words) continue;
      const std::span<const std::uint32_t> all = reference_.places(id);
      const std::size_t first = first_place<kTercom>(start);
      auto next = all.begin();
      if (first > 0) next = std::lower_bound(next, all.end(), static_cast<std::uint32_t>(first));
      for (; next != all.end() && is_near<kTercom>(*next, start); ++next) {
        if (++looked_at >= kStepsBetweenChecks) {
          stop.check();
          looked_at = 0;
        }
        const std::size_t place = *next;
        // And something where the same words stand in the reference.
        const std::size_t missed = reference_error_[place];
        if (missed - place >= rules_.longest_shift || missed == columns) continue;
        const std::size_t least = std::max(wrong - start, missed - place) + 1;
        const std::size_t most = std::min({rules_.longest_shift, words - start, columns - place});
        const std::size_t own = behind_[place];  // the reference's first word stands before this one
        for (std::size_t length = 1; length <= most && words_[start + length - 1] == ids[place + length - 1];
             ++length) {
          if (length < least) continue;
          // A phrase does not go into itself.
          if (start < own && own <= start + length) break;
          if (!add_targets<kTercom>(start, place, length)) return false;
        }
      }
    }
    return true;
  }

  // Places of the reference to which a word may go: at most kFarthestShift from its own place, of Tercom
  // from the word that the place is aligned with.
  template <bool kTercom>
  std::size_t first_place(std::size_t start) const {
    if (start < kFarthestShift) return 0;
    if constexpr (!kTercom) return start - kFarthestShift;
    const auto least = static_cast<std::uint32_t>(start - kFarthestShift + 1);
    return static_cast<std::size_t>(std::lower_bound(behind_.begin(), behind_.end(), least) - behind_.begin());
  }
  template <bool kTercom>
  bool is_near(std::size_t place, std::size_t start) const {
    if constexpr (kTercom) return behind_[place] <= start + kFarthestShift + 1;
    return place <= start + kFarthestShift;
  }

  template <bool kTercom>
  bool add_targets(std::size_t start, std::size_t place, std::size_t length) {
    std::uint32_t before = place == 0 ? 0 : behind_[place - 1];
    for (std::size_t k = 0;; ++k) {
      if constexpr (kTercom) {
        add_target_of_tercom(static_cast<std::uint32_t>(start), before, length);
      } else {
        if (++checked_ >= kMostCandidates) return false;
        candidates_[length - 1].push_back({static_cast<std::uint32_t>(start), before});
      }
      // The next target that is another one.
      while (k < length && behind_[place + k] == before) ++k;
      if (k == length) return true;
      before = behind_[place + k];
    }
  }

  // Within the phrase, Tercom counts the words that go before it from the phrase's second word on.
  void add_target_of_tercom(std::uint32_t start, std::uint32_t target, std::size_t length) {
    if (start < target && target <= start + length) {
      if (--target == start) return;
    }
    // The same phrase elsewhere in the reference has some of the same targets; they ascend.
    std::vector<Candidate>& list = candidates_[length - 1];
    if (!list.empty() && list.back().start == start && list.back().target >= target) return;
    list.push_back({start, target});
  }

  static constexpr std::size_t kStepsBetweenChecks = std::size_t{1} << 16;

  TerRules rules_;
  const Column& hypotheses_;
  const Column& references_;
  TokenBuffer hypothesis_buffer_;
  TokenBuffer reference_buffer_;
  std::span<const Token> hypothesis_;
  ReferenceWords reference_;
  BitDistance bits_;
  TableDistance table_;
  TercomDistance tercom_;
  std::vector<std::uint32_t> words_;
  std::size_t least_ = 0;
  std::size_t checked_ = 0;
  // The first wrong word at or behind each place; the size of the text where there is none.
  std::vector<std::uint32_t> word_error_;
  std::vector<std::uint32_t> reference_error_;
  // How many words of the hypothesis stand before the end of each word of the reference.
  std::vector<std::uint32_t> behind_;
  std::array<std::vector<Candidate>, kLongestShift> candidates_;
};

}  // namespace cocarde
