#include "python.hpp"

#include <cstddef>
#include <string>

#include "../bleu.hpp"

namespace cocarde::bindings {

namespace {

BleuOptions bleu_options(std::size_t order, const std::string& reference_length, bool clip,
                         std::size_t minimum_total) {
  BleuOptions options;
  options.order = order;
  options.clip = clip;
  options.minimum_total = minimum_total;
  if (reference_length == "closest") {
    options.reference_length = ReferenceLength::closest;
  } else if (reference_length == "closest-first") {
    options.reference_length = ReferenceLength::closest_first;
  } else if (reference_length == "shortest") {
    options.reference_length = ReferenceLength::shortest;
  } else if (reference_length == "longest") {
    options.reference_length = ReferenceLength::longest;
  } else if (reference_length == "average") {
    options.reference_length = ReferenceLength::average;
  } else {
    throw nb::value_error(("unknown reference length " + reference_length).c_str());
  }
  return options;
}

}  // namespace

void bind_bleu(nb::module_& module) {
  module.def(
      "bleu_statistics",
      [](const Column& hypotheses, const Column& references, Integers offsets, std::size_t order,
         const std::string& reference_length, bool clip, std::size_t minimum_total, Row out, std::size_t threads) {
        const auto options = bleu_options(order, reference_length, clip, minimum_total);
        write_rows(hypotheses, references, offsets, 2 + 2 * order, out, threads,
                   [&](auto bounds, auto rows, const ParallelOptions& parallel) {
                     bleu_statistics(hypotheses, {references, bounds}, options, rows, parallel);
                   });
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "order"_a, "reference_length"_a, "clip"_a,
      "minimum_total"_a, "out"_a, "threads"_a,
      "Rows of lengths, matches and totals, one a hypothesis, written into out.");
  module.def(
      "bleu_pairwise",
      [](const Column& hypotheses, std::size_t first, std::size_t last, const Column& references,
         std::size_t order, bool clip, std::size_t minimum_total, Row out, std::size_t threads) {
        const auto options = bleu_options(order, "closest", clip, minimum_total);
        write_pairs(hypotheses, first, last, references, 2 + 2 * order, out, threads,
                    [&](auto rows, const ParallelOptions& parallel) {
                      bleu_pairwise(hypotheses, first, last, references, options, rows, parallel);
                    });
      },
      "hypotheses"_a, "first"_a, "last"_a, "references"_a, "order"_a, "clip"_a, "minimum_total"_a, "out"_a,
      "threads"_a, "Rows for every hypothesis in [first, last) against every single reference.");
}

}  // namespace cocarde::bindings
