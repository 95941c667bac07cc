// Rows of ROUGE (Lin, 2004): precision, recall and F of each segment, type by type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "column.hpp"
#include "lcs.hpp"
#include "ngrams.hpp"
#include "parallel.hpp"

namespace cocarde {

struct RougeType {
  enum class Kind {
    ngrams,
    subsequence,  // rougeL: the longest common subsequence
    summary,      // rougeLsum: the union of those of each reference sentence with all hypothesis sentences
  };
  Kind kind = Kind::ngrams;
  std::size_t order = 1;  // of n-grams
};

// How several references become one row.
enum class RougeReferences {
  best,    // each type, that with the best F; the first of those
  maxima,  // the best precision and the best recall, wherever they come from
  mean,    // the mean of precisions, recalls and Fs
};

// What rougeL looks for.
enum class RougeSubsequence {
  whole,        // one subsequence of the whole texts
  union_words,  // the distinct words in those of all pairs of sentences
  summed,       // those of all pairs of sentences, lengths added
};

struct RougeOptions {
  std::vector<RougeType> types;
  RougeReferences references = RougeReferences::best;
  RougeSubsequence subsequence = RougeSubsequence::whole;
  bool distinct = false;    // n-grams count once, however often they occur
  double beta_squared = 1;  // weight of recall in F
  double epsilon = 0;       // added to the denominator of F
  bool marked = false;      // whether columns have marks of sentences

  std::size_t width() const { return 1 + 3 * types.size(); }
  bool any(RougeType::Kind kind) const {
    return std::any_of(types.begin(), types.end(), [kind](const RougeType& type) { return type.kind == kind; });
  }
  bool sentences() const {
    return any(RougeType::Kind::summary) ||
           (any(RougeType::Kind::subsequence) && subsequence != RougeSubsequence::whole);
  }
  std::size_t order() const {
    std::size_t most = 0;
    for (const RougeType& type : types) {
      if (type.kind == RougeType::Kind::ngrams) most = std::max(most, type.order);
    }
    return most;
  }
};

// A text's tokens, and those of its sentences, one sentence after the other.
class RougeText {
 public:
  RougeText() = default;
  explicit RougeText(const std::shared_ptr<KnownStems>& stems) : buffer_(stems) {}

  // Valid until the next call with the same buffer.
  void read(const Column& column, std::size_t index, bool marked_column) {
    whole = column.tokens(index, buffer_);
    separate = false;
    ends.clear();
    if (!marked_column) return;
    const std::span<const Token> stream = whole;
    const auto mark = std::find_if(stream.begin(), stream.end(), &is_mark);
    if (mark == stream.end() || (mark + 1 == stream.end() && !begins_whole_text(*mark))) {
      whole = flat = stream.first(static_cast<std::size_t>(mark - stream.begin()));
      if (!stream.empty()) ends.push_back(flat.size());
      return;
    }
    flat_.clear();
    for (std::size_t i = 0; i < stream.size(); ++i) {
      if (!is_mark(stream[i])) {
        flat_.push_back(stream[i]);
        continue;
      }
      if (begins_whole_text(stream[i])) {
        separate = true;
        whole = stream.subspan(i + 1);
        break;
      }
      ends.push_back(flat_.size());
    }
    if (!separate) whole = flat_;
    flat = flat_;
  }
  // Whether all of it is one sentence, or nothing.
  bool is_sentence() const { return !separate && ends.size() <= 1; }
  const std::shared_ptr<KnownStems>& stems() const { return buffer_.stems; }

  std::span<const Token> whole;
  std::span<const Token> flat;    // of the sentences
  std::vector<std::size_t> ends;  // of each sentence, in flat
  bool separate = false;          // whether flat differs from whole

 private:
  static bool begins_whole_text(const Token& mark) { return static_cast<Mark>(mark.prefix) == Mark::whole_text; }

