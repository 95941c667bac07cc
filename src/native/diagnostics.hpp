// What a careful reader of a score should know of the segments behind it: counted in one pass over the texts
// once their rows are there, so that what the rows rule out is not looked for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "column.hpp"
#include "parallel.hpp"
#include "scripts.hpp"
#include "tokens.hpp"

namespace cocarde {

// Each is counted once a segment.
enum class Finding : std::uint8_t {
  no_hypothesis,        // a hypothesis of white space, or without tokens
  no_reference,         // all references so
  erased,               // the tokenizer leaves nothing of a text
  dropped,              // it drops most letters of a text
  undivided_han,        // it leaves clauses of a text whole
  undivided_kana,
  undivided_unspaced,
  unmarked_sentences,   // several sentences without a line feed
  written_line_feeds,   // "\n" of two characters, or <n>
  tokenized,            // a hypothesis ends in " ."
  texts_as_hypotheses,  // every token of a hypothesis that came as tokens holds blanks
  texts_as_references,
};
inline constexpr std::size_t kFindings = 12;

struct DiagnosticOptions {
  std::vector<std::size_t> fields;  // of a row: 0 where a side has no token, the reference last; or nothing matches
  bool all_zero = false;            // a row is suspicious where all of them are 0, not just one
  bool latin_only = false;          // the tokenizer keeps letters a-z and digits alone
  bool at_blanks = false;           // words stand between blanks, whatever the tokens are
  Scripts undivided = 0;            // scripts that it leaves whole
  bool sentences = false;           // line feeds are what ends a sentence
  bool tokenized = false;           // whether texts should not be tokenized yet
};

struct Findings {
  std::array<std::size_t, kFindings> counts{};
  std::vector<std::size_t> forms;  // segments whose texts differ in the forms of characters

  std::size_t& operator[](Finding finding) { return counts[static_cast<std::size_t>(finding)]; }
  std::size_t operator[](Finding finding) const { return counts[static_cast<std::size_t>(finding)]; }
  bool any() const {
    return !forms.empty() || std::any_of(counts.begin(), counts.end(), [](std::size_t count) { return count != 0; });
  }
  void add(const Findings& other) {
    for (std::size_t k = 0; k < kFindings; ++k) counts[k] += other.counts[k];
    forms.insert(forms.end(), other.forms.begin(), other.forms.end());
  }
};

inline bool has_blank(std::string_view text) { return text.find_first_of(" \t\n\r") != std::string_view::npos; }

// Whether a text has more than one sentence and no line feed. Careful rather than complete: a full stop after
// a word with a capital may be of an abbreviation.
class SentenceReader {
 public:
  static bool has_unmarked_sentences(std::string_view text) {
    text = strip_right(text);
    if (text.find('\n') != std::string_view::npos) return false;
    return any_byte_where(text, [](unsigned char byte) { return may_end(byte); }, [text](std::size_t i) {
      return static_cast<unsigned char>(text[i]) < 0x80 ? ends_before_blank(text, i) : ends_before_letter(text, i);
    });
  }

 private:
  // . ! ? and the first bytes of 。！？｡
  static bool may_end(unsigned char byte) {
    return (byte == '.') | (byte == '!') | (byte == '?') | (byte == 0xE3) | (byte == 0xEF);
  }
  static bool is_opening(char c) { return c == '"' || c == '\'' || c == '('; }
  static bool is_closing(char c) { return c == '"' || c == '\'' || c == ')'; }

  static bool ends_before_blank(std::string_view text, std::size_t i) {
    std::size_t next = i + 1;
    while (next < text.size() && is_closing(text[next])) ++next;
    if (next == text.size() || text[next] != ' ') return false;
    while (next < text.size() && (text[next] == ' ' || is_opening(text[next]))) ++next;
    if (next == text.size()) return false;
    if (i > 0 && text[i - 1] == ' ') return true;  // a mark on its own, of text that is tokenized
    const auto after = static_cast<unsigned char>(text[next]);
    if (after < 0x80 && static_cast<unsigned char>(after - 'A') >= 26) return false;
    if (text[i] != '.') return true;
    std::size_t begin = i;
    while (begin > 0 && text[begin - 1] != ' ') --begin;
    const auto initial = static_cast<unsigned char>(text[begin]);
    if (initial >= 0x80) return i - begin >= 6;  // three letters
    return i - begin >= 3 && static_cast<unsigned char>(initial - 'a') < 26;
  }

