// ROUGE as the Perl program ROUGE-1.5.5 counts it (Lin, 2004), from text to rows.
//
// A text is what that program reads from a file with one sentence a line. N-grams and skip-bigrams run
// through the whole text; the longest common subsequences (LCS) run over pairs of sentences.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lcs.hpp"
#include "ngrams.hpp"
#include "parallel.hpp"
#include "stemmers.hpp"
#include "tokens.hpp"
#include "word_table.hpp"

namespace cocarde::rouge155 {

// ---------------------------------------------------------------------------------------------------
// Words

// What decides which words count, and as what. Shared by all workers.
struct Lexicon {
  std::vector<std::string> stop_words;  // dropped; compared before stemming
  StemFunction stem = nullptr;          // for words of more than three bytes

  // What a word of lower-case letters and digits counts as.
  std::string normal_form(std::string_view word) const {
    std::string result(word);
    if (stem == nullptr || word.size() <= 3) return result;
    return std::string(stem(result.data(), result.size()));
  }
};

// The words that one worker has met, each stemmed and looked up once, and numbers for them that are
// small within one segment.
class Vocabulary {
 public:
  explicit Vocabulary(const Lexicon& lexicon) : lexicon_(&lexicon) { forget(); }

  // Numbers start at 0 again.
  void start_segment() {
    // A bound on memory: text without end has words without end.
    if (words_.words().size() + forms_.words().size() > kMost) forget();
    size_ = 0;
    if (++segment_ == 0) {
      std::fill(local_.begin(), local_.end(), Local{});
      segment_ = 1;
    }
  }
  // kNoId for a word that does not count.
  std::uint32_t number(const Token& word) {
    const std::uint32_t place = words_.insert(word);
    if (place == form_of_.size()) form_of_.push_back(add_form(word.text()));
    const std::uint32_t form = form_of_[place];
    if (form == kNoId) return kNoId;
    Local& local = local_[form];
    if (local.segment != segment_) local = {segment_, size_++};
    return local.number;
  }
  // How many numbers this segment has used.
  std::uint32_t size() const { return size_; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 20;
  struct Local {
    std::uint32_t segment = 0;
    std::uint32_t number = 0;
  };

  void forget() {
    words_ = WordTable();
    forms_ = WordTable();
    form_of_.clear();
    local_.clear();
    for (const std::string& word : lexicon_->stop_words) {
      if (words_.insert(make_token(word.data(), word.size())) == form_of_.size()) form_of_.push_back(kNoId);
    }
  }
  std::uint32_t add_form(std::string_view word) {
    const std::string form = lexicon_->normal_form(word);
    const std::uint32_t number = forms_.insert(make_token(form.data(), form.size()));
    if (number == local_.size()) local_.push_back({});
    return number;
  }

  const Lexicon* lexicon_;
  WordTable words_;                     // as they stand in the text, in lower case
  WordTable forms_;                     // as they count
  std::vector<std::uint32_t> form_of_;  // by word
  std::vector<Local> local_;            // by form
  std::uint32_t segment_ = 0;
  std::uint32_t size_ = 0;
};

// ---------------------------------------------------------------------------------------------------
// Texts

struct Limits {
  std::size_t words = 0;  // as white space cuts them; 0: no limit
  std::size_t bytes = 0;  // of UTF-8; 0: no limit
};

// The words of a text in both readings of the program. They differ under a limit in bytes alone: the
// reading for LCS does not add up the sentences' sizes, so the limit holds for each sentence, and the
// first that reaches it is the last.
struct Reading {
  std::vector<std::uint32_t> words;           // of the whole text
  std::vector<std::uint32_t> sentence_words;  // of all sentences, one behind the other
  std::vector<std::size_t> ends;              // of each sentence, in sentence_words

