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

  static constexpr std::size_t width() { return 4; }
  // How many n-grams of these orders a text of so many tokens has.
  double total(std::size_t length) const {
    const std::size_t last = std::min(most, length);
    if (last < least) return 0.0;
    const std::size_t orders = last - least + 1;
    // length - n + 1 of each order n: an arithmetic progression.
    return static_cast<double>(orders) * static_cast<double>(2 * length + 2 - least - last) / 2;
  }
};

// One worker's memory. It compares a hypothesis with its references, one after the other, and keeps the best.
class GleuWorker {
 public:
  using Options = GleuOptions;
  static constexpr std::size_t kCost = 1;

  GleuWorker(const GleuOptions& options, const Column& hypotheses, const Column& references)
      : options_(options), hypotheses_(hypotheses), references_(references) {}

  void read(std::size_t hypothesis) {
    hypothesis_ = hypotheses_.tokens(hypothesis, hypothesis_buffer_);
    matches_.resize(std::min(options_.most, hypothesis_.size()));  // no longer n-gram can match
  }

  // row: matches; n-grams of the longer text, of the hypothesis and of the reference.
  void row(std::size_t begin, std::size_t end, std::span<double> row, const StopFlag& stop) {
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t r = begin; r < end; ++r) {
      if (r > begin) stop.check();
      add(references_.tokens(r, reference_buffer_), row, stop);
    }
  }

 private:
  // The reference with the best ratio counts, the first of those. One without n-grams beside a hypothesis
  // without any is none.
  void add(std::span<const Token> reference, std::span<double> row, const StopFlag& stop) {
    const double ours = options_.total(hypothesis_.size());
    const double theirs = options_.total(reference.size());
    const double total = std::max(ours, theirs);
    if (total == 0) return;
    const double found = matches(reference, stop);
    // Quotients in double precision, whose ties are NLTK's.
    if (row[1] != 0 && found / total <= row[0] / row[1]) return;
    row[0] = found;
    row[1] = total;
    row[2] = ours;
    row[3] = theirs;
  }

  double matches(std::span<const Token> reference, const StopFlag& stop) {
    if (matches_.size() < options_.least) return 0.0;
    matcher_.count(hypothesis_, {&reference, 1}, true, matches_, stop);
    const auto first = matches_.begin() + static_cast<std::ptrdiff_t>(options_.least - 1);
    return std::accumulate(first, matches_.end(), 0.0);
  }

  const GleuOptions& options_;
  const Column& hypotheses_;
  const Column& references_;
  TokenBuffer hypothesis_buffer_;
  TokenBuffer reference_buffer_;
  std::span<const Token> hypothesis_;
  std::vector<double> matches_;
  NgramMatcher matcher_;
};

}  // namespace cocarde
