// WordNet and the paraphrase tables.
#include "resources.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cocarde::bindings {

namespace {

// Calls a query of the table without the GIL.
template <class Found>
std::vector<Found> found_in(const HeldWordNet& self, nb::str word,
                            void (WordNet::*query)(std::string_view, std::vector<Found>&) const) {
  Keep keep;
  const std::string_view view = utf8_view(word, keep);
  std::vector<Found> found;
  const nb::gil_scoped_release unlocked;
  (self.view.*query)(view, found);
  return found;
}

// Threads that share a builder take turns.
struct ParaphraseBuilder {
  cocarde::ParaphraseBuilder builder;
  std::mutex mutex;

  template <class Use>
  auto use(Use&& use) {
    const nb::gil_scoped_release guard;
    const std::lock_guard lock(mutex);
    return use(builder);
  }
};

}  // namespace

void bind_wordnet(nb::module_& module) {
  nb::class_<HeldWordNet>(module, "WordNet", "WordNet 3.0 in a table in memory.")
      .def(nb::init<Bytes>(), "table"_a,
           "Raises ValueError, which says what is wrong, unless the bytes are a whole table.")
      .def(
          "meteor_synsets",
          [](const HeldWordNet& self, nb::str word) {
            return found_in(self, word, &WordNet::meteor_synsets);
          },
          "word"_a, "The sorted numbers of the synsets that METEOR 1.5 finds for a word.")
      .def(
          "nltk_related",
          [](const HeldWordNet& self, nb::str word) {
            const auto found = found_in(self, word, &WordNet::nltk_related);
            return std::vector<std::string>(found.begin(), found.end());
          },
          "word"_a, "The distinct names of a single word in all synsets that NLTK finds for a word.")
      .def(
          "nltk_relations",
          [](const HeldWordNet& self, nb::list words) {
            Keep keep;
            const std::vector<std::string_view> views = views_of(words, "word", keep);
            std::vector<std::int64_t> offsets{0};
            std::vector<std::uint32_t> related;
            {
              const nb::gil_scoped_release unlocked;
              std::unordered_map<std::string_view, std::uint32_t> numbers;
              for (const std::string_view view : views) {
                numbers.emplace(view, static_cast<std::uint32_t>(numbers.size()));
              }
              std::vector<std::string_view> found;
              for (const std::string_view view : views) {
                self.view.nltk_related(view, found);
                for (const std::string_view name : found) {
                  const auto place = numbers.find(name);
                  if (place != numbers.end() && name != view) related.push_back(place->second);
                }
                offsets.push_back(static_cast<std::int64_t>(related.size()));
              }
            }
            return std::pair(std::move(offsets), std::move(related));
          },
          "words"_a, "Which of these distinct words each is related to: offsets, and numbers of words.");
}

void bind_paraphrases(nb::module_& module) {
  module.attr("PARAPHRASE_FORMAT") = paraphrases::kVersion;
  nb::exception<BadParaphraseImage>(module, "BadParaphraseImage", PyExc_ValueError);
  nb::exception<BadParaphraseText>(module, "BadParaphraseText", PyExc_ValueError);

  nb::class_<ParaphraseBuilder>(module, "ParaphraseBuilder", "Compiles the text of METEOR's paraphrase table.")
      .def(nb::init<>())
      .def(
          "add",
          [](ParaphraseBuilder& self, nb::bytes piece) {
            const std::string_view view(piece.c_str(), piece.size());
            self.use([view](cocarde::ParaphraseBuilder& builder) { builder.add(view); });
          },
          "piece"_a, "The next bytes of the text.")
      .def(
          "finish",
          [](ParaphraseBuilder& self, const std::string& source) {
            const std::string image =
                self.use([&source](cocarde::ParaphraseBuilder& builder) { return builder.finish(source); });
            return nb::bytes(image.data(), image.size());
          },
          "source"_a, "The compiled table, marked as made from `source` (64 bytes at most).")
      .def_prop_ro(
          "lines",
          [](ParaphraseBuilder& self) {
            return self.use([](const cocarde::ParaphraseBuilder& builder) { return builder.lines(); });
          },
          "The number of the last line read, from 1.")
      .def_prop_ro("entries", [](ParaphraseBuilder& self) {
        return self.use([](const cocarde::ParaphraseBuilder& builder) { return builder.entries(); });
      });

  nb::class_<LoadedParaphrases>(module, "Paraphrases", "A compiled paraphrase table where it lies in memory.")
      .def(
          "__init__",
          [](LoadedParaphrases* self, Bytes image) {
            const std::string_view view(reinterpret_cast<const char*>(image.data()), image.size());
            const auto table = [view] {
              const nb::gil_scoped_release guard;
              return Paraphrases(view);
            }();
            new (self) LoadedParaphrases{std::move(image), table};
          },
          "image"_a, "Raises BadParaphraseImage unless every byte is what the builder wrote.")
      .def(
          "match",
          [](const LoadedParaphrases& self, nb::list hypothesis, nb::list reference) {
            Keep keep;
            const auto hypothesis_views = views_of(hypothesis, "hypothesis word", keep);
            const auto reference_views = views_of(reference, "reference word", keep);
            std::vector<ParaphraseMatch> matches;
            run_alone([&](const StopFlag& stop) {
              const auto numbers = [&self](const std::vector<std::string_view>& words) {
                std::vector<std::uint32_t> result;
                for (const std::string_view word : words) result.push_back(self.table.word(word));
                return result;
              };
              Paraphrases::Scratch scratch;
              self.table.match(numbers(hypothesis_views), numbers(reference_views), scratch, stop,
                               [&matches](const ParaphraseMatch& match) { matches.push_back(match); });
            });
            nb::list result;
            for (const ParaphraseMatch& match : matches) {
              result.append(nb::make_tuple(match.reference_start, match.reference_length, match.hypothesis_start,
                                           match.hypothesis_length));
            }
            return result;
          },
          "hypothesis"_a, "reference"_a,
          nb::sig("def match(self, hypothesis: list[str], reference: list[str]) -> list[tuple[int, int, int, int]]"),
          "(reference start, length, hypothesis start, length) of each match, in METEOR's order.")
      .def_prop_ro("source", [](const LoadedParaphrases& self) { return std::string(self.table.source()); },
                   "What the table was made from, as the builder was told.");
}

}  // namespace cocarde::bindings
