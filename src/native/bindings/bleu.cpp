#include "kernel.hpp"

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
  bind_kernel<BleuWorker>(module, "Bleu", "Rows of lengths, matches and totals.")
      .def(
          "__init__",
          [](BleuOptions* self, std::size_t order, const std::string& reference_length, bool clip,
             std::size_t minimum_total) {
            new (self) BleuOptions(bleu_options(order, reference_length, clip, minimum_total));
          },
          "order"_a, "reference_length"_a, "clip"_a, "minimum_total"_a);
}

}  // namespace cocarde::bindings