  std::size_t sentences() const { return ends.size(); }
  std::span<const std::uint32_t> sentence(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(sentence_words).subspan(begin, ends[i] - begin);
  }
};

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The start of `line` that holds its first `most` fields, and how many fields it holds. White space
// before the first word makes an empty field.
inline std::pair<std::string_view, std::size_t> take_fields(std::string_view line, std::size_t most) {
  std::size_t i = 0;
  std::size_t fields = 0;
  std::size_t end = 0;
  bool leading = !line.empty() && is_space(line[0]);
  while (fields < most) {
    while (i < line.size() && is_space(line[i])) ++i;
    if (i == line.size()) break;
    if (leading) {
      leading = false;
      if (++fields == most) break;
    }
    while (i < line.size() && !is_space(line[i])) ++i;
    ++fields;
    end = i;
  }
  return {line.substr(0, end), fields};
}

// Cuts texts into sentences, sentences into words.
class Reader {
 public:
  // add(word) for each word of a piece of text: runs of letters and digits of ASCII, in lower case.
  template <class Add>
  void for_words(std::string_view piece, Add&& add) {
    if (piece.empty()) return;
    char* lowered = lowered_.room(piece.size());
    for (std::size_t i = 0; i < piece.size(); ++i) lowered[i] = kLower[static_cast<unsigned char>(piece[i])];
    const char* const end = lowered + piece.size();
    const char* p = lowered;
    for (;;) {
      while (p != end && *p == 0) ++p;
      if (p == end) return;
      const char* const start = p;
      while (p != end && *p != 0) ++p;
      add(make_token(start, static_cast<std::size_t>(p - start), end));
    }
  }

  // Calls piece(text) for each sentence within the limit, empty lines left out.
  template <class Piece>
  static void for_sentences(std::string_view text, const Limits& limits, bool each_sentence, Piece&& piece) {
    std::size_t used = 0;
    while (!text.empty()) {
      const std::size_t feed = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, feed);
      text.remove_prefix(std::min(feed + 1, text.size()));
      if (line.empty()) continue;
      if (limits.words > 0) {
        const auto [taken, fields] = take_fields(line, limits.words - used);
        piece(taken);
        used += fields;
        if (used == limits.words) return;
      } else if (limits.bytes > 0) {
        const std::size_t left = limits.bytes - used;
        piece(line.substr(0, left));
        if (line.size() >= left) return;
        if (!each_sentence) used += line.size();
      } else {
        piece(line);
      }
    }
  }

  void read(std::string_view text, const Limits& limits, Vocabulary& vocabulary, Reading& out) {
    out.words.clear();
    out.sentence_words.clear();
    out.ends.clear();
    for_sentences(text, limits, true, [&](std::string_view sentence) {
      add_words(sentence, vocabulary, out.sentence_words);
      out.ends.push_back(out.sentence_words.size());
    });
    if (limits.bytes == 0) {
      out.words = out.sentence_words;
      return;
    }
    for_sentences(text, limits, false,
                  [&](std::string_view sentence) { add_words(sentence, vocabulary, out.words); });
  }

 private:
  static constexpr std::array<char, 256> kLower = [] {
    std::array<char, 256> table{};
    for (char c = '0'; c <= '9'; ++c) table[static_cast<unsigned char>(c)] = c;
    for (char c = 'a'; c <= 'z'; ++c) {
      table[static_cast<unsigned char>(c)] = c;
      table[static_cast<unsigned char>(c - 'a' + 'A')] = c;
    }
    return table;
  }();

  void add_words(std::string_view piece, Vocabulary& vocabulary, std::vector<std::uint32_t>& words) {
    for_words(piece, [&](const Token& token) {
      const std::uint32_t number = vocabulary.number(token);
      if (number != kNoId) words.push_back(number);
    });
  }

