// The tokenizers that descend from NIST's mteval script.
#pragma once

#include <cstddef>
#include <string_view>

#include "../tokens.hpp"
#include "../unicode.hpp"
#include "cutter.hpp"
#include "rewriting.hpp"

namespace cocarde {

// Letters, digits and whatever is not ASCII.
constexpr bool is_word_byte(unsigned char byte) {
  const bool letter = static_cast<unsigned char>((byte | 0x20) - 'a') < 26;
  const bool digit = static_cast<unsigned char>(byte - '0') < 10;
  return letter | digit | (byte >= 0x80);
}

constexpr bool is_ascii_digit(char32_t c) { return c >= '0' && c <= '9'; }

// The characters that 13a and zh always cut out: all of ASCII's punctuation but ' , - and the period.
constexpr bool is_isolated_13a(char32_t c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c > ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

// U+2001-U+2A6D and U+2F81-U+2FA1 come from sacreBLEU's writing of two supplementary ranges with
// four-digit escapes, so that it compares with strings of two characters.
constexpr bool is_chinese_of_sacrebleu(char32_t c) {
  // The common ideographs come first: nearly all that is asked is one of them.
  return (c >= 0x4E00 && c <= 0x9FBB) || (c >= 0x2001 && c <= 0x2A6D) || (c >= 0x2E80 && c <= 0x2FDF) ||
         (c >= 0x2FF0 && c <= 0x303F) || (c >= 0x3100 && c <= 0x312F) ||
         (c >= 0x31A0 && c <= 0x31BF) || (c >= 0x31C0 && c <= 0x31EF) ||
         (c >= 0x3200 && c <= 0x33FF) || (c >= 0x3400 && c <= 0x4DB5) ||
         (c >= 0xF900 && c <= 0xFA2D) ||
         (c >= 0xFA30 && c <= 0xFA6A) || (c >= 0xFA70 && c <= 0xFAD9) ||
         (c >= 0xFE10 && c <= 0xFE1F) || (c >= 0xFE30 && c <= 0xFE4F) ||
         (c >= 0xFF00 && c <= 0xFFEF);
}

struct WesternRules {
  static constexpr bool kPadded = true;
  static constexpr bool kAsciiMarks = true;
  static constexpr bool kWideTokens = false;
  static constexpr bool is_space(char32_t c) { return is_python_space(c); }
  static constexpr bool is_number(char32_t c) { return is_ascii_digit(c); }
  static constexpr bool is_lead(unsigned char byte) { return is_lead_of_space(byte); }
  static constexpr bool is_special(unsigned char byte) {
    return is_lead(byte) | !is_word_byte(byte);
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
  static constexpr bool kWideTokens = true;
  static constexpr bool is_lead(unsigned char byte) {
    return (byte == 0xC2) | ((byte >= 0xE1) & (byte <= 0xEF));
  }
  static constexpr bool is_special(unsigned char byte) {
    return is_lead(byte) | !is_word_byte(byte);
  }
  // U+5000 to U+8FFF.
  static constexpr bool is_isolated_lead(unsigned char byte) { return (byte >= 0xE5) & (byte <= 0xE8); }
  static constexpr Kind kind(char32_t c) {
    return is_chinese_of_sacrebleu(c) ? Kind::isolated : WesternRules::kind(c);
  }
};

// As zh, with every ideograph of Unicode: those that sacreBLEU's ranges leave out, and all of the
// supplementary and the tertiary ideographic plane, where later versions of Unicode add theirs.
struct UnicodeChineseRules : ChineseRules {
  static constexpr bool is_lead(unsigned char byte) { return ChineseRules::is_lead(byte) | (byte == 0xF0); }
  static constexpr bool is_special(unsigned char byte) { return is_lead(byte) | !is_word_byte(byte); }
  static constexpr Kind kind(char32_t c) {
    const bool added = (c >= 0x4DB6 && c <= 0x4DBF) || (c >= 0x9FBC && c <= 0x9FFF) || (c >= 0xFA2E && c <= 0xFAFF) ||
                       is_supplementary_ideograph(c);
    return added ? Kind::isolated : ChineseRules::kind(c);
  }
};

struct InternationalRules {
  static constexpr bool kPadded = false;
  static constexpr bool kAsciiMarks = false;
  static constexpr bool kWideTokens = true;
  static constexpr bool is_space(char32_t c) { return is_python_space(c); }
  static constexpr bool is_number(char32_t c) { return category(c) == Category::number; }
  static constexpr bool is_lead(unsigned char byte) { return byte >= 0xC2; }
  static constexpr bool is_special(unsigned char byte) {
    return is_lead(byte) | !is_word_byte(byte);
  }
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

// zh-unicode: as zh, every ideograph apart.
inline void tokenize_zh_unicode(std::string_view text, TokenBuffer& buffer) {
  cut<UnicodeChineseRules, Rewriting::none>(strip_left(strip_right(text)), buffer);
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
