#include "kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "../rouge.hpp"

namespace cocarde::bindings {

namespace {

// A type is its order for n-grams, 0 for rougeL and -1 for rougeLsum.
RougeOptions rouge_options(const Values<std::int64_t>& types, const std::string& references,
                           const std::string& subsequence, bool distinct, double beta, double epsilon,
                           bool marked) {
  RougeOptions options;
  for (const std::int64_t type : values_of(types)) {
    if (type < -1) throw nb::value_error("no such type");
    if (type == -1) {
      options.types.push_back({RougeType::Kind::summary, 0});
    } else if (type == 0) {
      options.types.push_back({RougeType::Kind::subsequence, 0});
    } else {
      options.types.push_back({RougeType::Kind::ngrams, static_cast<std::size_t>(type)});
    }
  }
  if (references == "best") {
    options.references = RougeReferences::best;
  } else if (references == "maxima") {
    options.references = RougeReferences::maxima;
  } else if (references == "mean") {
    options.references = RougeReferences::mean;
  } else {
    throw nb::value_error(("references is best, maxima or mean, not " + references).c_str());
  }
  if (subsequence == "whole") {
    options.subsequence = RougeSubsequence::whole;
  } else if (subsequence == "union") {
    options.subsequence = RougeSubsequence::union_words;
  } else if (subsequence == "summed") {
    options.subsequence = RougeSubsequence::summed;
  } else {
    throw nb::value_error(("subsequence is whole, union or summed, not " + subsequence).c_str());
  }
  options.distinct = distinct;
  options.beta_squared = beta * beta;
  options.epsilon = epsilon;
  options.marked = marked || options.sentences();
  return options;
}

}  // namespace

void bind_rouge(nb::module_& module) {
  bind_kernel<RougeWorker>(module, "Rouge", "Rows of 1, then precision, recall and F of each type.")
      .def(
          "__init__",
          [](RougeOptions* self, const Values<std::int64_t>& types, const std::string& several,
             const std::string& subsequence, bool distinct, double beta, double epsilon, bool marked) {
            new (self) RougeOptions(rouge_options(types, several, subsequence, distinct, beta, epsilon, marked));
          },
          "types"_a, "several"_a, "subsequence"_a, "distinct"_a, "beta"_a, "epsilon"_a, "marked"_a);
}

}  // namespace cocarde::bindings
