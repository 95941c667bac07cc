#include "resources.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "../kernel.hpp"
#include "../meteor.hpp"
#include "../words.hpp"

namespace cocarde::bindings {

namespace {

// What METEOR knows of the words of a pair of columns, and what it borrows from Python objects.
struct MeteorLexicon {
  meteor::Lexicon lexicon;
  const Paraphrases* paraphrases = nullptr;
  nb::object table;
  std::shared_ptr<const void> words;  // which it was made of
};

meteor::Options options_for(const meteor::Options& options, const MeteorLexicon& lexicon,
                            const DistinctWords& words) {
  if (lexicon.words != words.identity()) throw nb::value_error("the lexicon is of other words");
  meteor::Options result = options;
  result.paraphrases = lexicon.paraphrases;
  for (const meteor::Stage stage : options.stages) {
    if (stage == meteor::Stage::paraphrase && lexicon.paraphrases == nullptr) {
      throw nb::value_error("there is no paraphrase table");
    }
  }
  return result;
}

MeteorLexicon lexicon_of(const DistinctWords& words, nb::object stems, nb::object functions,
                         const HeldWordNet* wordnet, nb::object paraphrases, std::size_t threads) {
  MeteorLexicon result;
  if (!paraphrases.is_none()) {
    result.paraphrases = &nb::cast<const LoadedParaphrases&>(paraphrases).table;
    result.table = paraphrases;
  }
  const std::size_t count = words.words().size();
  result.words = words.identity();
  Keep keep;
  const auto stem_views = views_of(stems.is_none() ? nb::list() : nb::cast<nb::list>(stems), "stem", keep);
  if (!stems.is_none() && stem_views.size() != count) throw nb::value_error("there is not one stem a word");
  const nb::bytes flags = functions.is_none() ? nb::bytes("", 0) : nb::cast<nb::bytes>(functions);
  if (!functions.is_none() && flags.size() != count) throw nb::value_error("there is not one flag a word");
  result.lexicon.words.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    meteor::Word& word = result.lexicon.words[i];
    if (!stems.is_none()) word.stem_key = meteor::java_hash(stem_views[i]).value;
    word.function = !functions.is_none() && flags.c_str()[i] != 0;
  }
  run_parallel(threads, [&](const ParallelOptions& parallel) {
    result.lexicon.look_up(words.words(), wordnet == nullptr ? nullptr : &wordnet->view, result.paraphrases, parallel);
  });
  return result;
}

}  // namespace