  static bool ends_before_letter(std::string_view text, std::size_t i) {
    const CodePoint mark = decode(text, i);
    if (mark.value != 0x3002 && mark.value != 0xFF01 && mark.value != 0xFF1F && mark.value != 0xFF61) return false;
    if (i + mark.size >= text.size()) return false;
    const char32_t next = decode(text, i + mark.size).value;
    return is_supplementary_ideograph(next) || word_character(next).is_letter_or_number();
  }
};

inline bool has_written_line_feed(std::string_view text) {
  return text.find("\\n") != std::string_view::npos || text.find("<n>") != std::string_view::npos;
}

// What to look for in texts, as a set of bits.
using Questions = std::uint32_t;
inline constexpr Questions kAskDropped = 1;
inline constexpr Questions kAskUndivided = 2;
inline constexpr Questions kAskForms = 4;
inline constexpr Questions kAskSentences = 8;
inline constexpr Questions kAskLineFeeds = 16;

class Diagnostician {
 public:
  Diagnostician(const Column& hypotheses, const ReferenceColumn& references, std::span<const double> rows,
                const DiagnosticOptions& options)
      : hypotheses_(hypotheses),
        references_(references),
        rows_(rows),
        width_(hypotheses.size() == 0 ? 0 : rows.size() / hypotheses.size()),
        options_(options) {}

  bool has_texts() const { return hypotheses_.has_texts() && references_.column.has_texts(); }

  Questions questions() const {
    Questions asked = kAskForms;
    if (options_.latin_only) asked |= kAskDropped;
    if (options_.undivided != 0) asked |= kAskUndivided;
    if (options_.sentences) asked |= kAskSentences | kAskLineFeeds;
    return asked;
  }

  // Of rows of which nothing was compared.
  void look_at_rows(TokenBuffer& buffer, Findings& findings) const {
    for (std::size_t i = 0; i < hypotheses_.size(); ++i) {
      if (!is_suspicious(i)) continue;
      findings[Finding::no_hypothesis] += hypotheses_.is_blank(i);
      findings[Finding::no_reference] += has_no_reference(i);
      findings[Finding::erased] += is_erased(i, buffer);
    }
  }

  void look_at_endings(Findings& findings) const {
    if (!options_.tokenized || !hypotheses_.has_texts()) return;
    for (std::size_t i = 0; i < hypotheses_.size(); ++i) {
      findings[Finding::tokenized] += hypotheses_.text(i).ends_with(" .");
    }
  }

  bool is_ascii_throughout(std::size_t i) const {
    return !any_text(i, [](const Column& column, std::size_t k) { return !is_ascii(column.text(k)); });
  }

  void look_at_texts(std::size_t i, Questions asked, TokenBuffer& buffer, Findings& findings) const {
    if ((asked & kAskSentences) != 0) {
      findings[Finding::unmarked_sentences] += any_text(i, [](const Column& column, std::size_t k) {
        return SentenceReader::has_unmarked_sentences(column.text(k));
      });
    }
    if ((asked & kAskLineFeeds) != 0) {
      findings[Finding::written_line_feeds] +=
          any_text(i, [](const Column& column, std::size_t k) { return has_written_line_feed(column.text(k)); });
    }
    if ((asked & (kAskDropped | kAskUndivided | kAskForms)) == 0) return;
    if (is_ascii_throughout(i)) return;
    if ((asked & kAskDropped) != 0) {
      const bool dropped = any_text(i, [](const Column& column, std::size_t k) {
        const std::string_view text = column.text(k);
        return !is_ascii(text) && !hardly_any_others(text) && Letters(text).mostly_others();
      });
      findings[Finding::dropped] += dropped && !(is_suspicious(i) && is_erased(i, buffer));
    }
    if ((asked & (kAskUndivided | kAskForms)) != 0) look_at_characters(i, asked, buffer, findings);
  }

