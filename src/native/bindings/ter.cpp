#include "kernel.hpp"

#include <cstddef>
#include <string>

#include "../ter.hpp"

namespace cocarde::bindings {

void bind_ter(nb::module_& module) {
  bind_kernel<TerWorker>(module, "Ter",
                         "Rows of edits, the mean length of references, insertions, deletions, substitutions, shifts "
                         "and the length of the hypothesis.")
      .def(
          "__init__",
          [](TerRules* self, bool tercom, bool from_reference, std::size_t longest_shift) {
            if (longest_shift < 1 || longest_shift > kLongestShift) throw nb::value_error("no such shift");
            new (self) TerRules{tercom, from_reference, longest_shift};
          },
          "tercom"_a, "from_reference"_a, "longest_shift"_a)
      .def(
          "path",
          [](const TerRules& self, const Column& hypotheses, std::size_t hypothesis, const Column& references,
             std::size_t reference) {
            if (hypothesis >= hypotheses.size() || reference >= references.size()) {
              throw nb::index_error("no such segment");
            }
            TerPath path;
            run_alone([&](const StopFlag& stop) {
              TerWorker worker(self, hypotheses, references);
              worker.read(hypothesis);
              path = worker.path(reference, stop);
            });
            nb::list shifts;
            for (const Shift& shift : path.shifts) {
              shifts.append(nb::make_tuple(shift.start, shift.length, shift.target));
            }
            std::string edits;
            for (const Edit edit : path.edits) edits.push_back(static_cast<char>(edit));
            return nb::make_tuple(shifts, edits);
          },
          "hypotheses"_a, "hypothesis"_a, "references"_a, "reference"_a,
          nb::sig("def path(self, hypotheses: Column, hypothesis: int, references: Column, reference: int) "
                  "-> tuple[list[tuple[int, int, int]], str]"),
          "Shifts (start, length, target), then for each word ' ' (kept), s(ubstituted), d(eleted) or i(nserted).");
}

}  // namespace cocarde::bindings
