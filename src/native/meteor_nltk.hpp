// METEOR as NLTK matches words: greedily, from the last word to the first, in three stages.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "words.hpp"

namespace cocarde::meteor_nltk {

struct Options {
  double alpha = 0.9;
  double beta = 3.0;
  double gamma = 0.5;
};

// What is known of each distinct word. The stages after the first see stems alone, as NLTK's do: it
// hands the stems that are left to the search for synonyms.
struct Lexicon {
  std::span<const std::uint32_t> forms;            // of each word: the number of what is compared exactly
  std::span<const std::uint32_t> stems;            // of each word: the number of its stem
  std::span<const std::int64_t> related_offsets;   // of each stem: where its related stems are
  std::span<const std::uint32_t> related;

  std::span<const std::uint32_t> related_to(std::uint32_t stem) const {
    const auto begin = static_cast<std::size_t>(related_offsets[stem]);
    return related.subspan(begin, static_cast<std::size_t>(related_offsets[stem + 1]) - begin);
  }
};

struct Row {
  double score = 0.0;
  double precision = 0.0;
  double recall = 0.0;
  double fmean = 0.0;
  double penalty = 0.0;
  std::size_t matches = 0;
  std::size_t chunks = 0;
  std::size_t hypothesis_length = 0;
  std::size_t reference_length = 0;

  static constexpr std::size_t kWidth = 10;

  // The first field counts segments.
  void write(std::span<double> out) const {
    const double fields[kWidth] = {1.0,
                                   score,
                                   precision,
                                   recall,
                                   fmean,
                                   penalty,
                                   static_cast<double>(matches),
                                   static_cast<double>(chunks),
                                   static_cast<double>(hypothesis_length),
                                   static_cast<double>(reference_length)};
    std::copy_n(fields, kWidth, out.begin());
  }
};

// Matches one pair of segments after the other; its memory serves all of them.
class Matcher {
 public:
  explicit Matcher(const Lexicon& lexicon) : lexicon_(lexicon) {
    std::uint32_t largest = 0;
    for (const auto numbers : {lexicon.forms, lexicon.stems, lexicon.related}) {
      for (const std::uint32_t number : numbers) largest = std::max(largest, number);
    }
    last_.assign(std::size_t{largest} + 1, kNone);
  }

  Row score(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
            const Options& options) {
    Row row;
    row.hypothesis_length = hypothesis.size();
    row.reference_length = reference.size();
    match(hypothesis, reference);
    count(row);
    if (row.matches == 0) return row;  // where NLTK divides by zero and says 0
    const auto matches = static_cast<double>(row.matches);
    row.precision = matches / static_cast<double>(hypothesis.size());
    row.recall = matches / static_cast<double>(reference.size());
    row.fmean = (row.precision * row.recall) / (options.alpha * row.precision + (1.0 - options.alpha) * row.recall);
    row.penalty = options.gamma * std::pow(static_cast<double>(row.chunks) / matches, options.beta);
    row.score = (1.0 - row.penalty) * row.fmean;
    return row;
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  // Fills matched_: of each hypothesis word the place of its reference word.
  void match(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference) {
    matched_.assign(hypothesis.size(), kNone);
    taken_.assign(reference.size(), 0);
    before_.resize(reference.size());
    match_equal(hypothesis, reference, lexicon_.forms);
    forget(reference, lexicon_.forms);
    match_equal(hypothesis, reference, lexicon_.stems);
    // The places of the stems that are left are still known.
    for (std::size_t i = hypothesis.size(); i-- > 0;) {
      if (matched_[i] != kNone) continue;
      std::size_t best = kNone;
      for (const std::uint32_t stem : lexicon_.related_to(lexicon_.stems[hypothesis[i]])) {
        const std::size_t place = last_[stem];
        if (place != kNone && (best == kNone || place > best)) best = place;
      }
      if (best != kNone) take(i, best, lexicon_.stems[reference[best]]);
    }
    forget(reference, lexicon_.stems);
  }

  // Matches words of the same number: each, from the last on, with the last one that is free.
  void match_equal(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                   std::span<const std::uint32_t> numbers) {
    for (std::size_t j = 0; j < reference.size(); ++j) {
      if (taken_[j] != 0) continue;
      std::size_t& last = last_[numbers[reference[j]]];
      before_[j] = last;
      last = j;
    }
    for (std::size_t i = hypothesis.size(); i-- > 0;) {
      const std::uint32_t number = numbers[hypothesis[i]];
      if (matched_[i] == kNone && last_[number] != kNone) take(i, last_[number], number);
    }
  }

  void take(std::size_t i, std::size_t j, std::uint32_t number) {
    matched_[i] = j;
    taken_[j] = 1;
    last_[number] = before_[j];
  }

  void forget(std::span<const std::uint32_t> reference, std::span<const std::uint32_t> numbers) {
    for (const std::uint32_t word : reference) last_[numbers[word]] = kNone;
  }

  // A chunk is a run of neighbours on both sides.
  void count(Row& row) const {
    std::size_t previous = kNone;
    for (const std::size_t place : matched_) {
      if (place != kNone) {
        ++row.matches;
        if (previous == kNone || place != previous + 1) ++row.chunks;
      }
      previous = place;
    }
  }

  Lexicon lexicon_;
  std::vector<std::size_t> last_;     // of each number: the last free place of it in the reference
  std::vector<std::size_t> before_;   // of each place: the free one before it with the same number
  std::vector<std::size_t> matched_;
  std::vector<char> taken_;
};

// One worker's memory. The row is that of the best reference, the first of those.
class Worker {
 public:
  Worker(const WordSegments& hypotheses, const WordSegments& references, const Lexicon& lexicon,
         const Options& options)
      : hypotheses_(hypotheses), references_(references), options_(options), matcher_(lexicon) {}

  void read(std::size_t hypothesis) { hypothesis_ = hypotheses_.segment(hypothesis); }

  void row(std::size_t begin, std::size_t end, std::span<double> out, const StopFlag& stop) {
    Row best;
    for (std::size_t r = begin; r < end; ++r) {
      if (r > begin) stop.check();
      const Row row = matcher_.score(hypothesis_, references_.segment(r), options_);
      if (r == begin || row.score > best.score) best = row;
    }
    best.write(out);
  }

 private:
  const WordSegments& hypotheses_;
  const WordSegments& references_;
  const Options& options_;
  Matcher matcher_;
  std::span<const std::uint32_t> hypothesis_;
};

}  // namespace cocarde::meteor_nltk