 private:
  template <class Asked>
  bool any_reference(std::size_t i, Asked&& asked) const {
    const auto last = static_cast<std::size_t>(references_.offsets[i + 1]);
    for (auto k = static_cast<std::size_t>(references_.offsets[i]); k < last; ++k) {
      if (asked(references_.column, k)) return true;
    }
    return false;
  }
  template <class Asked>
  bool any_text(std::size_t i, Asked&& asked) const {
    return asked(hypotheses_, i) || any_reference(i, asked);
  }

  bool is_suspicious(std::size_t i) const {
    const double* row = rows_.data() + i * width_;
    const auto is_zero = [row](std::size_t field) { return row[field] == 0; };
    if (options_.all_zero) return std::all_of(options_.fields.begin(), options_.fields.end(), is_zero);
    return std::any_of(options_.fields.begin(), options_.fields.end(), is_zero);
  }

  // Of several references the one that the length is of may be empty.
  bool has_no_reference(std::size_t i) const {
    if (!options_.all_zero && !options_.fields.empty()) {
      return rows_[i * width_ + options_.fields.back()] == 0 &&
             any_reference(i, [](const Column& column, std::size_t k) { return column.is_blank(k); });
    }
    return !any_reference(i, [](const Column& column, std::size_t k) { return !column.is_blank(k); });
  }

  bool is_erased(std::size_t i, TokenBuffer& buffer) const {
    if (!has_texts()) return false;
    return any_text(i, [&](const Column& column, std::size_t k) {
      return !column.is_blank(k) && count_tokens(column, k, buffer) == 0;
    });
  }

  // Of the whole text, without marks.
  static std::size_t count_tokens(const Column& column, std::size_t k, TokenBuffer& buffer) {
    std::size_t count = 0;
    for (const Token& token : column.tokens(k, buffer)) {
      if (!is_mark(token)) {
        ++count;
      } else if (static_cast<Mark>(token.prefix) == Mark::whole_text) {
        break;  // the same tokens again
      }
    }
    return count;
  }

  void look_at_characters(std::size_t i, Questions asked, TokenBuffer& buffer, Findings& findings) const {
    const Scripts scripts = (asked & kAskUndivided) != 0 ? options_.undivided : 0;
    const auto read = [scripts](std::string_view text) {
      return is_ascii(text) ? Characters{} : CharacterReader::read(text, scripts);
    };
    const Characters of_hypothesis = read(hypotheses_.text(i));
    Scripts undivided = undivided_script(hypotheses_, i, of_hypothesis.scripts & scripts, buffer);
    bool differ = false;
    any_reference(i, [&](const Column& column, std::size_t k) {
      const Characters of_reference = read(column.text(k));
      differ |= of_reference.forms != of_hypothesis.forms;
      if (undivided == 0) undivided = undivided_script(column, k, of_reference.scripts & scripts, buffer);
      return false;
    });
    if (differ && (asked & kAskForms) != 0) findings.forms.push_back(i);
    findings[Finding::undivided_han] += undivided == kHan;
    findings[Finding::undivided_kana] += undivided == kKana;
    findings[Finding::undivided_unspaced] += undivided == kUnspaced;
  }

  // The script of a text whose clauses are tokens; 0 for others, and where it has none of these scripts.
  Scripts undivided_script(const Column& column, std::size_t k, Scripts scripts, TokenBuffer& buffer) const {
    if (scripts == 0) return 0;
    const Letters letters(column.text(k));
    if (!letters.outnumber(letters.pieces(), options_.undivided)) return 0;
    const std::size_t tokens = options_.at_blanks ? letters.pieces() : count_tokens(column, k, buffer);
    // Where no token is left, that is said.
    return tokens != 0 && letters.outnumber(tokens, options_.undivided) ? letters.main_script() : 0;
  }

