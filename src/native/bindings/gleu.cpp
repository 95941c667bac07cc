#include "python.hpp"

#include <cstddef>

#include "../gleu.hpp"

namespace cocarde::bindings {

namespace {

GleuOptions gleu_options(std::size_t least, std::size_t most) {
  if (least == 0 || least > most) throw nb::value_error("orders are from 1, the lower one first");
  return {least, most};
}

}  // namespace

void bind_gleu(nb::module_& module) {
  module.def(
      "gleu_statistics",
      [](const Column& hypotheses, const Column& references, Integers offsets, std::size_t least, std::size_t most,
         Row out, std::size_t threads) {
        const GleuOptions options = gleu_options(least, most);
        write_rows(hypotheses, references, offsets, GleuOptions::kWidth, out, threads,
                   [&](auto bounds, auto rows, const ParallelOptions& parallel) {
                     gleu_statistics(hypotheses, {references, bounds}, options, rows, parallel);
                   });
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "least"_a, "most"_a, "out"_a, "threads"_a,
      "Rows of matches and of n-grams of the longer text, the hypothesis and the reference, written into out.");
  module.def(
      "gleu_pairwise",
      [](const Column& hypotheses, std::size_t first, std::size_t last, const Column& references, std::size_t least,
         std::size_t most, Row out, std::size_t threads) {
        const GleuOptions options = gleu_options(least, most);
        write_pairs(hypotheses, first, last, references, GleuOptions::kWidth, out, threads,
                    [&](auto rows, const ParallelOptions& parallel) {
                      gleu_pairwise(hypotheses, first, last, references, options, rows, parallel);
                    });
      },
      "hypotheses"_a, "first"_a, "last"_a, "references"_a, "least"_a, "most"_a, "out"_a, "threads"_a,
      "Rows for every hypothesis in [first, last) against every single reference.");
}

}  // namespace cocarde::bindings
