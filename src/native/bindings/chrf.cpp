#include "kernel.hpp"

#include <cstddef>
#include <string>

#include "../chrf.hpp"

namespace cocarde::bindings {

namespace {

ChrfOptions chrf_options(std::size_t least_characters, std::size_t characters, std::size_t words,
                         const std::string& spaces, const std::string& formula, double beta_squared,
                         bool scored) {
  ChrfOptions options;
  options.least_characters = least_characters;
  options.characters = characters;
  options.words = words;
  options.beta_squared = beta_squared;
  options.scored = scored;
  if (characters + words == 0 || (characters > 0 && (least_characters == 0 || least_characters > characters))) {
    throw nb::value_error("no orders");
  }
  if (spaces == "counted") {
    options.spaces = ChrfSpaces::counted;
  } else if (spaces == "dropped") {
    options.spaces = ChrfSpaces::dropped;
  } else if (spaces == "unicode") {
    options.spaces = ChrfSpaces::unicode;
  } else if (spaces == "blanks") {
    options.spaces = ChrfSpaces::blanks;
  } else {
    throw nb::value_error(("spaces is counted, dropped, unicode or blanks, not " + spaces).c_str());
  }
  if (formula == "effective") {
    options.formula = ChrfFormula::effective;
  } else if (formula == "smoothed") {
    options.formula = ChrfFormula::smoothed;
  } else if (formula == "matched") {
    options.formula = ChrfFormula::matched;
  } else if (formula == "single") {
    options.formula = ChrfFormula::single;
  } else {
    throw nb::value_error(("formula is effective, smoothed, matched or single, not " + formula).c_str());
  }
  return options;
}

}  // namespace

void bind_chrf(nb::module_& module) {
  bind_kernel<ChrfWorker>(module, "Chrf",
                          "Rows of n-grams of the hypothesis, of the reference and in both, of each order.")
      .def(
          "__init__",
          [](ChrfOptions* self, std::size_t least_characters, std::size_t characters, std::size_t words,
             const std::string& spaces, const std::string& formula, double beta_squared, bool scored) {
            new (self) ChrfOptions(
                chrf_options(least_characters, characters, words, spaces, formula, beta_squared, scored));
          },
          "least_characters"_a, "characters"_a, "words"_a, "spaces"_a, "formula"_a, "beta_squared"_a, "scored"_a);
}

}  // namespace cocarde::bindings
