#include "kernel.hpp"

#include <cstddef>

#include "../gleu.hpp"

namespace cocarde::bindings {

void bind_gleu(nb::module_& module) {
  bind_kernel<GleuWorker>(module, "Gleu",
                          "Rows of matches and of n-grams of the longer text, the hypothesis and the reference.")
      .def(
          "__init__",
          [](GleuOptions* self, std::size_t least, std::size_t most) {
            if (least == 0 || least > most) throw nb::value_error("orders are from 1, the lower one first");
            new (self) GleuOptions{least, most};
          },
          "least"_a, "most"_a);
}

}  // namespace cocarde::bindings