  Workspace<char> lowered_;
};

// ---------------------------------------------------------------------------------------------------
// Weighted longest common subsequences of two sentences

// How many rows to keep at once, so that `rows` rows of `width` bytes take little memory: all, or about
// the square root of their number, in which case the rows are computed twice.
inline std::size_t rows_at_once(std::size_t rows, std::size_t width) {
  constexpr std::size_t kMemory = std::size_t{1} << 25;
  if (rows * width <= kMemory) return std::max<std::size_t>(rows, 1);
  return static_cast<std::size_t>(std::sqrt(static_cast<double>(rows))) + 1;
}

// n to the power of the weight, from a table.
class Powers {
 public:
  void reset(double weight, std::size_t most) {
    if (weight != weight_) values_.clear();
    weight_ = weight;
    while (values_.size() <= most) values_.push_back(std::pow(static_cast<double>(values_.size()), weight));
  }
  double operator[](std::size_t n) const { return values_[n]; }

 private:
  double weight_ = 0.0;
  std::vector<double> values_;
};

// Marks the words of a reference sentence that lie on the weighted LCS with a sentence of the hypothesis, in
// which k matches in a row weigh k^weight (Lin, 2004, section 4). Its weights are sums of doubles that
// decide which way back is taken, so it has to add as the program does: word by word.
class WeightedLcsMarker {
 public:
  // Numbers of words are below `limit`.
  void mark(std::span<const std::uint32_t> whole_reference, std::span<const std::uint32_t> whole_hypothesis,
            std::size_t limit, const Powers& powers, std::span<std::uint8_t> marks, const StopFlag& stop) {
    pace_.step(whole_reference.size() + whole_hypothesis.size(), stop);
    if (!keep_shared(whole_reference, whole_hypothesis, limit)) return;
    const std::vector<std::uint32_t>& reference = reference_;
    const std::vector<std::uint32_t>& hypothesis = hypothesis_;
    const std::size_t m = reference.size();
    const std::size_t n = hypothesis.size();
    const std::size_t width = n + 1;
    const std::size_t height = rows_at_once(m, width);
    const std::size_t blocks = (m + height - 1) / height;
    starts_.assign(blocks * width, Cell{});
    if (blocks > 1) {
      row_.assign(width, Cell{});
      for (std::size_t i = 0; i < (blocks - 1) * height; ++i) {
        advance(reference[i], hypothesis, powers, nullptr);
        pace_.step(width, stop);
        if ((i + 1) % height == 0) std::copy(row_.begin(), row_.end(), starts_.data() + (i + 1) / height * width);
      }
    }
    ways_.resize(height * width);
    std::size_t j = n;
    for (std::size_t b = blocks; b-- > 0 && j > 0;) {
      const std::size_t begin = b * height;
      const std::size_t end = std::min(m, begin + height);
      row_.assign(starts_.data() + b * width, starts_.data() + (b + 1) * width);
      for (std::size_t i = begin; i < end; ++i) {
        advance(reference[i], hypothesis, powers, ways_.data() + (i - begin) * width);
        pace_.step(width, stop);
      }
      for (std::size_t i = end; i > begin && j > 0;) {
        const Way way = ways_[(i - 1 - begin) * width + j];
        if (way == Way::match) {
          marks[positions_[--i]] = 1;
          --j;
        } else if (way == Way::skip_reference) {
          --i;
        } else {
          --j;
        }
      }
    }
  }

 private:
  struct Cell {
    double weight = 0.0;
    std::size_t run = 0;  // how many matches in a row end here
  };
  enum class Way : std::uint8_t { match, skip_reference, skip_hypothesis };

