// Rows of chrF (Popović, 2015 and 2017): n-grams of characters and of words, order by order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "column.hpp"
#include "kernel.hpp"
#include "ngrams.hpp"
#include "parallel.hpp"
#include "suffixes.hpp"
#include "tokenizers/whitespace.hpp"
#include "unicode.hpp"

namespace cocarde {

// Characters that are no characters of a text.
enum class ChrfSpaces {
  counted,  // there are none
  dropped,  // white space, as str.split() of Python has it
  unicode,  // white space, as Unicode has it: without U+001C to U+001F
  blanks,   // white space at both ends, and blanks
};

// How counts become the score that picks the best of several references.
enum class ChrfFormula {
  effective,  // F of the mean precision and the mean recall of the orders that both texts have
  smoothed,   // mean F of the orders, with a tiny number where nothing is to be divided by
  matched,    // mean F of the orders, 0 without a match
  single,     // the same in single precision. N-grams longer than the reference count against the
              // hypothesis, and a reference of which nothing matches counts as one without n-grams
};

struct ChrfOptions {
  std::size_t least_characters = 1;  // lowest order of n-grams of characters
  std::size_t characters = 6;        // highest order
  std::size_t words = 0;
  ChrfSpaces spaces = ChrfSpaces::dropped;
  ChrfFormula formula = ChrfFormula::effective;
  double beta_squared = 4;
  bool scored = false;  // whether rows end with the segment's score and a one

  std::size_t character_orders() const { return characters == 0 ? 0 : characters - least_characters + 1; }
  std::size_t orders() const { return character_orders() + words; }
  std::size_t width() const { return 3 * orders() + (scored ? 2 : 0); }
};

// Numbers of code points in the order in which they are met.
class CharacterTable {
 public:
  void clear() {
    generation_ += std::uint64_t{1} << 32;
    size_ = 0;
  }
  std::uint32_t insert(char32_t c) {
    std::unique_ptr<std::uint64_t[]>& page = pages_[c >> 8];
    if (page == nullptr) page = std::make_unique<std::uint64_t[]>(256);
    std::uint64_t& entry = page[c & 0xFF];
    // Whether a character is new cannot be predicted, so it must not branch.
    const std::uint64_t found = entry;
    const std::uint64_t fresh = found < generation_;
    const std::uint64_t known = (found & (fresh - 1)) | ((generation_ | size_) & (0 - fresh));
    entry = known;
    size_ += static_cast<std::uint32_t>(fresh);
    return static_cast<std::uint32_t>(known);
  }
  std::size_t size() const { return size_; }

 private:
  std::array<std::unique_ptr<std::uint64_t[]>, 0x1100> pages_;
  std::uint64_t generation_ = std::uint64_t{1} << 32;  // in the upper half, as in the entries
  std::uint32_t size_ = 0;
};

// string.punctuation of Python, by byte.
inline constexpr std::array<bool, 256> kPunctuation = [] {
  std::array<bool, 256> marks{};
  for (std::size_t c = '!'; c <= '~'; ++c) {
    const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    const bool digit = c >= '0' && c <= '9';
    marks[c] = !letter && !digit;
  }
  return marks;
}();

// Texts whose n-grams are counted, each once.
class ChrfTexts {
 public:
  void clear() { texts_.clear(); }
  // The text must live until `sort`.
  void add(std::string_view text) { texts_.push_back(text); }
  // The first `left` texts will be compared with the others.
  void sort(const ChrfOptions& options, std::size_t left, const StopFlag& stop) {
    if (options.characters > 0) {
      read_characters(options.spaces, stop);
      characters_.sort(options.characters, kAscii + table_.size(), left, stop);
    }
    if (options.words > 0) {
      read_words(stop);
      apart_ = left > 1;
      if (apart_) {
        number_words();
        words_.sort(options.words, distinct_words_, left, stop);
      }
    }
  }