  TokenBuffer buffer_;
  std::vector<Token, UninitialisedAllocator<Token>> flat_;
};

struct RougeCounts {
  double hits = 0;
  double hypothesis = 0;
  double reference = 0;
};

struct RougeValues {
  double precision = 0;
  double recall = 0;
  double fmeasure = 0;
};

inline RougeValues rouge_fmeasure(double precision, double recall, const RougeOptions& options) {
  RougeValues values{precision, recall, 0};
  const double below = recall + options.beta_squared * precision + options.epsilon;
  if (below > 0) values.fmeasure = (1 + options.beta_squared) * precision * recall / below;
  return values;
}

inline RougeValues rouge_values(const RougeCounts& counts, const RougeOptions& options) {
  return rouge_fmeasure(counts.hits / std::max(counts.hypothesis, 1.0), counts.hits / std::max(counts.reference, 1.0),
                        options);
}

// Distinct n-grams of two texts and those that are in both.
class DistinctNgrams {
 public:
  // counts[n - 1] for n = 1 … counts.size().
  void count(std::span<const Token> hypothesis, std::span<const Token> reference, std::span<RougeCounts> counts,
             const StopFlag& stop) {
    together_.assign(hypothesis.begin(), hypothesis.end());
    together_.insert(together_.end(), reference.begin(), reference.end());
    if (together_.size() >= kNoId) throw std::length_error("a segment has more than 4,294,967,294 tokens");
    tokens_.reset(together_);
    ids_.resize(together_.size());
    PairTable& numbers = pairs_;
    // Ids of tokens are positions; of longer n-grams they number the distinct ones.
    for (std::size_t i = 0; i < together_.size(); ++i) {
      pause(i, stop);
      ids_[i] = tokens_.insert(static_cast<std::uint32_t>(i));
    }
    words_ = ids_;
    std::size_t limit = together_.size();
    const std::size_t boundary = hypothesis.size();
    for (std::size_t order = 1; order <= counts.size(); ++order) {
      stop.check();
      // An n-gram stands where it begins; of the last order - 1 tokens of a text none begins.
      const std::size_t mine = boundary >= order ? boundary - order + 1 : 0;
      const std::size_t theirs = reference.size() >= order ? reference.size() - order + 1 : 0;
      if (order > 1) {
        numbers.reset(std::max(limit, together_.size()), mine + theirs);
        for (std::size_t i = 0; i < mine; ++i) {
          pause(i, stop);
          ids_[i] = numbers.insert(ids_[i], words_[i + order - 1]);
        }
        for (std::size_t i = boundary; i < boundary + theirs; ++i) {
          pause(i, stop);
          ids_[i] = numbers.insert(ids_[i], words_[i + order - 1]);
        }
        limit = numbers.size();
      }
      std::uint8_t* seen = seen_.zeros(std::max<std::size_t>(1, limit));
      RougeCounts& found = counts[order - 1];
      found = {};
      for (std::size_t i = 0; i < mine; ++i) {
        pause(i, stop);
        found.hypothesis += (seen[ids_[i]] & 1) == 0;
        seen[ids_[i]] |= 1;
      }
      for (std::size_t i = boundary; i < boundary + theirs; ++i) {
        pause(i, stop);
        found.reference += (seen[ids_[i]] & 2) == 0;
        found.hits += seen[ids_[i]] == 1;
        seen[ids_[i]] |= 2;
      }
    }
  }

 private:
  std::vector<Token, UninitialisedAllocator<Token>> together_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint32_t> words_;
  TokenTable tokens_;
  PairTable pairs_;
  Workspace<std::uint8_t> seen_;
};

// One worker's memory.
class RougeWorker {
 public:
  using Options = RougeOptions;
  static constexpr std::size_t kCost = 1;

  RougeWorker(const RougeOptions& options, const Column& hypotheses, const Column& references)
      : options_(options), hypotheses_(hypotheses), references_(references), counts_(options.types.size()) {}

  void read(std::size_t hypothesis) { hypothesis_.read(hypotheses_, hypothesis, options_.marked); }

  // row: 1, then precision, recall and F of each type.
  void row(std::size_t begin, std::size_t end, std::span<double> row, const StopFlag& stop) {
    std::fill(row.begin(), row.end(), 0.0);
    row[0] = 1;
    const auto number = static_cast<double>(end - begin);
    for (std::size_t r = begin; r < end; ++r) {
      reference_.read(references_, r, options_.marked);
      count(hypothesis_, reference_, options_, counts_, stop);
      for (std::size_t t = 0; t < counts_.size(); ++t) {
        const RougeValues found = rouge_values(counts_[t], options_);
        double* const place = row.data() + 1 + 3 * t;
        switch (options_.references) {
          case RougeReferences::best:
            if (r == begin || found.fmeasure > place[2]) {
              place[0] = found.precision;
              place[1] = found.recall;
              place[2] = found.fmeasure;
            }
            break;
          case RougeReferences::maxima: {
            const RougeValues both = rouge_fmeasure(std::max(place[0], found.precision),
                                                    std::max(place[1], found.recall), options_);
            place[0] = both.precision;
            place[1] = both.recall;
            place[2] = both.fmeasure;
            break;
          }
          case RougeReferences::mean:
            place[0] += found.precision / number;
            place[1] += found.recall / number;
            place[2] += found.fmeasure / number;
            break;
        }
      }
    }
  }

