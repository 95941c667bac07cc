// Rows of a metric, in parallel, whatever the metric is.
//
// A worker is one thread's memory. It knows the texts, and has
//   read(i)                       takes hypothesis i;
//   row(begin, end, row, stop)    writes its row with the references in [begin, end).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "column.hpp"
#include "parallel.hpp"

namespace cocarde {

// Rows of `width`, one a hypothesis: the references of hypothesis i are those in [offsets[i], offsets[i + 1]).
template <class MakeWorker>
void write_rows(std::span<const std::int64_t> offsets, std::size_t width, std::span<double> out,
                const ParallelOptions& parallel, MakeWorker&& make_worker) {
  parallel_for(offsets.size() - 1, parallel, make_worker, [&](auto& worker, std::size_t i, const StopFlag& stop) {
    worker.read(i);
    worker.row(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1]),
               out.subspan(i * width, width), stop);
  });
}

// Rows of `width` of the hypotheses in [first, last) with each of so many single references; row-major.
template <class MakeWorker>
void write_pairs(std::size_t first, std::size_t last, std::size_t references, std::size_t width,
                 std::span<double> out, const ParallelOptions& parallel, MakeWorker&& make_worker) {
  const std::size_t count = last - first;
  if (count == 0 || references == 0) return;
  // Few hypotheses are shared out reference by reference.
  const std::size_t wanted = parallel.threads > 1 ? 16 * parallel.threads : 1;
  const std::size_t parts = std::clamp<std::size_t>((wanted + count - 1) / count, 1, references);
  parallel_for(count * parts, parallel, make_worker, [&](auto& worker, std::size_t item, const StopFlag& stop) {
    const std::size_t i = item / parts;
    const std::size_t part = item % parts;
    worker.read(first + i);
    const std::size_t end = (part + 1) * references / parts;
    for (std::size_t j = part * references / parts; j < end; ++j) {
      stop.check();
      worker.row(j, j + 1, out.subspan((i * references + j) * width, width), stop);
    }
  });
}

// The same of two columns. A worker is made of its Options, which know the width of a row, and of both;
// kCost is how much work it has with a byte.
template <class Worker>
void write_rows(const typename Worker::Options& options, const Column& hypotheses, const ReferenceColumn& references,
                std::span<double> out, ParallelOptions parallel) {
  parallel.cost = Worker::kCost * (hypotheses.cost() + references.column.cost());
  write_rows(references.offsets, options.width(), out, parallel,
             [&] { return Worker(options, hypotheses, references.column); });
}

template <class Worker>
void write_pairs(const typename Worker::Options& options, const Column& hypotheses, std::size_t first,
                 std::size_t last, const Column& references, std::span<double> out, ParallelOptions parallel) {
  const std::size_t each = hypotheses.cost() / std::max<std::size_t>(1, hypotheses.size());
  parallel.cost = Worker::kCost * each * (last - first) * references.size();
  write_pairs(first, last, references.size(), options.width(), out, parallel,
              [&] { return Worker(options, hypotheses, references); });
}

}  // namespace cocarde