  // Three numbers of each order: n-grams of the hypothesis, of the reference, and matches.
  void row(std::size_t hypothesis, std::size_t reference, const ChrfOptions& options, double* out,
           std::vector<double>& matches, Suffixes::Scratch& scratch, const StopFlag& stop) const {
    matches.resize(std::max(options.characters, options.words));
    const bool keeps_all = options.formula == ChrfFormula::single;
    double* const first = out;
    double matched = 0;
    const auto write = [&](const Suffixes& kind, std::size_t least, std::size_t most) {
      const auto ngrams = [&](std::size_t text, std::size_t order) {
        const std::size_t items = kind.size(text);
        return items >= order ? static_cast<double>(items - order + 1) : 0.0;
      };
      for (std::size_t order = least; order <= most; ++order) {
        const double wanted = ngrams(reference, order);
        // As in sacreBLEU and chrF++.py, n-grams longer than the reference are not held against it.
        *out++ = wanted > 0 || keeps_all ? ngrams(hypothesis, order) : 0.0;
        *out++ = wanted;
        *out++ = matches[order - 1];
        matched += matches[order - 1];
      }
    };
    if (options.characters > 0) {
      characters_.count(hypothesis, reference, matches.data(), scratch, stop);
      write(characters_, options.least_characters, options.characters);
    }
    if (options.words > 0) {
      if (apart_) {
        words_.count(hypothesis, reference, matches.data(), scratch, stop);
      } else {
        const auto words = [&](std::size_t text) { return words_.sequence(text, std::span<const Token>(all_words_)); };
        const std::span<const Token> wanted = words(reference);
        scratch.matcher.count(words(hypothesis), {&wanted, 1}, true, {matches.data(), options.words}, stop);
      }
      write(words_, 1, options.words);
    }
    if (keeps_all && matched == 0) {
      for (double* wanted = first + 1; wanted < out; wanted += 3) *wanted = 0;
    }
  }

 private:
  static constexpr std::uint32_t kAscii = 128;

  struct KeepAll {
    static constexpr bool keeps(char32_t) { return true; }
  };
  struct KeepInk {
    static constexpr bool keeps(char32_t c) { return !is_python_space(c); }
  };
  struct KeepUnicodeInk {
    static constexpr bool keeps(char32_t c) { return !is_perl_space(c); }
  };
  struct KeepAllButBlanks {
    static constexpr bool keeps(char32_t c) { return c != ' '; }
  };
  template <class Rule>
  static constexpr std::array<bool, kAscii> kept_of_ascii() {
    std::array<bool, kAscii> kept{};
    for (std::size_t c = 0; c < kept.size(); ++c) kept[c] = Rule::keeps(static_cast<char32_t>(c));
    return kept;
  }

  void read_characters(ChrfSpaces spaces, const StopFlag& stop) {
    characters_.clear();
    table_.clear();
    switch (spaces) {
      case ChrfSpaces::counted: return read_characters<KeepAll>(false, stop);
      case ChrfSpaces::dropped: return read_characters<KeepInk>(false, stop);
      case ChrfSpaces::unicode: return read_characters<KeepUnicodeInk>(false, stop);
      case ChrfSpaces::blanks: return read_characters<KeepAllButBlanks>(true, stop);
    }
  }

