#include "python.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../kernel.hpp"
#include "../meteor_nltk.hpp"
#include "../words.hpp"

namespace cocarde::bindings {

namespace {

// METEOR as NLTK matches words, with what it knows of each distinct word.
struct MeteorNltk {
  using Numbers = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  MeteorNltk(const Numbers& given_forms, const Numbers& given_stems, const Integers& given_offsets,
             const Numbers& given_related, meteor_nltk::Options given_options)
      : forms(copy_of(given_forms)),
        stems(copy_of(given_stems)),
        related(copy_of(given_related)),
        options(given_options) {
    if (forms.size() != stems.size()) throw nb::value_error("forms and stems differ in number");
    if (given_offsets.size() == 0) throw nb::value_error("offsets do not fit");
    const std::size_t stem_count = given_offsets.size() - 1;
    related_offsets = offsets_of(given_offsets, stem_count, related.size());
    check_numbers(forms, forms.size());
    check_numbers(stems, stem_count);
    check_numbers(related, stem_count);
  }

  std::vector<std::uint32_t> forms, stems, related;
  std::vector<std::int64_t> related_offsets;
  meteor_nltk::Options options;

  meteor_nltk::Worker worker(const DistinctWords& words) const {
    return {words.hypotheses(), words.references(), {forms, stems, related_offsets, related}, options};
  }

  void check(const DistinctWords& words) const {
    if (words.words().size() != forms.size()) throw nb::value_error("there is not one form a word");
  }

 private:
  static void check_numbers(std::span<const std::uint32_t> numbers, std::size_t end) {
    for (const std::uint32_t number : numbers) {
      if (number >= end) throw nb::value_error("a number is out of range");
    }
  }
};

}  // namespace

void bind_meteor_nltk(nb::module_& module) {
  using Numbers = MeteorNltk::Numbers;
  nb::class_<MeteorNltk>(module, "MeteorNltk", "METEOR as NLTK matches words, given as numbers of distinct words.")
      .def(
          "__init__",
          [](MeteorNltk* self, Numbers forms, Numbers stems, Integers related_offsets, Numbers related, double alpha,
             double beta, double gamma) {
            new (self) MeteorNltk(forms, stems, related_offsets, related, {alpha, beta, gamma});
          },
          "forms"_a, "stems"_a, "related_offsets"_a, "related"_a, "alpha"_a, "beta"_a, "gamma"_a,
          "The forms and the stems of words, by number; the stems that are related to each stem.")
      .def(
          "statistics",
          [](const MeteorNltk& self, const DistinctWords& words, Integers reference_offsets, Row out,
             std::size_t threads) {
            self.check(words);
            fill_rows(words.hypotheses(), words.references(), reference_offsets, meteor_nltk::Row::kWidth, out,
                      threads, [&](auto bounds, auto rows, ParallelOptions parallel) {
                        parallel.cost = words.cost() / 4;
                        write_rows(bounds, meteor_nltk::Row::kWidth, rows, parallel,
                                   [&] { return self.worker(words); });
                      });
          },
          "words"_a, "reference_offsets"_a, "out"_a, "threads"_a, "Rows of the best reference of each hypothesis.")
      .def(
          "pairwise",
          [](const MeteorNltk& self, const DistinctWords& words, Row out, std::size_t threads) {
            self.check(words);
            const WordSegments& hypotheses = words.hypotheses();
            const WordSegments& references = words.references();
            fill_pairs(hypotheses, 0, hypotheses.size(), references, meteor_nltk::Row::kWidth, out, threads,
                       [&](auto rows, ParallelOptions parallel) {
                         parallel.cost =
                             16 * (hypotheses.total() * references.size() + references.total() * hypotheses.size());
                         write_pairs(0, hypotheses.size(), references.size(), meteor_nltk::Row::kWidth, rows,
                                     parallel, [&] { return self.worker(words); });
                       });
          },
          "words"_a, "out"_a, "threads"_a,
          "Rows of every hypothesis against every single reference.");
}

}  // namespace cocarde::bindings
