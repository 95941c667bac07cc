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
  std::vector<std::size_t> fields;  // of a row: 0 where a side has no token, or nothing matches
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
    return any_byte_where(text, &may_end, [text](std::size_t i) {
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

class Diagnostician {
 public:
  Diagnostician(const Column& hypotheses, const ReferenceColumn& references, std::span<const double> rows,
                const DiagnosticOptions& options)
      : hypotheses_(hypotheses), references_(references), rows_(rows), options_(options) {}

  void look_at(std::size_t i, TokenBuffer& buffer, Findings& findings) const {
    const auto first = static_cast<std::size_t>(references_.offsets[i]);
    const auto last = static_cast<std::size_t>(references_.offsets[i + 1]);
    const bool no_hypothesis = hypotheses_.is_blank(i);
    findings[Finding::no_hypothesis] += no_hypothesis;
    bool no_reference = true;
    for (std::size_t k = first; k < last && no_reference; ++k) no_reference = references_.column.is_blank(k);
    findings[Finding::no_reference] += no_reference;
    if (!hypotheses_.has_texts() || !references_.column.has_texts()) return;

    const std::string_view hypothesis = hypotheses_.text(i);
    if (options_.tokenized) findings[Finding::tokenized] += hypothesis.ends_with(" .");
    // Asks both sides until one says yes.
    const auto any = [&](auto&& asked) {
      bool found = asked(hypotheses_, i);
      for (std::size_t k = first; k < last && !found; ++k) found = asked(references_.column, k);
      return found;
    };
    if (options_.sentences) {
      findings[Finding::unmarked_sentences] +=
          any([](const Column& column, std::size_t k) { return SentenceReader::has_unmarked_sentences(column.text(k)); });
      findings[Finding::written_line_feeds] +=
          any([](const Column& column, std::size_t k) { return has_written_line_feed(column.text(k)); });
    }
    const bool erased = is_suspicious(i) && any([&](const Column& column, std::size_t k) {
                          return !column.is_blank(k) && count_tokens(column, k, buffer) == 0;
                        });
    findings[Finding::erased] += erased;
    if (!any([](const Column& column, std::size_t k) { return !is_ascii(column.text(k)); })) return;
    if (options_.latin_only && !erased) {
      findings[Finding::dropped] += any([](const Column& column, std::size_t k) {
        const std::string_view text = column.text(k);
        return !is_ascii(text) && !hardly_any_others(text) && Letters(text).mostly_others();
      });
    }
    look_at_characters(i, first, last, buffer, findings);
  }

 private:
  // Rows of segments of which nothing was compared.
  bool is_suspicious(std::size_t i) const {
    const std::span<const double> row = rows_.subspan(i * width(), width());
    const auto is_zero = [row](std::size_t field) { return row[field] == 0; };
    if (options_.all_zero) return std::all_of(options_.fields.begin(), options_.fields.end(), is_zero);
    return std::any_of(options_.fields.begin(), options_.fields.end(), is_zero);
  }

  std::size_t width() const { return rows_.size() / hypotheses_.size(); }

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

  void look_at_characters(std::size_t i, std::size_t first, std::size_t last, TokenBuffer& buffer,
                          Findings& findings) const {
    const auto read = [this](std::string_view text) {
      return is_ascii(text) ? Characters{} : CharacterReader::read(text, options_.undivided);
    };
    const Characters of_hypothesis = read(hypotheses_.text(i));
    Scripts undivided = undivided_script(hypotheses_, i, of_hypothesis, buffer);
    bool differ = false;
    for (std::size_t k = first; k < last; ++k) {
      const Characters of_reference = read(references_.column.text(k));
      differ |= of_reference.forms != of_hypothesis.forms;
      if (undivided == 0) undivided = undivided_script(references_.column, k, of_reference, buffer);
    }
    if (differ) findings.forms.push_back(i);
    findings[Finding::undivided_han] += undivided == kHan;
    findings[Finding::undivided_kana] += undivided == kKana;
    findings[Finding::undivided_unspaced] += undivided == kUnspaced;
  }

  // The script of a text whose clauses are tokens; 0 for others.
  Scripts undivided_script(const Column& column, std::size_t k, const Characters& characters,
                           TokenBuffer& buffer) const {
    if ((characters.scripts & options_.undivided) == 0) return 0;
    const Letters letters(column.text(k));
    if (!letters.outnumber(letters.pieces(), options_.undivided)) return 0;
    const std::size_t tokens = options_.at_blanks ? letters.pieces() : count_tokens(column, k, buffer);
    // Where no token is left, that is said.
    return tokens != 0 && letters.outnumber(tokens, options_.undivided) ? letters.main_script() : 0;
  }

  const Column& hypotheses_;
  const ReferenceColumn& references_;
  std::span<const double> rows_;
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

inline Findings diagnose(const Column& hypotheses, const ReferenceColumn& references, std::span<const double> rows,
                         const DiagnosticOptions& options, ParallelOptions parallel) {
  const Diagnostician diagnostician(hypotheses, references, rows, options);
  const std::size_t count = hypotheses.size();
  Findings sum;
  if (count == 1) {  // a loop of threads would take longer than it
    TokenBuffer buffer;
    diagnostician.look_at(0, buffer, sum);
  } else {
    std::vector<Findings> found((count + Column::kBlockSegments - 1) / Column::kBlockSegments);
    parallel.cost = hypotheses.cost() + references.column.cost();
    parallel_for(
        found.size(), parallel, [] { return TokenBuffer(); },
        [&](TokenBuffer& buffer, std::size_t b, const StopFlag& stop) {
          const std::size_t end = std::min(count, (b + 1) * Column::kBlockSegments);
          for (std::size_t i = b * Column::kBlockSegments; i < end; ++i) {
            stop.check();
            diagnostician.look_at(i, buffer, found[b]);
          }
        });
    for (const Findings& one : found) sum.add(one);
  }
  sum[Finding::texts_as_hypotheses] = count_texts_as_tokens(hypotheses);
  sum[Finding::texts_as_references] = count_texts_as_tokens(references.column);
  return sum;
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