  // Leaves of each run of words that the other sentence does not have one only: the rows (columns) of
  // the others are the same, and the way back runs straight through them. False where nothing is shared.
  bool keep_shared(std::span<const std::uint32_t> reference, std::span<const std::uint32_t> hypothesis,
                   std::size_t limit) {
    if (held_.size() < limit) held_.resize(limit, 0);
    for (const std::uint32_t word : reference) held_[word] = 1;
    hypothesis_.clear();
    bool any = false;
    for (const std::uint32_t word : hypothesis) {
      if (held_[word] != 0) {
        held_[word] = 2;
        any = true;
        hypothesis_.push_back(word);
      } else if (hypothesis_.empty() || hypothesis_.back() != kHypothesisOnly) {
        hypothesis_.push_back(kHypothesisOnly);
      }
    }
    reference_.clear();
    positions_.clear();
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const std::uint32_t word = held_[reference[i]] == 2 ? reference[i] : kReferenceOnly;
      if (word == kReferenceOnly && !reference_.empty() && reference_.back() == kReferenceOnly) continue;
      reference_.push_back(word);
      positions_.push_back(i);
    }
    for (const std::uint32_t word : reference) held_[word] = 0;
    return any;
  }
  static constexpr std::uint32_t kHypothesisOnly = UINT32_MAX;
  static constexpr std::uint32_t kReferenceOnly = UINT32_MAX - 1;

  // From the row of one word of the reference to that of the next.
  void advance(std::uint32_t word, std::span<const std::uint32_t> hypothesis, const Powers& powers, Way* ways) {
    Cell diagonal = row_[0];
    double left = 0.0;
    for (std::size_t j = 1; j < row_.size(); ++j) {
      Cell& cell = row_[j];
      const Cell above = cell;
      Way way;
      if (word == hypothesis[j - 1]) {
        cell.weight = diagonal.weight + powers[diagonal.run + 1] - powers[diagonal.run];
        cell.run = diagonal.run + 1;
        way = Way::match;
      } else if (above.weight >= left) {
        cell.run = 0;
        way = Way::skip_reference;
      } else {
        cell = {left, 0};
        way = Way::skip_hypothesis;
      }
      left = cell.weight;
      diagonal = above;
      if (ways != nullptr) ways[j] = way;
    }
  }

  std::vector<std::uint32_t> reference_;
  std::vector<std::size_t> positions_;  // of reference_, in the sentence
  std::vector<std::uint32_t> hypothesis_;
  std::vector<std::uint8_t> held_;  // by word: 1 in the reference, 2 in both
  std::vector<Cell> row_;
  std::vector<Cell> starts_;
  std::vector<Way> ways_;
  Pace pace_;
};

// ---------------------------------------------------------------------------------------------------
// Skip-bigrams

// Matches of pairs of words in their order, at most `skip` words between them. Pairs are counted by
// their first word, so that memory is linear and time is that of the shorter way: window by window, or
// one pass a distinct word.
class SkipMatcher {
 public:
  static constexpr std::size_t kUnlimited = SIZE_MAX;

  static std::uint64_t total(std::size_t length, std::size_t skip) {
    if (length < 2) return 0;
    const std::uint64_t n = length;
    const std::uint64_t reach = skip >= length - 1 ? n - 1 : std::uint64_t{skip} + 1;
    // Each word begins `reach` pairs, but for those near the end.
    return n * reach - reach * (reach + 1) / 2;
  }

  std::uint64_t count(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                      std::size_t limit, std::size_t skip, const StopFlag& stop) {
    const std::size_t reach = skip >= std::max(hypothesis.size(), reference.size())
                                  ? std::max(hypothesis.size(), reference.size())
                                  : skip + 1;
    common_.assign(limit, 0);
    for (const std::uint32_t word : hypothesis) common_[word] = 1;
    for (const std::uint32_t word : reference) common_[word] = common_[word] == 0 ? 0 : kBoth;
    hypothesis_.fill(hypothesis, common_, limit);
    reference_.fill(reference, common_, limit);
    have_.assign(limit, 0);
    most_.assign(limit, 0);
    std::uint64_t hits = 0;
    for (std::uint32_t first = 0; first < limit; ++first) {
      if (common_[first] != kBoth) continue;
      const std::size_t windows = (hypothesis_.count(first) + 2 * reference_.count(first)) *
                                  std::min(reach, std::max(hypothesis_.entries.size(), reference_.entries.size()));
      const std::size_t passes = hypothesis_.entries.size() + reference_.entries.size() + 2 * limit;
      if (windows < passes) {
        reference_.each_window(first, reach, [&](std::uint32_t second) { ++most_[second]; });
        hypothesis_.each_window(first, reach, [&](std::uint32_t second) {
          const bool hit = most_[second] > 0;
          most_[second] -= hit;
          hits += hit;
        });
        reference_.each_window(first, reach, [&](std::uint32_t second) { most_[second] = 0; });
        pace_.step(windows + 1, stop);
      } else {
        hypothesis_.one_pass(first, reach, have_);
        reference_.one_pass(first, reach, most_);
        for (std::size_t word = 0; word < limit; ++word) {
          hits += std::min(have_[word], most_[word]);
          have_[word] = most_[word] = 0;
        }
        pace_.step(passes, stop);
      }
    }
    return hits;
  }

