// The tokenizers that descend from NIST's mteval script, in one pass over the text.
//
// The references run a handful of regular expressions one after the other. Their result, worked out:
//   - A character that is always cut out ("isolated") is a token wherever it stands.
//   - A mark (period and comma; any punctuation in the international rules) can be part of a number.
//     The first expression cuts it out where something other than a number stands before it and that
//     something is not itself a mark which the same expression has just taken: matches do not
//     overlap. Call such a mark "taken".
//   - The second cuts out a mark that was not taken where something other than a number follows.
//     Nothing overlaps here: a mark after a mark that was not taken is always taken.
//   - At the start (end) of the text nothing stands before (follows); 13a alone adds spaces there.
//   - A hyphen right after a digit is cut out (not in the international rules, where it is a mark).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../tokens.hpp"
#include "../unicode.hpp"
#include "rewriting.hpp"

namespace cocarde {

enum class Kind : std::uint8_t {
  word,      // belongs to the token around it; digits too
  space,     // ends a token
  isolated,  // is a token
  mark,      // depends on both neighbours
  hyphen,    // is a token after a digit
  trigger,   // isolated, and may begin something that has to be rewritten
  lead,      // the first byte of a code point that must be decoded to know
};

using KindTable = std::array<Kind, 256>;

constexpr bool is_ascii_digit(char32_t c) { return c >= '0' && c <= '9'; }

// The characters that 13a and zh always cut out: all of ASCII's punctuation but ' , - and the period.
constexpr bool is_isolated_13a(char32_t c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c > ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

// U+2001-U+2A6D and U+2F81-U+2FA1 come from sacreBLEU's writing of two supplementary ranges with
// four-digit escapes, so that it compares with strings of two characters.
constexpr bool is_chinese_of_sacrebleu(char32_t c) {
  return (c >= 0x2001 && c <= 0x2A6D) || (c >= 0x2E80 && c <= 0x2FDF) ||
         (c >= 0x2FF0 && c <= 0x303F) || (c >= 0x3100 && c <= 0x312F) ||
         (c >= 0x31A0 && c <= 0x31BF) || (c >= 0x31C0 && c <= 0x31EF) ||
         (c >= 0x3200 && c <= 0x33FF) || (c >= 0x3400 && c <= 0x4DB5) ||
         (c >= 0x4E00 && c <= 0x9FBB) || (c >= 0xF900 && c <= 0xFA2D) ||
         (c >= 0xFA30 && c <= 0xFA6A) || (c >= 0xFA70 && c <= 0xFAD9) ||
         (c >= 0xFE10 && c <= 0xFE1F) || (c >= 0xFE30 && c <= 0xFE4F) ||
         (c >= 0xFF00 && c <= 0xFFEF);
}

// The rules of a tokenizer: which bytes must be decoded, what a code point is, what is a number, and
// whether spaces are added at the ends.

struct WesternRules {
  static constexpr bool kPadded = true;
  static constexpr bool kAsciiMarks = true;
  static constexpr bool is_space(char32_t c) { return is_python_space(c); }
  static constexpr bool is_number(char32_t c) { return is_ascii_digit(c); }
  static constexpr bool is_lead(unsigned char byte) {  // of white space
    return byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3);
  }
  static constexpr Kind kind(char32_t c) {
    if (c == '.' || c == ',') return Kind::mark;
    if (c == '-') return Kind::hyphen;
    return is_isolated_13a(c) ? Kind::isolated : Kind::word;
  }
};

struct PerlWesternRules : WesternRules {
  static constexpr bool is_space(char32_t c) { return is_perl_space(c); }
};

struct ChineseRules : WesternRules {
  static constexpr bool kPadded = false;
  static constexpr bool is_lead(unsigned char byte) {
    return byte == 0xC2 || (byte >= 0xE1 && byte <= 0xEF);
  }
  static constexpr Kind kind(char32_t c) {
    return is_chinese_of_sacrebleu(c) ? Kind::isolated : WesternRules::kind(c);
  }
};

struct InternationalRules {
  static constexpr bool kPadded = false;
  static constexpr bool kAsciiMarks = false;
  static constexpr bool is_space(char32_t c) { return is_python_space(c); }
  static constexpr bool is_number(char32_t c) { return category(c) == Category::number; }
  static constexpr bool is_lead(unsigned char byte) { return byte >= 0xC2; }
  static constexpr Kind kind(char32_t c) {
    const Category found = category(c);
    if (found == Category::punctuation) return Kind::mark;
    return found == Category::symbol ? Kind::isolated : Kind::word;
  }
};

// mteval removes separators and then splits at \s: together, Perl's white space.
struct PerlInternationalRules : InternationalRules {
  static constexpr bool is_space(char32_t c) { return is_perl_space(c); }
};

// Every character outside ASCII stands between spaces: it is a token, and no number to its neighbours.
struct SplittingInternationalRules : PerlInternationalRules {
  static constexpr bool is_number(char32_t c) { return is_ascii_digit(c); }
  static constexpr Kind kind(char32_t c) {
    return c >= 0x80 ? Kind::isolated : InternationalRules::kind(c);
  }
};

template <class Rules>
constexpr Kind kind_of(char32_t c) {
  return Rules::is_space(c) ? Kind::space : Rules::kind(c);
}

// The kind of each byte. Continuation bytes are words: they are met only inside code points whose
// first byte says nothing, and those are words throughout.
template <class Rules>
constexpr std::array<Kind, 256> make_kinds() {
  std::array<Kind, 256> kinds{};
  for (std::size_t byte = 0; byte < 0x80; ++byte) kinds[byte] = kind_of<Rules>(static_cast<char32_t>(byte));
  for (std::size_t byte = 0xC2; byte < 0xF5; ++byte) {
    if (Rules::is_lead(static_cast<unsigned char>(byte))) kinds[byte] = Kind::lead;
  }
  return kinds;
}

template <class Rules>
inline constexpr std::array<Kind, 256> kKinds = make_kinds<Rules>();

// What stops the pass because the text has to be rewritten first.
enum class Rewriting { none, western, international, international_joining };

template <Rewriting kRewriting>
inline bool must_rewrite(std::string_view text, std::size_t i) {
  const std::string_view rest = text.substr(i);
  switch (text[i]) {
    case '<': return rest.starts_with("<skipped>");
    case '&':
      return rest.starts_with("&quot;") || rest.starts_with("&amp;") || rest.starts_with("&lt;") ||
             rest.starts_with("&gt;") ||
             (kRewriting != Rewriting::western && rest.starts_with("&apos;"));
    case '-':
      if (kRewriting == Rewriting::western) return rest.starts_with("-\n");
      return kRewriting == Rewriting::international_joining && rest.starts_with("-\u2028");
    default: return false;
  }
}

template <Rewriting kRewriting>
inline void rewrite(std::string& text) {
  if constexpr (kRewriting == Rewriting::western) rewrite_mteval(text);
  else rewrite_mteval_international(text, kRewriting == Rewriting::international_joining);
}

// Appends the tokens of `text`; false, with none appended, if it must be rewritten first.
template <class Rules, Rewriting kRewriting>
inline bool cut(std::string_view text, TokenBuffer& buffer) {
  const char* const data = text.data();
  const std::size_t size = text.size();
  const char* const end = data + size;
  const std::size_t tokens_before = buffer.tokens.size();
  std::size_t start = 0;       // of the token being read
  std::size_t taken_end = size + 1;  // the end of the last mark that the first expression took
  std::size_t i = 0;

  const auto close = [&] {
    if (i > start) buffer.add(data + start, i - start, end);
  };
  const auto isolate = [&](std::size_t width) {
    close();
    buffer.add(data + i, width, end);
    i += width;
    start = i;
  };
  const auto number_before = [&] {
    const auto byte = static_cast<unsigned char>(data[i - 1]);
    return Rules::is_number(byte < 0x80 || Rules::kAsciiMarks ? byte : decode_before(text, i).value);
  };
  const auto number_at = [&](std::size_t at) {
    const auto byte = static_cast<unsigned char>(data[at]);
    return Rules::is_number(byte < 0x80 || Rules::kAsciiMarks ? byte : decode(text, at).value);
  };

  while (true) {
    Kind kind = Kind::word;
    while (i < size && (kind = kKinds<Rules>[static_cast<unsigned char>(data[i])]) == Kind::word) ++i;
    if (i == size) break;

    std::size_t width = 1;
    if (kind == Kind::lead) {
      const CodePoint point = decode(text, i);
      width = point.size;
      kind = kind_of<Rules>(point.value);
    }
    if (kind == Kind::space) {
      close();
      i += width;
      start = i;
      continue;
    }
    if constexpr (kRewriting != Rewriting::none) {
      if (must_rewrite<kRewriting>(text, i)) {
        buffer.tokens.resize(tokens_before);
        return false;
      }
    }
    switch (kind) {
      case Kind::isolated: isolate(width); break;
      case Kind::hyphen:
        if (i > 0 && number_before()) isolate(width);
        else i += width;
        break;
      case Kind::mark: {
        const bool taken =
            i == 0 ? Rules::kPadded : taken_end != i && !number_before();
        const std::size_t next = i + width;
        const bool cut_out = taken || (next == size ? Rules::kPadded : !number_at(next));
        if (cut_out) isolate(width);
        else i = next;
        if (taken) taken_end = next;
        break;
      }
      default: i += width; break;
    }
  }
  close();
  return true;
}

template <class Rules, Rewriting kRewriting>
inline void tokenize_mteval(std::string_view text, TokenBuffer& buffer) {
  if (cut<Rules, kRewriting>(text, buffer)) return;
  buffer.scratch.assign(text);
  rewrite<kRewriting>(buffer.scratch);
  cut<Rules, Rewriting::none>(buffer.scratch, buffer);
}

// 13a of sacreBLEU.
inline void tokenize_13a(std::string_view text, TokenBuffer& buffer) {
  tokenize_mteval<WesternRules, Rewriting::western>(text, buffer);
}

// zh of sacreBLEU: decodes no entities and adds no spaces at the ends.
inline void tokenize_zh(std::string_view text, TokenBuffer& buffer) {
  cut<ChineseRules, Rewriting::none>(strip_left(strip_right(text)), buffer);
}

// intl of sacreBLEU: decodes no entities.
inline void tokenize_intl(std::string_view text, TokenBuffer& buffer) {
  cut<InternationalRules, Rewriting::none>(text, buffer);
}

// mteval-v13a.pl and mteval-v14.pl.
inline void tokenize_mteval_v13a(std::string_view text, TokenBuffer& buffer) {
  tokenize_mteval<PerlWesternRules, Rewriting::western>(text, buffer);
}

// The same, with the lower-casing that the script does by default, in its place: after the entities.
inline void tokenize_mteval_v13a_lowercase(std::string_view text, TokenBuffer& buffer) {
  buffer.scratch.assign(text);
  rewrite_mteval(buffer.scratch);
  lower_ascii(buffer.scratch);
  cut<PerlWesternRules, Rewriting::none>(buffer.scratch, buffer);
}

// The international scripts trim separators, not all white space, before they split: a segment that
// then begins with a tab, a line feed or the like gets an empty first token.
inline bool begins_with_empty_token(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    if (!is_separator(point.value)) return is_perl_space(point.value);
    i += point.size;
  }
  return false;
}

template <class Rules, Rewriting kRewriting, bool kLowercase>
inline void tokenize_mteval_international(std::string_view text, TokenBuffer& buffer) {
  const std::size_t tokens_before = buffer.tokens.size();
  if (kLowercase || !cut<Rules, kRewriting>(text, buffer)) {
    buffer.scratch.assign(text);
    rewrite<kRewriting>(buffer.scratch);
    text = buffer.scratch;
    if constexpr (kLowercase) {
      lower_all(text, buffer.lowered);
      text = buffer.lowered;
    }
    cut<Rules, Rewriting::none>(text, buffer);
  }
  if (buffer.tokens.size() > tokens_before && begins_with_empty_token(text)) {
    buffer.tokens.insert(buffer.tokens.begin() + static_cast<std::ptrdiff_t>(tokens_before),
                         make_token(text.data(), 0));
  }
}

}  // namespace cocarde
