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
struct BleuWorkspace {
  TokenBuffer hypothesis;
  std::deque<TokenBuffer> reference_buffers;
  std::vector<std::span<const Token>> references;
  std::vector<std::size_t> lengths;
  std::vector<double> matches;
  NgramMatcher matcher;
};

// row: hypothesis length, reference length, then matches and total of each order.
inline void bleu_row(std::span<const Token> hypothesis, const BleuOptions& options, BleuWorkspace& work,
                     std::span<double> row, const StopFlag& stop) {
  work.lengths.clear();
  for (const std::span<const Token> reference : work.references) work.lengths.push_back(reference.size());
  work.matches.resize(options.order);
  work.matcher.count(hypothesis, work.references, options.clip, work.matches, stop);
  row[0] = static_cast<double>(hypothesis.size());
  row[1] = choose_length(hypothesis.size(), work.lengths, options.reference_length);
  for (std::size_t n = 1; n <= options.order; ++n) {
    const std::size_t total = hypothesis.size() >= n ? hypothesis.size() - n + 1 : 0;
    row[2 * n] = work.matches[n - 1];
    row[2 * n + 1] = static_cast<double>(std::max(total, options.minimum_total));
  }
}

// Writes one row of 2 + 2 * order numbers for each hypothesis into out.
inline void bleu_statistics(const Column& hypotheses, const ReferenceColumn& references,
                            const BleuOptions& options, std::span<double> out, ParallelOptions parallel) {
  const std::size_t width = 2 + 2 * options.order;
  parallel.cost = hypotheses.cost() + references.column.cost();
  parallel_for(
      hypotheses.size(), parallel, [] { return BleuWorkspace(); },
      [&](BleuWorkspace& work, std::size_t i, const StopFlag& stop) {
        const auto begin = static_cast<std::size_t>(references.offsets[i]);
        const auto count = static_cast<std::size_t>(references.offsets[i + 1]) - begin;
        if (work.reference_buffers.size() < count) work.reference_buffers.resize(count);
        work.references.clear();
        for (std::size_t r = 0; r < count; ++r) {
          work.references.push_back(references.column.tokens(begin + r, work.reference_buffers[r]));
        }
        bleu_row(hypotheses.tokens(i, work.hypothesis), options, work, out.subspan(i * width, width), stop);
      });
}

// Every hypothesis of `hypotheses` in [first, last) against every single reference; row-major.
inline void bleu_pairwise(const Column& hypotheses, std::size_t first, std::size_t last,
                          const Column& references, const BleuOptions& options, std::span<double> out,
                          ParallelOptions parallel) {
  const std::size_t width = 2 + 2 * options.order;
  const std::size_t columns = references.size();
  parallel.cost = hypotheses.cost() / std::max<std::size_t>(1, hypotheses.size()) * (last - first) * columns;
  parallel_for(
      last - first, parallel, [] { return BleuWorkspace(); },
      [&](BleuWorkspace& work, std::size_t i, const StopFlag& stop) {
        if (work.reference_buffers.empty()) work.reference_buffers.resize(1);
        const std::span<const Token> hypothesis = hypotheses.tokens(first + i, work.hypothesis);
        for (std::size_t j = 0; j < columns; ++j) {
          stop.check();
          work.references.assign(1, references.tokens(j, work.reference_buffers[0]));
          bleu_row(hypothesis, options, work, out.subspan((i * columns + j) * width, width), stop);
        }
      });
}

}  // namespace cocarde