 private:
  // counts[t] of each type.
  void count(const RougeText& hypothesis, const RougeText& reference, const RougeOptions& options,
             std::span<RougeCounts> counts, const StopFlag& stop) {
    const bool subsequence = options.any(RougeType::Kind::subsequence);
    const bool summary = options.any(RougeType::Kind::summary);
    const bool parts = subsequence && options.subsequence != RougeSubsequence::whole;
    // The union of the subsequences of one pair of sentences is that subsequence.
    const bool one_pair = hypothesis.is_sentence() && reference.is_sentence();
    const bool sentences = parts || (summary && !one_pair);
    const bool whole = (subsequence && !parts) || (summary && one_pair);
    std::size_t longest = 0;
    bool interned = false;
    limit_ = hypothesis.whole.size();
    orders_.resize(std::max<std::size_t>(1, options.order()));
    matches_.resize(options.distinct ? 1 : orders_.size());
    const auto see = [&](std::span<const NgramMatcher::Entry> mine, std::span<const NgramMatcher::Entry> theirs) {
      const auto id_of = [](const NgramMatcher::Entry& entry) { return entry.id; };
      hypothesis_ids_.resize(mine.size());
      if (whole) {
        // Only what both texts have can be in a common subsequence.
        std::size_t shared = 0;
        for (const NgramMatcher::Entry& entry : mine) {
          hypothesis_ids_[shared] = entry.id;
          shared += matcher_.shared(entry.id);
        }
        reference_ids_.resize(theirs.size());
        std::transform(theirs.begin(), theirs.end(), reference_ids_.begin(), id_of);
        longest = lcs_.length(std::span(hypothesis_ids_).first(shared), reference_ids_, limit_, stop);
      }
      std::transform(mine.begin(), mine.end(), hypothesis_ids_.begin(), id_of);
      if (sentences && !hypothesis.separate && !reference.separate) {
        reference_ids_.assign(reference.whole.size(), kNoId);
        for (const auto& entry : theirs) reference_ids_[entry.start] = entry.id;
        interned = true;
      }
    };
    if (!options.distinct || subsequence || summary) {
      matcher_.count(hypothesis.whole, {&reference.whole, 1}, true, matches_, stop, see);
    }
    if (options.distinct && options.order() > 0) distinct_.count(hypothesis.whole, reference.whole, orders_, stop);
    if (sentences && !interned) intern_sentences(hypothesis.flat, reference.flat, stop);

    for (std::size_t t = 0; t < options.types.size(); ++t) {
      const RougeType& type = options.types[t];
      RougeCounts& found = counts[t];
      switch (type.kind) {
        case RougeType::Kind::ngrams:
          if (options.distinct) {
            found = orders_[type.order - 1];
          } else {
            found = {matches_[type.order - 1], ngrams_of(hypothesis.whole, type.order),
                     ngrams_of(reference.whole, type.order)};
          }
          break;
        case RougeType::Kind::subsequence:
          if (options.subsequence == RougeSubsequence::whole) {
            found = subsequence_of(longest, hypothesis, reference);
          } else if (options.subsequence == RougeSubsequence::union_words) {
            found = union_of_words(hypothesis, reference, stop);
          } else {
            found = summed(hypothesis, reference, stop);
          }
          break;
        case RougeType::Kind::summary:
          found = one_pair ? subsequence_of(longest, hypothesis, reference) : union_of(hypothesis, reference, stop);
          break;
      }
    }
  }

  static double ngrams_of(std::span<const Token> tokens, std::size_t order) {
    return tokens.size() >= order ? static_cast<double>(tokens.size() - order + 1) : 0.0;
  }

  static RougeCounts subsequence_of(std::size_t length, const RougeText& hypothesis, const RougeText& reference) {
    return {static_cast<double>(length), static_cast<double>(hypothesis.whole.size()),
            static_cast<double>(reference.whole.size())};
  }