 private:
  static constexpr std::uint8_t kBoth = 2;
  struct Entry {
    std::uint32_t word;
    std::uint32_t position;
  };
  // The words that both texts have, in order, and where each of them stands.
  struct List {
    std::vector<Entry> entries;
    std::vector<std::uint32_t> starts;  // by word, into places
    std::vector<std::uint32_t> places;  // into entries

    void fill(std::span<const std::uint32_t> text, const std::vector<std::uint8_t>& common, std::size_t limit) {
      entries.clear();
      starts.assign(limit + 1, 0);
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (common[text[i]] != kBoth) continue;
        entries.push_back({text[i], static_cast<std::uint32_t>(i)});
        ++starts[text[i] + 1];
      }
      for (std::size_t word = 0; word < limit; ++word) starts[word + 1] += starts[word];
      places.resize(entries.size());
      next.assign(starts.begin(), starts.end());
      for (std::size_t k = 0; k < entries.size(); ++k) places[next[entries[k].word]++] = static_cast<std::uint32_t>(k);
    }
    std::size_t count(std::uint32_t word) const { return starts[word + 1] - starts[word]; }

    template <class Body>
    void each_window(std::uint32_t first, std::size_t reach, Body&& body) const {
      for (std::size_t p = starts[first]; p < starts[first + 1]; ++p) {
        const std::size_t k = places[p];
        const std::size_t last = entries[k].position + reach;
        for (std::size_t q = k + 1; q < entries.size() && entries[q].position <= last; ++q) body(entries[q].word);
      }
    }
    void one_pass(std::uint32_t first, std::size_t reach, std::vector<std::uint64_t>& counts) const {
      std::size_t gone = starts[first];  // occurrences of `first` that are out of reach
      std::size_t seen = gone;
      for (std::size_t q = places[gone]; q < entries.size(); ++q) {
        while (gone < seen && entries[places[gone]].position + reach < entries[q].position) ++gone;
        counts[entries[q].word] += seen - gone;
        seen += entries[q].word == first;
      }
    }

    std::vector<std::uint32_t> next;
  };

  std::vector<std::uint8_t> common_;
  List hypothesis_;
  List reference_;
  std::vector<std::uint64_t> have_;
  std::vector<std::uint64_t> most_;
  Pace pace_;
};

// ---------------------------------------------------------------------------------------------------
// Rows

struct Options {
  std::vector<std::size_t> orders;  // of ROUGE-N, each 1 or more
  bool lcs = false;                 // ROUGE-L
  bool weighted_lcs = false;        // ROUGE-W
  double weight = 1.2;
  bool skip = false;                // ROUGE-S
  bool skip_unigrams = false;       // ROUGE-SU
  std::size_t maximum_skip = SkipMatcher::kUnlimited;
  double alpha = 0.5;
  bool best = false;       // the best reference; else the references' counts added up
  bool jackknife = false;  // mean over all sets of references with one left out
  bool rounded = true;     // precision, recall and F to five decimals, as the program has them
  Limits limits;