  // Characters of ASCII are items as they are, others get the numbers behind.
  template <class Rule>
  void read_characters(bool strip, const StopFlag& stop) {
    static constexpr std::array<bool, kAscii> kKept = kept_of_ascii<Rule>();
    for (std::string_view text : texts_) {
      check_long(text, stop);
      if (strip) text = strip_left(strip_right(text));
      std::uint32_t* const first = characters_.room(text.size());
      std::uint32_t* next = first;
      const std::size_t size = text.size();
      for (std::size_t i = 0; i < size;) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < kAscii) {
          *next = byte;
          next += kKept[byte];
          ++i;
        } else {
          const bool three = (byte & 0xF0) == 0xE0;
          const CodePoint point = three ? decode_three(text, i) : decode(text, i);
          i += point.size;
          // No white space lies behind U+3000, and most of what comes here in Chinese or Japanese does.
          if (point.value > 0x3000 || Rule::keeps(point.value)) *next++ = kAscii + table_.insert(point.value);
        }
      }
      characters_.end_sequence(static_cast<std::size_t>(next - first));
    }
  }

  // Asking costs a look at the clock, which is much for a short text.
  static void check_long(std::string_view text, const StopFlag& stop) {
    if (text.size() > 0xFFFF) stop.check();
  }

  // Words as chrF++.py cuts them: one mark of punctuation is cut off at the end or else at the beginning.
  void read_words(const StopFlag& stop) {
    all_words_.clear();
    words_.clear();
    for (const std::string_view text : texts_) {
      check_long(text, stop);
      buffer_.clear();
      tokenize_python_whitespace(text, buffer_);
      const std::size_t before = all_words_.size();
      all_words_.resize(before + 2 * buffer_.tokens.size());
      Token* next = all_words_.data() + before;
      const char* const end = text.data() + text.size();
      for (const Token& word : buffer_.tokens) {
        const char* const p = word.data;
        const std::size_t n = word.size;
        // Few words have a mark beside a letter, so that is easily guessed; how many letters there are is
        // not, so nothing may branch on that alone.
        const std::size_t marked = (std::size_t{is_punctuation(p[0])} | std::size_t{is_punctuation(p[n - 1])}) * (n - 1);
        if (marked == 0) {
          *next++ = word;
        } else {
          const std::size_t cut = is_punctuation(p[n - 1]) ? n - 1 : 1;
          *next++ = make_token(p, cut, end);
          *next++ = make_token(p + cut, n - cut, end);
        }
      }
      const auto size = static_cast<std::size_t>(next - all_words_.data()) - before;
      all_words_.resize(before + size);
      words_.room(size);
      words_.end_sequence(size);
    }
  }

  static bool is_punctuation(char c) { return kPunctuation[static_cast<unsigned char>(c)]; }

  void number_words() {
    if (all_words_.size() >= kNoId) throw std::length_error("there are more than 4,294,967,294 words");
    word_table_.reset(all_words_);
    const std::span<std::uint32_t> numbers = words_.items();
    distinct_words_ = 0;
    first_numbers_.resize(numbers.size());
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
      const std::uint32_t first = word_table_.insert(i);
      if (first == i) first_numbers_[i] = distinct_words_++;
      numbers[i] = first_numbers_[first];
    }
  }

  bool apart_ = false;  // whether there are several hypotheses, for which words are numbered and sorted
  std::vector<std::string_view> texts_;
  CharacterTable table_;
  Suffixes characters_;
  TokenBuffer buffer_;
  std::vector<Token, UninitialisedAllocator<Token>> all_words_;
  TokenTable word_table_;
  std::vector<std::uint32_t> first_numbers_;  // by the position at which a word stands first
  std::uint32_t distinct_words_ = 0;
  Suffixes words_;
};

// From 0 to 100.
inline double chrf_score(const double* row, const ChrfOptions& options) {
  constexpr double kEpsilon = 1e-16;
  const double factor = options.beta_squared;
  const std::size_t orders = options.orders();
  double precisions = 0;
  double recalls = 0;
  double effective = 0;
  double sum = 0;
  for (std::size_t k = 0; k < orders; ++k, row += 3) {
    const double have = row[0];
    const double want = row[1];
    const double matches = row[2];
    if (options.formula == ChrfFormula::effective) {
      if (have > 0 && want > 0) {
        precisions += matches / have;
        recalls += matches / want;
        ++effective;
      }
      continue;
    }
    const bool skips = options.formula == ChrfFormula::matched || options.formula == ChrfFormula::single;
    if (skips && matches == 0) continue;
    const double precision = have > 0 ? matches / have : kEpsilon;
    const double recall = want > 0 ? matches / want : kEpsilon;
    const double below = factor * precision + recall;
    sum += below > 0 ? (1 + factor) * precision * recall / below : kEpsilon;
  }
  if (options.formula != ChrfFormula::effective) return 100 * sum / static_cast<double>(orders);
  if (effective == 0) return 0;
  precisions /= effective;
  recalls /= effective;
  if (precisions + recalls == 0) return 0;
  return 100 * ((1 + factor) * precisions * recalls / (factor * precisions + recalls));
}

// What torchmetrics takes the best reference by, step by step in its precision and order: where two
// references are equally good, rounding decides.
inline double chrf_rank_of_torchmetrics(const double* row, const ChrfOptions& options) {
  const auto beta_squared = static_cast<float>(options.beta_squared);
  const auto factor = static_cast<float>(1 + options.beta_squared);
  const auto sum = [&](std::size_t orders) {
    float found = 0;
    for (std::size_t k = 0; k < orders; ++k, row += 3) {
      if (row[2] == 0) continue;
      const auto matches = static_cast<float>(row[2]);
      const float precision = matches / static_cast<float>(row[0]);
      const float recall = matches / static_cast<float>(row[1]);
      found += factor * precision * recall / (beta_squared * precision + recall);
    }
    return found;
  };
  const float characters = sum(options.character_orders());
  const float words = sum(options.words);
  return static_cast<double>((characters + words) / static_cast<float>(options.orders()));
}

// The text of a column that was made with the tokenizer "whole".
inline std::string_view whole_text(const Column& column, std::size_t index, TokenBuffer& buffer) {
  const std::span<const Token> tokens = column.tokens(index, buffer);
  if (tokens.size() != 1 || tokens[0].is_integer()) throw std::invalid_argument("a segment is not one text");
  return tokens[0].text();
}