void bind_meteor(nb::module_& module) {
  nb::class_<DistinctWords>(module, "DistinctWords", "The distinct words of two columns.")
      .def(
          "__init__",
          [](DistinctWords* self, const Column& hypotheses, const Column& references, std::size_t threads) {
            run_parallel(threads, [&](const ParallelOptions& parallel) {
              new (self) DistinctWords(hypotheses, references, parallel);
            });
          },
          "hypotheses"_a, "references"_a, "threads"_a)
      .def(
          "words",
          [](const DistinctWords& self) {
            nb::list words;
            for (const Token& token : self.words()) words.append(to_object(token));
            return words;
          },
          nb::sig("def words(self) -> list[str]"), "The words, each once; ids as int.")
      .def(
          "has_ids",
          [](const DistinctWords& self) {
            return std::any_of(self.words().begin(), self.words().end(),
                               [](const Token& token) { return token.is_integer(); });
          },
          "Whether there are ids among them.");
  nb::class_<meteor::Options>(module, "MeteorOptions", "Options of METEOR.")
      .def(
          "__init__",
          [](meteor::Options* self, const Values<std::int64_t>& stages, const Values<double>& weights,
             double alpha, double beta, double gamma, double delta, std::size_t beam, bool characters) {
            if (beam == 0) throw nb::value_error("the beam is 0");
            meteor::Options options;
            for (const std::int64_t stage : values_of(stages)) {
              if (stage < 0 || stage > 3) throw nb::value_error("no such stage");
              options.stages.push_back(static_cast<meteor::Stage>(stage));
            }
            options.weights = values_of(weights);
            if (options.stages.size() != options.weights.size()) {
              throw nb::value_error("there is not one weight a stage");
            }
            options.alpha = alpha;
            options.beta = beta;
            options.gamma = gamma;
            options.delta = delta;
            options.beam = beam;
            options.characters = characters;
            new (self) meteor::Options(std::move(options));
          },
          "stages"_a, "weights"_a, "alpha"_a, "beta"_a, "gamma"_a, "delta"_a, "beam"_a, "characters"_a,
          "Stages: 0 exact, 1 stem, 2 synonym, 3 paraphrase.");
  nb::class_<MeteorLexicon>(module, "MeteorLexicon", "What METEOR knows of each distinct word.")
      .def(
          "__init__",
          [](MeteorLexicon* self, const DistinctWords& words, nb::object stems, nb::object functions,
             const HeldWordNet* wordnet, nb::object paraphrases, std::size_t threads) {
            new (self) MeteorLexicon(lexicon_of(words, stems, functions, wordnet, paraphrases, threads));
          },
          "words"_a, "stems"_a.none(), "functions"_a.none(), "wordnet"_a.none(), "paraphrases"_a.none(), "threads"_a,
          nb::sig("def __init__(self, words: DistinctWords, stems: list[str] | None, functions: bytes | None, "
                  "wordnet: WordNet | None, paraphrases: Paraphrases | None, threads: int) -> None"));
  module.def(
      "meteor_statistics",
      [](const DistinctWords& words, Integers offsets, const MeteorLexicon& lexicon, const meteor::Options& options,
         Row out, std::size_t threads) {
        const meteor::Options full = options_for(options, lexicon, words);
        fill_rows(words.hypotheses(), words.references(), offsets, full.width(), out, threads,
                  [&](auto bounds, auto rows, ParallelOptions parallel) {
                    parallel.cost = words.cost();
                    write_rows(bounds, full.width(), rows, parallel,
                               [&] { return meteor::Worker(words, lexicon.lexicon, full); });
                  });
      },
      "words"_a, "reference_offsets"_a, "lexicon"_a, "options"_a, "out"_a, "threads"_a,
      "Rows of lengths, matches by stage, chunks and matched words, one a hypothesis, written into out.");
  module.def(
      "meteor_pairwise",
      [](const DistinctWords& words, std::size_t first, std::size_t last, const MeteorLexicon& lexicon,
         const meteor::Options& options, Row out, std::size_t threads) {
        const meteor::Options full = options_for(options, lexicon, words);
        fill_pairs(words.hypotheses(), first, last, words.references(), full.width(), out, threads,
                   [&](auto rows, ParallelOptions parallel) {
                     parallel.cost = (last - first) * words.cost();
                     write_pairs(first, last, words.references().size(), full.width(), rows, parallel,
                                 [&] { return meteor::Worker(words, lexicon.lexicon, full); });
                   });
      },
      "words"_a, "first"_a, "last"_a, "lexicon"_a, "options"_a, "out"_a, "threads"_a,
      "Rows for every hypothesis in [first, last) against every single reference.");
  module.def(
      "meteor_alignment",
      [](const DistinctWords& words, std::size_t hypothesis, std::size_t reference, const MeteorLexicon& lexicon,
         const meteor::Options& options) {
        const meteor::Options full = options_for(options, lexicon, words);
        if (hypothesis >= words.hypotheses().size() || reference >= words.references().size()) {
          throw nb::index_error("no such segment");
        }
        meteor::Scorer scorer(lexicon.lexicon, full);
        std::span<const meteor::PlacedMatch> alignment;
        run_alone([&](const StopFlag& stop) {
          alignment =
              scorer.align(words.hypotheses().segment(hypothesis), words.references().segment(reference), stop);
        });
        nb::list matches;
        for (const meteor::PlacedMatch& placed : alignment) {
          matches.append(nb::make_tuple(placed.start, placed.match.length, placed.match.hypothesis_start,
                                        placed.match.hypothesis_length, placed.match.stage));
        }
        return matches;
      },
      "words"_a, "hypothesis"_a, "reference"_a, "lexicon"_a, "options"_a,
      nb::sig("def meteor_alignment(words: DistinctWords, hypothesis: int, reference: int, lexicon: MeteorLexicon, "
              "options: MeteorOptions) -> list[tuple[int, int, int, int, int]]"),
      "Matches by place: start and length in the reference, start and length in the hypothesis, stage.");
}

}  // namespace cocarde::bindings