  const Column& hypotheses_;
  const ReferenceColumn& references_;
  std::span<const double> rows_;
  std::size_t width_;
  const DiagnosticOptions& options_;
};

// Counts the segments of which every token holds blanks: texts in lists, which were read as tokens. None
// where a segment has several tokens of which one holds none.
inline std::size_t count_texts_as_tokens(const Column& column) {
  if (column.has_texts()) return 0;
  std::size_t count = 0;
  TokenBuffer buffer;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const std::span<const Token> tokens = column.tokens(i, buffer);
    const auto is_text = [](const Token& token) { return !token.is_integer() && has_blank(token.text()); };
    if (!tokens.empty() && std::all_of(tokens.begin(), tokens.end(), is_text)) {
      ++count;
    } else if (tokens.size() > 1 || (tokens.size() == 1 && tokens.front().is_integer())) {
      return 0;
    }
  }
  return count;
}

// Of more segments, so many evenly spaced ones tell what all are asked: most corpora have none of it, and
// reading all of their characters would take a good part of the time that scoring them does.
inline constexpr std::size_t kSampled = 64;

// Calls look(i) for at most kSampled indices below `count`, evenly spaced; returns how many.
template <class Look>
inline std::size_t sample(std::size_t count, Look&& look) {
  const std::size_t sampled = std::min(count, kSampled);
  for (std::size_t k = 0; k < sampled; ++k) look(k * count / sampled);
  return sampled;
}

// The segments with a text that is not in ASCII.
inline std::vector<std::size_t> find_others(const Diagnostician& diagnostician, std::size_t count,
                                            ParallelOptions parallel) {
  std::vector<std::uint8_t> others(count);
  parallel.cost /= 64;  // it is read that much sooner than scored
  parallel_for(
      (count + Column::kBlockSegments - 1) / Column::kBlockSegments, parallel, [] { return 0; },
      [&](int, std::size_t b, const StopFlag&) {
        const std::size_t end = std::min(count, (b + 1) * Column::kBlockSegments);
        for (std::size_t i = b * Column::kBlockSegments; i < end; ++i) others[i] = !diagnostician.is_ascii_throughout(i);
      });
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < count; ++i) {
    if (others[i] != 0) found.push_back(i);
  }
  return found;
}

// What all segments are to be asked after these findings of a sample. `forms` is left to the caller, who can
// tell whether they matter.
inline Questions questions_after(const Findings& sample, std::size_t sampled) {
  Questions asked = 0;
  if (sample[Finding::dropped] != 0) asked |= kAskDropped;
  if (sample[Finding::undivided_han] + sample[Finding::undivided_kana] + sample[Finding::undivided_unspaced] != 0) {
    asked |= kAskUndivided;
  }
  if (sample[Finding::unmarked_sentences] * 4 > sampled) asked |= kAskSentences;
  if (sample[Finding::written_line_feeds] != 0) asked |= kAskLineFeeds;
  return asked;
}

// The findings of all segments, asked these questions.
inline Findings ask_all(const Diagnostician& diagnostician, std::size_t count, Questions asked,
                        const ParallelOptions& parallel) {
  std::vector<Findings> found((count + Column::kBlockSegments - 1) / Column::kBlockSegments);
  parallel_for(
      found.size(), parallel, [] { return TokenBuffer(); },
      [&](TokenBuffer& buffer, std::size_t b, const StopFlag&) {
        const std::size_t end = std::min(count, (b + 1) * Column::kBlockSegments);
        for (std::size_t i = b * Column::kBlockSegments; i < end; ++i) {
          diagnostician.look_at_texts(i, asked, buffer, found[b]);
        }
      });
  Findings sum;
  for (const Findings& one : found) sum.add(one);
  return sum;
}