  // Ids of the sentences' tokens; kNoId where the hypothesis does not have the token.
  void intern_sentences(std::span<const Token> hypothesis, std::span<const Token> reference, const StopFlag& stop) {
    limit_ = hypothesis.size();
    hypothesis_ids_.clear();
    reference_ids_.assign(reference.size(), kNoId);
    if (hypothesis.empty()) return;
    if (hypothesis.size() >= kNoId) throw std::length_error("a segment has more than 4,294,967,294 tokens");
    tokens_.reset(hypothesis);
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
      pause(i, stop);
      hypothesis_ids_.push_back(tokens_.insert(static_cast<std::uint32_t>(i)));
    }
    for (std::size_t i = 0; i < reference.size(); ++i) {
      pause(i, stop);
      reference_ids_[i] = tokens_.lookup(reference[i]);
    }
  }

  // Calls body(ids) for each sentence.
  template <class Body>
  static void each_sentence(const std::vector<std::size_t>& ends, const std::vector<std::uint32_t>& ids, Body&& body) {
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      body(std::span<const std::uint32_t>(ids).subspan(begin, end - begin));
      begin = end;
    }
  }

  // Section 3.2 of the paper, with rouge-score's guard against counting a word more often than either
  // text has it.
  RougeCounts union_of(const RougeText& hypothesis, const RougeText& reference, const StopFlag& stop) {
    RougeCounts found{0, static_cast<double>(hypothesis.flat.size()), static_cast<double>(reference.flat.size())};
    std::uint32_t* left = left_.zeros(std::max<std::size_t>(1, limit_));
    for (const std::uint32_t id : hypothesis_ids_) ++left[id];
    each_sentence(reference.ends, reference_ids_, [&](std::span<const std::uint32_t> rows) {
      if (rows.empty()) return;
      lcs_.set_rows(rows, limit_, stop);
      each_sentence(hypothesis.ends, hypothesis_ids_, [&](std::span<const std::uint32_t> columns) {
        lcs_.trace(columns, stop);
      });
      lcs_.each_taken([&](std::size_t row) {
        std::uint32_t& rest = left[rows[row]];
        if (rest == 0) return;
        --rest;
        ++found.hits;
      });
    });
    return found;
  }

  // The rows are the hypothesis's here, which is how this convention breaks ties.
  RougeCounts union_of_words(const RougeText& hypothesis, const RougeText& reference, const StopFlag& stop) {
    RougeCounts distinct;
    distinct_.count(hypothesis.flat, reference.flat, {&distinct, 1}, stop);
    distinct.hits = 0;
    std::uint32_t* taken = left_.zeros(std::max<std::size_t>(1, limit_));
    each_sentence(hypothesis.ends, hypothesis_ids_, [&](std::span<const std::uint32_t> rows) {
      lcs_.set_rows(rows, limit_, stop);
      each_sentence(reference.ends, reference_ids_, [&](std::span<const std::uint32_t> columns) {
        lcs_.trace(columns, stop);
      });
      lcs_.each_taken([taken, rows](std::size_t row) { taken[rows[row]] = 1; });
    });
    for (std::size_t id = 0; id < limit_; ++id) distinct.hits += taken[id];
    return distinct;
  }

  RougeCounts summed(const RougeText& hypothesis, const RougeText& reference, const StopFlag& stop) {
    RougeCounts found{0, static_cast<double>(hypothesis.flat.size()), static_cast<double>(reference.flat.size())};
    each_sentence(hypothesis.ends, hypothesis_ids_, [&](std::span<const std::uint32_t> mine) {
      each_sentence(reference.ends, reference_ids_, [&](std::span<const std::uint32_t> theirs) {
        found.hits += static_cast<double>(lcs_.length(mine, theirs, limit_, stop));
      });
    });
    return found;
  }

  const RougeOptions& options_;
  const Column& hypotheses_;
  const Column& references_;
  RougeText hypothesis_;
  RougeText reference_{hypothesis_.stems()};
  NgramMatcher matcher_;
  LcsMatcher lcs_;
  DistinctNgrams distinct_;
  TokenTable tokens_;
  std::size_t limit_ = 0;  // ids are below it
  std::vector<std::uint32_t> hypothesis_ids_;
  std::vector<std::uint32_t> reference_ids_;
  std::vector<double> matches_;
  std::vector<RougeCounts> orders_;
  std::vector<RougeCounts> counts_;
  Workspace<std::uint32_t> left_;
};

}  // namespace cocarde