  std::size_t types() const {
    return orders.size() + std::size_t{lcs} + std::size_t{weighted_lcs} + std::size_t{skip} + std::size_t{skip_unigrams};
  }
};

// A row has for each type: precision, recall, F, then the counts behind them: in the references, in the
// hypothesis, in both.
inline constexpr std::size_t kFieldsPerType = 6;

// x >= 0 in five decimals, as printing it with "%.5f" and reading it again give it: rounded as the exact
// number that x is, ties to even.
inline double round_to_five(double x) {
  const double scaled = x * 1e5;
  if (!(scaled < 4503599627370496.0)) return x;  // no decimals are left
  const double error = std::fma(x, 1e5, -scaled);
  const double floor = std::floor(scaled);
  const double side = (scaled - floor - 0.5) + error;
  const bool up = side > 0.0 || (side == 0.0 && std::fmod(floor, 2.0) != 0.0);
  return (floor + (up ? 1.0 : 0.0)) / 1e5;
}

// What one reference gives for one type.
struct Counts {
  double reference = 0.0;
  double hypothesis = 0.0;
  double hits = 0.0;
  double score = 0.0;  // by which the best reference is chosen
};

// One worker's memory.
class Worker {
 public:
  Worker(const Options& options, const Lexicon& lexicon, std::span<const std::string_view> hypotheses,
         std::span<const std::string_view> references)
      : options_(&options), hypotheses_(hypotheses), references_(references), vocabulary_(lexicon) {}

  void read(std::size_t hypothesis) {
    vocabulary_.start_segment();
    reader_.read(hypotheses_[hypothesis], options_->limits, vocabulary_, hypothesis_);
  }

