// The row of sufficient statistics of GLEU (Wu et al., 2016), as NLTK counts it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "column.hpp"
#include "ngrams.hpp"
#include "parallel.hpp"

namespace cocarde {

struct GleuOptions {
  std::size_t least = 1;  // orders of the n-grams that count, both included
  std::size_t most = 4;

  static constexpr std::size_t kWidth = 4;

  // How many n-grams of these orders a text of so many tokens has.
  double total(std::size_t length) const {
    const std::size_t last = std::min(most, length);
    if (last < least) return 0.0;
    const std::size_t orders = last - least + 1;
    // length - n + 1 of each order n: an arithmetic progression.
    return static_cast<double>(orders) * static_cast<double>(2 * length + 2 - least - last) / 2;
  }
};

// One worker's memory.
struct GleuWorkspace {
  TokenBuffer hypothesis;
  TokenBuffer reference;
  std::vector<double> matches;
  NgramMatcher matcher;
};

// Compares a hypothesis with its references, one after the other, and keeps the best.
class GleuRow {
 public:
  // row: matches; n-grams of the longer text, of the hypothesis and of the reference.
  GleuRow(std::span<const Token> hypothesis, const GleuOptions& options, GleuWorkspace& work, std::span<double> row,
          const StopFlag& stop)
      : hypothesis_(hypothesis), options_(options), work_(work), row_(row), stop_(stop) {
    std::fill(row.begin(), row.end(), 0.0);
    work.matches.resize(std::min(options.most, hypothesis.size()));  // no longer n-gram can match
  }

  // The reference with the best ratio counts, the first of those. One without n-grams beside a hypothesis
  // without any is none.
  void add(std::span<const Token> reference) {
    const double ours = options_.total(hypothesis_.size());
    const double theirs = options_.total(reference.size());
    const double total = std::max(ours, theirs);
    if (total == 0) return;
    const double found = matches(reference);
    // Quotients in double precision, whose ties are NLTK's.
    if (row_[1] != 0 && found / total <= row_[0] / row_[1]) return;
    row_[0] = found;
    row_[1] = total;
    row_[2] = ours;
    row_[3] = theirs;
  }

 private:
  double matches(std::span<const Token> reference) {
    if (work_.matches.size() < options_.least) return 0.0;
    work_.matcher.count(hypothesis_, {&reference, 1}, true, work_.matches, stop_);
    const auto first = work_.matches.begin() + static_cast<std::ptrdiff_t>(options_.least - 1);
    return std::accumulate(first, work_.matches.end(), 0.0);
  }

  std::span<const Token> hypothesis_;
  const GleuOptions& options_;
  GleuWorkspace& work_;
  std::span<double> row_;
  const StopFlag& stop_;
};

// Writes one row for each hypothesis into out.
inline void gleu_statistics(const Column& hypotheses, const ReferenceColumn& references, const GleuOptions& options,
                            std::span<double> out, ParallelOptions parallel) {
  constexpr std::size_t kWidth = GleuOptions::kWidth;
  parallel.cost = hypotheses.cost() + references.column.cost();
  parallel_for(
      hypotheses.size(), parallel, [] { return GleuWorkspace(); },
      [&](GleuWorkspace& work, std::size_t i, const StopFlag& stop) {
        const auto end = static_cast<std::size_t>(references.offsets[i + 1]);
        GleuRow row(hypotheses.tokens(i, work.hypothesis), options, work, out.subspan(i * kWidth, kWidth), stop);
        for (auto k = static_cast<std::size_t>(references.offsets[i]); k < end; ++k) {
          stop.check();
          row.add(references.column.tokens(k, work.reference));
        }
      });
}

// Every hypothesis of `hypotheses` in [first, last) against every single reference; row-major.
inline void gleu_pairwise(const Column& hypotheses, std::size_t first, std::size_t last, const Column& references,
                          const GleuOptions& options, std::span<double> out, ParallelOptions parallel) {
  constexpr std::size_t kWidth = GleuOptions::kWidth;
  const std::size_t columns = references.size();
  parallel.cost = hypotheses.cost() / std::max<std::size_t>(1, hypotheses.size()) * (last - first) * columns;
  parallel_for(
      last - first, parallel, [] { return GleuWorkspace(); },
      [&](GleuWorkspace& work, std::size_t i, const StopFlag& stop) {
        const std::span<const Token> hypothesis = hypotheses.tokens(first + i, work.hypothesis);
        for (std::size_t j = 0; j < columns; ++j) {
          stop.check();
          GleuRow row(hypothesis, options, work, out.subspan((i * columns + j) * kWidth, kWidth), stop);
          row.add(references.tokens(j, work.reference));
        }
      });
}

}  // namespace cocarde