// `forms` are those of a sample, where there are many segments.
inline Findings diagnose(const Column& hypotheses, const ReferenceColumn& references, std::span<const double> rows,
                         const DiagnosticOptions& options, ParallelOptions parallel) {
  const Diagnostician diagnostician(hypotheses, references, rows, options);
  const std::size_t count = hypotheses.size();
  Findings findings;
  TokenBuffer buffer;
  diagnostician.look_at_rows(buffer, findings);
  diagnostician.look_at_endings(findings);
  findings[Finding::texts_as_hypotheses] = count_texts_as_tokens(hypotheses);
  findings[Finding::texts_as_references] = count_texts_as_tokens(references.column);
  if (!diagnostician.has_texts()) return findings;
  Findings found;
  const Questions questions = diagnostician.questions();
  if (count <= kSampled) {
    for (std::size_t i = 0; i < count; ++i) diagnostician.look_at_texts(i, questions, buffer, found);
  } else {
    parallel.cost = hypotheses.cost() + references.column.cost();
    const std::vector<std::size_t> others = find_others(diagnostician, count, parallel);
    const Questions of_others = questions & (kAskDropped | kAskUndivided | kAskForms);
    sample(others.size(), [&](std::size_t k) { diagnostician.look_at_texts(others[k], of_others, buffer, found); });
    std::size_t sampled = 0;
    if (const Questions of_all = questions & ~of_others; of_all != 0) {
      sampled = sample(count, [&](std::size_t i) { diagnostician.look_at_texts(i, of_all, buffer, found); });
    }
    std::vector<std::size_t> forms = std::move(found.forms);
    const Questions asked = questions_after(found, sampled);
    found = asked == 0 ? Findings{} : ask_all(diagnostician, count, asked, parallel);
    found.forms = std::move(forms);
  }
  findings.add(found);
  return findings;
}

// The segments whose texts differ in the forms of characters.
inline std::vector<std::size_t> find_forms(const Column& hypotheses, const ReferenceColumn& references,
                                           ParallelOptions parallel) {
  const DiagnosticOptions options;
  const Diagnostician diagnostician(hypotheses, references, {}, options);
  if (!diagnostician.has_texts()) return {};
  parallel.cost = hypotheses.cost() + references.column.cost();
  return ask_all(diagnostician, hypotheses.size(), kAskForms, parallel).forms;
}

// --------------------------------------------------------------------------------------------------
// Words beside ids

enum class TokenKind : std::uint8_t { none, words, ids, both };

inline TokenKind kind_of_tokens(std::span<const Token> tokens) {
  if (tokens.empty()) return TokenKind::none;
  const bool ids = tokens.front().is_integer();
  const auto is_like_first = [ids](const Token& token) { return token.is_integer() == ids; };
  if (!std::all_of(tokens.begin(), tokens.end(), is_like_first)) return TokenKind::both;
  return ids ? TokenKind::ids : TokenKind::words;
}

// The first hypothesis and reference of which one is words and the other ids, neither of them texts;
// with offsets those of one segment, without them any two.
inline std::optional<std::pair<std::size_t, std::size_t>> find_words_beside_ids(
    const Column& hypotheses, const Column& references, std::optional<std::span<const std::int64_t>> offsets) {
  if (hypotheses.has_texts() || references.has_texts()) return std::nullopt;
  TokenBuffer buffer;
  const auto differ = [](TokenKind a, TokenKind b) {
    return (a == TokenKind::words && b == TokenKind::ids) || (a == TokenKind::ids && b == TokenKind::words);
  };
  const auto kind = [&](const Column& column, std::size_t i) { return kind_of_tokens(column.tokens(i, buffer)); };
  if (!offsets) {
    // The first of each kind on both sides is enough.
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      const TokenKind own = kind(hypotheses, i);
      if (own != TokenKind::words && own != TokenKind::ids) continue;
      if (i > 0 && own == kind(hypotheses, i - 1)) continue;
      for (std::size_t k = 0; k < references.size(); ++k) {
        if (differ(own, kind(references, k))) return std::pair(i, k);
      }
    }
    return std::nullopt;
  }
  for (std::size_t i = 0; i + 1 < offsets->size(); ++i) {
    const TokenKind own = kind(hypotheses, i);
    for (auto k = static_cast<std::size_t>((*offsets)[i]); k < static_cast<std::size_t>((*offsets)[i + 1]); ++k) {
      if (differ(own, kind(references, k))) return std::pair(i, k);
    }
  }
  return std::nullopt;
}

}  // namespace cocarde