// One worker's memory. The row is that of the reference with the best score, the first of those.
class ChrfWorker {
 public:
  using Options = ChrfOptions;
  static constexpr std::size_t kCost = 1;

  ChrfWorker(const ChrfOptions& options, const Column& hypotheses, const Column& references)
      : options_(options), hypotheses_(hypotheses), references_(references), row_(options.width()) {}

  void read(std::size_t hypothesis) { hypothesis_ = whole_text(hypotheses_, hypothesis, hypothesis_buffer_); }

  void row(std::size_t begin, std::size_t end, std::span<double> best, const StopFlag& stop) {
    const std::size_t count = end - begin;
    if (reference_buffers_.size() < count) reference_buffers_.resize(count);
    texts_.clear();
    texts_.add(hypothesis_);
    for (std::size_t r = 0; r < count; ++r) texts_.add(whole_text(references_, begin + r, reference_buffers_[r]));
    texts_.sort(options_, 1, stop);
    std::fill(best.begin(), best.end(), 0.0);
    double most = -1;
    for (std::size_t r = 0; r < count; ++r) {
      texts_.row(0, r + 1, options_, row_.data(), matches_, scratch_, stop);
      double score = 0;
      if (count > 1 && options_.formula == ChrfFormula::single) {
        score = chrf_rank_of_torchmetrics(row_.data(), options_);
      } else if (count > 1 || options_.scored) {
        score = chrf_score(row_.data(), options_);
      }
      if (score <= most) continue;
      most = score;
      std::copy(row_.begin(), row_.end(), best.begin());
    }
    if (options_.scored) {
      const bool single = options_.formula == ChrfFormula::single;
      best[best.size() - 2] = single ? chrf_score(best.data(), options_) : std::max(most, 0.0);
      best[best.size() - 1] = 1;
    }
  }

 private:
  const ChrfOptions& options_;
  const Column& hypotheses_;
  const Column& references_;
  std::vector<double> row_;
  TokenBuffer hypothesis_buffer_;
  std::deque<TokenBuffer> reference_buffers_;
  std::string_view hypothesis_;
  ChrfTexts texts_;
  Suffixes::Scratch scratch_;
  std::vector<double> matches_;
};

// The same for pairs of texts that are sorted already, the hypotheses first.
class ChrfPairWorker {
 public:
  ChrfPairWorker(const ChrfOptions& options, const ChrfTexts& texts, std::size_t hypotheses)
      : options_(options), texts_(texts), hypotheses_(hypotheses) {}

  void read(std::size_t hypothesis) { hypothesis_ = hypothesis; }

  void row(std::size_t reference, std::size_t, std::span<double> row, const StopFlag& stop) {
    texts_.row(hypothesis_, hypotheses_ + reference, options_, row.data(), matches_, scratch_, stop);
    if (!options_.scored) return;
    row[row.size() - 2] = chrf_score(row.data(), options_);
    row[row.size() - 1] = 1;
  }

 private:
  const ChrfOptions& options_;
  const ChrfTexts& texts_;
  std::size_t hypotheses_;
  std::size_t hypothesis_ = 0;
  Suffixes::Scratch scratch_;
  std::vector<double> matches_;
};

// Each text is sorted once.
template <>
inline void write_pairs<ChrfWorker>(const ChrfOptions& options, const Column& hypotheses, std::size_t first,
                                    std::size_t last, const Column& references, std::span<double> out,
                                    ParallelOptions parallel) {
  const std::size_t rows = last - first;
  const std::size_t columns = references.size();
  ChrfTexts texts;
  std::vector<TokenBuffer> buffers(rows + columns);
  for (std::size_t i = 0; i < rows; ++i) texts.add(whole_text(hypotheses, first + i, buffers[i]));
  for (std::size_t j = 0; j < columns; ++j) texts.add(whole_text(references, j, buffers[rows + j]));
  // One thread: each pair is more work than that.
  ParallelOptions alone = parallel;
  alone.threads = 1;
  parallel_for(
      1, alone, [] { return 0; }, [&](int, std::size_t, const StopFlag& stop) { texts.sort(options, rows, stop); });
  parallel.cost = hypotheses.cost() / std::max<std::size_t>(1, hypotheses.size()) * rows * columns;
  write_pairs(0, rows, columns, options.width(), out, parallel,
              [&] { return ChrfPairWorker(options, texts, rows); });
}

}  // namespace cocarde