  // row: kFieldsPerType numbers for each type.
  void row(std::size_t begin, std::size_t end, std::span<double> row, const StopFlag& stop) {
    const std::size_t types = options_->types();
    counts_.assign(types * (end - begin), Counts{});
    for (std::size_t r = begin; r < end; ++r) {
      stop.check();
      reader_.read(references_[r], options_->limits, vocabulary_, reference_);
      count(std::span(counts_).subspan((r - begin) * types, types), stop);
    }
    for (std::size_t t = 0; t < types; ++t) {
      combine(t, end - begin, row.subspan(t * kFieldsPerType, kFieldsPerType));
    }
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  bool is_weighted(std::size_t type) const {
    return options_->weighted_lcs && type == options_->orders.size() + std::size_t{options_->lcs};
  }

  void count(std::span<Counts> out, const StopFlag& stop) {
    std::size_t type = 0;
    const std::size_t limit = vocabulary_.size();
    if (!options_->orders.empty()) {
      count_ngrams(stop);
      for (const std::size_t order : options_->orders) {
        const auto total = [order](std::size_t length) {
          return length >= order ? static_cast<double>(length - order + 1) : 0.0;
        };
        out[type++] = with_rounded_score(total(reference_.words.size()), total(hypothesis_.words.size()),
                                         matches_[order - 1]);
      }
    }
    if (options_->lcs) out[type++] = count_lcs(limit, stop);
    if (options_->weighted_lcs) out[type++] = count_weighted_lcs(limit, stop);
    if (options_->skip || options_->skip_unigrams) {
      const std::size_t skip = options_->maximum_skip;
      const auto hits = static_cast<double>(
          skips_.count(hypothesis_.words, reference_.words, limit, skip, stop));
      const auto in_reference = static_cast<double>(SkipMatcher::total(reference_.words.size(), skip));
      const auto in_hypothesis = static_cast<double>(SkipMatcher::total(hypothesis_.words.size(), skip));
      if (options_->skip) out[type++] = with_rounded_score(in_reference, in_hypothesis, hits);
      if (options_->skip_unigrams) {
        const auto [single_hits, single_reference, single_hypothesis] = count_beginnings(limit);
        out[type++] = with_rounded_score(in_reference + single_reference, in_hypothesis + single_hypothesis,
                                         hits + single_hits);
      }
    }
  }

  static Counts with_rounded_score(double reference, double hypothesis, double hits) {
    return {reference, hypothesis, hits, reference > 0 ? round_to_five(hits / reference) : 0.0};
  }

  void count_ngrams(const StopFlag& stop) {
    const auto to_tokens = [](const std::vector<std::uint32_t>& words, std::vector<Token>& tokens) {
      tokens.clear();
      for (const std::uint32_t word : words) tokens.push_back(make_token(static_cast<std::int64_t>(word)));
    };
    to_tokens(hypothesis_.words, hypothesis_tokens_);
    to_tokens(reference_.words, reference_tokens_);
    matches_.resize(*std::max_element(options_->orders.begin(), options_->orders.end()));
    const std::span<const Token> reference = reference_tokens_;
    ngrams_.count(hypothesis_tokens_, std::span(&reference, 1), true, matches_, stop);
  }

  // The words that begin skip-bigrams, as "SU" adds them: the last word of a text is none.
  std::array<double, 3> count_beginnings(std::size_t limit) {
    const auto beginnings = [](const Reading& reading) {
      return std::span(reading.words).first(reading.words.empty() ? 0 : reading.words.size() - 1);
    };
    left_.assign(limit, 0);
    for (const std::uint32_t word : beginnings(reference_)) ++left_[word];
    std::size_t hits = 0;
    for (const std::uint32_t word : beginnings(hypothesis_)) {
      if (left_[word] == 0) continue;
      --left_[word];
      ++hits;
    }
    return {static_cast<double>(hits), static_cast<double>(beginnings(reference_).size()),
            static_cast<double>(beginnings(hypothesis_).size())};
  }

  // Each word counts as often as both texts have it, whatever the LCS of many sentences say.
  void start_clipping(std::size_t limit) {
    left_.assign(limit, 0);
    reference_left_.assign(limit, 0);
    for (const std::uint32_t word : hypothesis_.words) ++left_[word];
    for (const std::uint32_t word : reference_.words) ++reference_left_[word];
  }
  bool take(std::uint32_t word) {
    if (left_[word] == 0 || reference_left_[word] == 0) return false;
    --left_[word];
    --reference_left_[word];
    return true;
  }

  Counts count_lcs(std::size_t limit, const StopFlag& stop) {
    start_clipping(limit);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < reference_.sentences(); ++i) {
      const std::span<const std::uint32_t> sentence = reference_.sentence(i);
      lcs_.set_rows(sentence, limit, stop);
      for (std::size_t j = 0; j < hypothesis_.sentences(); ++j) lcs_.trace(hypothesis_.sentence(j), stop);
      lcs_.each_taken([&](std::size_t k) { hits += take(sentence[k]); });
    }
    const auto length = static_cast<double>(reference_.sentence_words.size());
    return {length, static_cast<double>(hypothesis_.words.size()), static_cast<double>(hits),
            length > 0 ? static_cast<double>(hits) / length : 0.0};
  }

  Counts count_weighted_lcs(std::size_t limit, const StopFlag& stop) {
    start_clipping(limit);
    powers_.reset(options_->weight, reference_.sentence_words.size() + 1);
    double hits = 0.0;
    double base = 0.0;
    for (std::size_t i = 0; i < reference_.sentences(); ++i) {
      const std::span<const std::uint32_t> sentence = reference_.sentence(i);
      base += powers_[sentence.size()];
      if (sentence.empty()) continue;
      marks_.assign(sentence.size(), 0);
      for (std::size_t j = 0; j < hypothesis_.sentences(); ++j) {
        weighted_lcs_.mark(sentence, hypothesis_.sentence(j), limit, powers_, marks_, stop);
      }
      // A run ends where the next word is not marked; a word that is used up neither adds to it nor
      // ends it.
      std::size_t run = 0;
      for (std::size_t k = 0; k < sentence.size(); ++k) {
        if (!marks_[k] || !take(sentence[k])) continue;
        ++run;
        if (k + 1 == sentence.size() || !marks_[k + 1]) {
          hits += powers_[run];
          run = 0;
        }
      }
    }
    // The lengths of the sentences are weighted once more as a whole.
    return {std::pow(base, options_->weight),
            std::pow(static_cast<double>(hypothesis_.words.size()), options_->weight), hits,
            base > 0.0 ? std::pow(hits / base, 1 / options_->weight) : 0.0};
  }

