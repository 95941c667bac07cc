#include "python.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "../ter.hpp"

namespace cocarde::bindings {

void bind_ter(nb::module_& module) {
  nb::class_<TerRules>(module, "TerRules", "Whose search for edits and shifts it is.")
      .def(
          "__init__",
          [](TerRules* self, bool tercom, bool from_reference, std::size_t longest_shift) {
            if (longest_shift < 1 || longest_shift > kLongestShift) throw nb::value_error("no such shift");
            new (self) TerRules{tercom, from_reference, longest_shift};
          },
          "tercom"_a, "from_reference"_a, "longest_shift"_a);
  module.def(
      "ter_statistics",
      [](const Column& hypotheses, const Column& references, Integers offsets,
         const TerRules& rules, Row out, std::size_t threads) {
        write_rows(hypotheses, references, offsets, TerMatcher::kFields, out, threads,
                   [&](auto bounds, auto rows, const ParallelOptions& parallel) {
                     if (std::adjacent_find(bounds.begin(), bounds.end()) != bounds.end()) {
                       throw nb::value_error("a hypothesis has no reference");
                     }
                     ter_statistics(hypotheses, {references, bounds}, rules, rows, parallel);
                   });
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "rules"_a, "out"_a, "threads"_a,
      "Rows of edits, the mean length of references, insertions, deletions, substitutions, shifts and the length of "
      "the hypothesis.");
  module.def(
      "ter_pairwise",
      [](const Column& hypotheses, std::size_t first, std::size_t last, const Column& references,
         const TerRules& rules, Row out, std::size_t threads) {
        write_pairs(hypotheses, first, last, references, TerMatcher::kFields, out, threads,
                    [&](auto rows, const ParallelOptions& parallel) {
                      ter_pairwise(hypotheses, first, last, references, rules, rows, parallel);
                    });
      },
      "hypotheses"_a, "first"_a, "last"_a, "references"_a, "rules"_a, "out"_a, "threads"_a,
      "Rows for every hypothesis in [first, last) against every single reference.");
  module.def(
      "ter_path",
      [](const Column& hypotheses, std::size_t hypothesis, const Column& references,
         std::size_t reference, const TerRules& rules) {
        if (hypothesis >= hypotheses.size() || reference >= references.size()) throw nb::index_error("no such segment");
        TerPath path;
        run_parallel(1, [&](const ParallelOptions& parallel) {
          ter_path(hypotheses, hypothesis, references, reference, rules, path, parallel);
        });
        nb::list shifts;
        for (const Shift& shift : path.shifts) {
          shifts.append(nb::make_tuple(shift.start, shift.length, shift.target));
        }
        std::string edits;
        for (const Edit edit : path.edits) edits.push_back(static_cast<char>(edit));
        return nb::make_tuple(shifts, edits);
      },
      "hypotheses"_a, "hypothesis"_a, "references"_a, "reference"_a, "rules"_a,
      nb::sig("def ter_path(hypotheses: Column, hypothesis: int, references: Column, reference: int, "
              "rules: TerRules) -> tuple[list[tuple[int, int, int]], str]"),
      "Shifts (start, length, target), then for each word ' ' (kept), s(ubstituted), d(eleted) or i(nserted).");
}

}  // namespace cocarde::bindings
