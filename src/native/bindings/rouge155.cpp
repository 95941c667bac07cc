#include "python.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "../kernel.hpp"
#include "../rouge155.hpp"

namespace cocarde::bindings {

namespace {

// Options and word lists of ROUGE-1.5.5, made once for many calls.
struct Rouge155 {
  rouge155::Options options;
  rouge155::Lexicon lexicon;
};

}  // namespace

void bind_rouge155(nb::module_& module) {
  nb::class_<Rouge155>(module, "Rouge155", "ROUGE as ROUGE-1.5.5 counts it.")
      .def(
          "__init__",
          [](Rouge155* self, const Values<std::size_t>& orders, bool lcs, double weight, bool skip,
             bool skip_unigrams, std::int64_t maximum_skip, double alpha, bool best, bool jackknife, bool rounded,
             std::size_t word_limit, std::size_t byte_limit, const Values<std::string>& stop_words,
             const std::string& stemmer) {
            rouge155::Options options;
            options.orders = values_of(orders);
            for (const std::size_t order : options.orders) {
              if (order == 0) throw nb::value_error("an order is 0");
            }
            options.lcs = lcs;
            options.weighted_lcs = weight > 0.0;
            options.weight = weight;
            options.skip = skip;
            options.skip_unigrams = skip_unigrams;
            if (maximum_skip >= 0) options.maximum_skip = static_cast<std::size_t>(maximum_skip);
            options.alpha = alpha;
            options.best = best;
            options.jackknife = jackknife;
            options.rounded = rounded;
            options.limits = {word_limit, byte_limit};
            rouge155::Lexicon lexicon;
            lexicon.stop_words = values_of(stop_words);
            if (!stemmer.empty()) lexicon.stem = stemmer_named(stemmer).stem;
            new (self) Rouge155{std::move(options), std::move(lexicon)};
          },
          "orders"_a, "lcs"_a, "weight"_a, "skip"_a, "skip_unigrams"_a, "maximum_skip"_a, "alpha"_a, "best"_a,
          "jackknife"_a, "rounded"_a, "word_limit"_a, "byte_limit"_a, "stop_words"_a, "stemmer"_a,
          "A weight of 0: no ROUGE-W. A negative maximum_skip, limits of 0, no name of a stemmer: none.")
      .def(
          "rows",
          [](const Rouge155& self, nb::list hypotheses, nb::list references, Integers offsets, Row out,
             std::size_t threads) {
            Keep keep;
            const auto hypothesis_views = views_of(hypotheses, "hypothesis", keep);
            const auto reference_views = views_of(references, "reference", keep);
            const std::size_t width = self.options.types() * rouge155::kFieldsPerType;
            fill_rows(hypothesis_views, reference_views, offsets, width, out, threads,
                      [&](auto bounds, auto rows, ParallelOptions parallel) {
                        for (const std::string_view text : hypothesis_views) parallel.cost += text.size();
                        for (const std::string_view text : reference_views) parallel.cost += text.size();
                        write_rows(bounds, width, rows, parallel, [&] {
                          return rouge155::Worker(self.options, self.lexicon, hypothesis_views, reference_views);
                        });
                      });
          },
          "hypotheses"_a, "references"_a, "reference_offsets"_a, "out"_a, "threads"_a,
          "For each type precision, recall, F and the counts of the references, the hypothesis and both.")
      .def(
          "sentences",
          [](const Rouge155& self, nb::str text) {
            Keep keep;
            const std::string_view view = utf8_view(text, keep);
            return rouge155::sentences(view, self.options.limits, self.lexicon);
          },
          "text"_a, nb::sig("def sentences(self, text: str) -> list[list[str]]"),
          "The words that count, sentence by sentence.");
}

}  // namespace cocarde::bindings
