// Kernels of columns, as Python sees them: an object that holds the options, and fills rows.
#pragma once

#include "python.hpp"

#include <cstddef>

#include "../kernel.hpp"

namespace cocarde::bindings {

// All but the constructor.
template <class Worker>
nb::class_<typename Worker::Options> bind_kernel(nb::module_& module, const char* name, const char* row) {
  using Options = typename Worker::Options;
  return nb::class_<Options>(module, name, row)
      .def(
          "rows",
          [](const Options& self, const Column& hypotheses, const Column& references, Integers offsets, Row out,
             std::size_t threads) {
            fill_rows(hypotheses, references, offsets, self.width(), out, threads,
                      [&](auto bounds, auto rows, const ParallelOptions& parallel) {
                        write_rows<Worker>(self, hypotheses, {references, bounds}, rows, parallel);
                      });
          },
          "hypotheses"_a, "references"_a, "reference_offsets"_a, "out"_a, "threads"_a,
          "Writes rows of every hypothesis with its references into out.")
      .def(
          "pairs",
          [](const Options& self, const Column& hypotheses, std::size_t first, std::size_t last,
             const Column& references, Row out, std::size_t threads) {
            fill_pairs(hypotheses, first, last, references, self.width(), out, threads,
                       [&](auto rows, const ParallelOptions& parallel) {
                         write_pairs<Worker>(self, hypotheses, first, last, references, rows, parallel);
                       });
          },
          "hypotheses"_a, "first"_a, "last"_a, "references"_a, "out"_a, "threads"_a,
          "Writes rows of the hypotheses in [first, last) with every single reference into out.");
}

}  // namespace cocarde::bindings
