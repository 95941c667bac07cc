#include "python.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../diagnostics.hpp"

namespace cocarde::bindings {

namespace {

// By the names that Python has for them.
constexpr std::array<const char*, kFindings> kFindingNames = {
    "no_hypothesis",      "no_reference",       "erased",    "dropped",
    "undivided_han",      "undivided_kana",     "undivided_unspaced", "unmarked_sentences",
    "written_line_feeds", "tokenized",          "texts_as_hypotheses", "texts_as_references",
};

}  // namespace

void bind_diagnostics(nb::module_& module) {
  nb::class_<DiagnosticOptions>(module, "DiagnosticOptions", "What is looked for in segments.")
      .def(
          "__init__",
          [](DiagnosticOptions* self, const std::vector<std::size_t>& fields, bool all_zero, bool latin_only,
             bool at_blanks, const std::vector<std::string>& undivided, bool sentences, bool tokenized) {
            DiagnosticOptions options{fields, all_zero, latin_only, at_blanks, 0, sentences, tokenized};
            for (const std::string& script : undivided) {
              if (script == "han") {
                options.undivided |= kHan;
              } else if (script == "rare-han") {
                options.undivided |= kRareHan;
              } else if (script == "kana") {
                options.undivided |= kKana;
              } else if (script == "unspaced") {
                options.undivided |= kUnspaced;
              } else {
                throw nb::value_error(("no script is called " + script).c_str());
              }
            }
            new (self) DiagnosticOptions(std::move(options));
          },
          "fields"_a, "all_zero"_a, "latin_only"_a, "at_blanks"_a, "undivided"_a, "sentences"_a, "tokenized"_a,
          "Fields: those of a row that are 0 where a side has no token (any of them) or nothing matches (all).");
  module.def(
      "diagnose",
      [](const Column& hypotheses, const Column& references, Integers offsets, Row rows,
         const DiagnosticOptions& options, std::size_t threads) -> nb::object {
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        if (hypotheses.size() == 0) return nb::none();
        const std::size_t width = rows.size() / hypotheses.size();
        check_size(rows, hypotheses.size(), width);
        for (const std::size_t field : options.fields) {
          if (field >= width) throw nb::value_error("no such field");
        }
        Findings findings;
        if (hypotheses.size() == 1) {  // sooner done than threads are seen to
          findings = diagnose(hypotheses, {references, bounds}, span_of(rows), options, {});
        } else {
          run_parallel(threads, [&](const ParallelOptions& parallel) {
            findings = diagnose(hypotheses, {references, bounds}, span_of(rows), options, parallel);
          });
        }
        if (!findings.any()) return nb::none();
        nb::dict counts;
        for (std::size_t k = 0; k < kFindings; ++k) {
          if (findings.counts[k] != 0) counts[kFindingNames[k]] = findings.counts[k];
        }
        nb::list forms;
        for (const std::size_t segment : findings.forms) forms.append(segment);
        return nb::make_tuple(counts, forms);
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "rows"_a, "options"_a, "threads"_a,
      nb::sig("def diagnose(hypotheses: Column, references: Column, "
              "reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], "
              "rows: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], options: DiagnosticOptions, "
              "threads: int) -> tuple[dict[str, int], list[int]] | None"),
      "How many segments each finding is of, and those (of a sample, if there are many) whose texts differ in forms "
      "of characters; None if none.");
  module.def(
      "find_forms",
      [](const Column& hypotheses, const Column& references, Integers offsets, std::size_t threads) {
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        std::vector<std::size_t> found;
        run_parallel(threads, [&](const ParallelOptions& parallel) {
          found = find_forms(hypotheses, {references, bounds}, parallel);
        });
        return found;
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "threads"_a,
      "The segments whose texts differ in forms of characters.");
  module.def(
      "find_words_beside_ids",
      [](const Column& hypotheses, const Column& references, std::optional<Integers> offsets) {
        if (!offsets) return find_words_beside_ids(hypotheses, references, std::nullopt);
        const auto bounds = offsets_of(*offsets, hypotheses.size(), references.size());
        return find_words_beside_ids(hypotheses, references, std::span<const std::int64_t>(bounds));
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a = nb::none(),
      "The first hypothesis and reference of which one is words and the other ids.");
}

}  // namespace cocarde::bindings