  // All references but `without`.
  Counts of_references(std::size_t type, std::size_t references, std::size_t without) const {
    const std::size_t types = options_->types();
    Counts result;
    bool any = false;
    for (std::size_t r = 0; r < references; ++r) {
      if (r == without) continue;
      const Counts& one = counts_[r * types + type];
      if (!options_->best) {
        result.reference += one.reference;
        result.hypothesis += one.hypothesis;
        result.hits += one.hits;
      } else if (!any || one.score > result.score) {
        result = one;
      }
      any = true;
    }
    return result;
  }

  double ratio(double hits, double total, std::size_t type) const {
    if (total == 0.0) return 0.0;
    double result = hits / total;
    if (is_weighted(type)) result = std::pow(result, 1 / options_->weight);
    return options_->rounded ? round_to_five(result) : result;
  }

  void combine(std::size_t type, std::size_t references, std::span<double> out) const {
    const bool leave_out = options_->jackknife && references > 1;
    const std::size_t sets = leave_out ? references : 1;
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t set = 0; set < sets; ++set) {
      const Counts counts = of_references(type, references, leave_out ? set : kNone);
      const double precision = ratio(counts.hits, counts.hypothesis, type);
      const double recall = ratio(counts.hits, counts.reference, type);
      const double weighted = (1 - options_->alpha) * precision + options_->alpha * recall;
      double fmeasure = weighted > 0 ? precision * recall / weighted : 0.0;
      if (options_->rounded) fmeasure = round_to_five(fmeasure);
      const std::array<double, kFieldsPerType> values{precision,        recall,            fmeasure,
                                                      counts.reference, counts.hypothesis, counts.hits};
      for (std::size_t k = 0; k < kFieldsPerType; ++k) out[k] += values[k];
    }
    for (std::size_t k = 0; k < 3; ++k) out[k] /= static_cast<double>(sets);
  }

  const Options* options_;
  std::span<const std::string_view> hypotheses_;
  std::span<const std::string_view> references_;
  Vocabulary vocabulary_;
  Reader reader_;
  Reading hypothesis_;
  Reading reference_;
  std::vector<Counts> counts_;  // by reference, then type
  NgramMatcher ngrams_;
  std::vector<Token> hypothesis_tokens_;
  std::vector<Token> reference_tokens_;
  std::vector<double> matches_;
  LcsMatcher lcs_;
  WeightedLcsMarker weighted_lcs_;
  Powers powers_;
  SkipMatcher skips_;
  std::vector<std::uint8_t> marks_;
  std::vector<std::uint32_t> left_;            // by word, of the hypothesis
  std::vector<std::uint32_t> reference_left_;  // by word
};

// The sentences of a text within the limits, each a list of the words that count.
inline std::vector<std::vector<std::string>> sentences(std::string_view text, const Limits& limits,
                                                       const Lexicon& lexicon) {
  std::vector<std::vector<std::string>> result;
  Reader reader;
  Reader::for_sentences(text, limits, false, [&](std::string_view sentence) {
    std::vector<std::string>& words = result.emplace_back();
    reader.for_words(sentence, [&](const Token& token) {
      const std::string_view word = token.text();
      if (std::find(lexicon.stop_words.begin(), lexicon.stop_words.end(), word) != lexicon.stop_words.end()) return;
      words.push_back(lexicon.normal_form(word));
    });
  });
  return result;
}

}  // namespace cocarde::rouge155
