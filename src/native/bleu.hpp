// The row of sufficient statistics of BLEU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <span>
#include <vector>

#include "column.hpp"
#include "ngrams.hpp"
#include "parallel.hpp"
#include "tokens.hpp"

namespace cocarde {

// Which reference length stands for the references of a segment.
enum class ReferenceLength {
  closest,        // to the hypothesis; the shorter of two that are equally close
  closest_first,  // to the hypothesis; the first of those that are equally close
  shortest,
  longest,
  average,
};

struct BleuOptions {
  std::size_t order = 4;
  ReferenceLength reference_length = ReferenceLength::closest;
  bool clip = true;
  std::size_t minimum_total = 0;  // NLTK counts at least one n-gram of each order in each segment

  std::size_t width() const { return 2 + 2 * order; }
};

inline double choose_length(std::size_t hypothesis, std::span<const std::size_t> references,
                            ReferenceLength choice) {
  if (references.empty()) return 0.0;
  const auto distance = [&](std::size_t n) { return n > hypothesis ? n - hypothesis : hypothesis - n; };
  std::size_t best = references[0];
  std::size_t sum = 0;
  for (const std::size_t n : references) {
    sum += n;
    switch (choice) {
      case ReferenceLength::closest:
        if (distance(n) < distance(best) || (distance(n) == distance(best) && n < best)) best = n;
        break;
      case ReferenceLength::closest_first:
        if (distance(n) < distance(best)) best = n;
        break;
      case ReferenceLength::shortest: best = std::min(best, n); break;
      case ReferenceLength::longest: best = std::max(best, n); break;
      case ReferenceLength::average: break;
    }
  }
  if (choice == ReferenceLength::average) {
    return static_cast<double>(sum) / static_cast<double>(references.size());
  }
  return static_cast<double>(best);
}

// One worker's memory.
class BleuWorker {
 public:
  using Options = BleuOptions;
  static constexpr std::size_t kCost = 1;

  BleuWorker(const BleuOptions& options, const Column& hypotheses, const Column& references)
      : options_(options), hypotheses_(hypotheses), references_(references), matches_(options.order) {}

  void read(std::size_t hypothesis) { hypothesis_ = hypotheses_.tokens(hypothesis, buffer_); }

  // row: hypothesis length, reference length, then matches and total of each order.
  void row(std::size_t begin, std::size_t end, std::span<double> row, const StopFlag& stop) {
    if (reference_buffers_.size() < end - begin) reference_buffers_.resize(end - begin);
    texts_.clear();
    lengths_.clear();
    for (std::size_t r = begin; r < end; ++r) {
      texts_.push_back(references_.tokens(r, reference_buffers_[r - begin]));
      lengths_.push_back(texts_.back().size());
    }
    matcher_.count(hypothesis_, texts_, options_.clip, matches_, stop);
    row[0] = static_cast<double>(hypothesis_.size());
    row[1] = choose_length(hypothesis_.size(), lengths_, options_.reference_length);
    for (std::size_t n = 1; n <= options_.order; ++n) {
      const std::size_t total = hypothesis_.size() >= n ? hypothesis_.size() - n + 1 : 0;
      row[2 * n] = matches_[n - 1];
      row[2 * n + 1] = static_cast<double>(std::max(total, options_.minimum_total));
    }
  }

 private:
  const BleuOptions& options_;
  const Column& hypotheses_;
  const Column& references_;
  std::vector<double> matches_;
  TokenBuffer buffer_;
  std::deque<TokenBuffer> reference_buffers_;
  std::span<const Token> hypothesis_;
  std::vector<std::span<const Token>> texts_;  // of the references
  std::vector<std::size_t> lengths_;
  NgramMatcher matcher_;
};

}  // namespace cocarde
