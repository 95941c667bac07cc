// What Tercom does to texts before it compares their words, as sacreBLEU has it and as the program does it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "../tokens.hpp"
#include "../unicode.hpp"
#include "cutter.hpp"
#include "mteval.hpp"
#include "rewriting.hpp"
#include "whitespace.hpp"

namespace cocarde {

constexpr bool is_punctuation_of_tercom(char32_t c) {
  return c == '.' || c == ',' || c == '?' || c == ':' || c == ';' || c == '!' || c == '"' || c == '(' || c == ')';
}

// CJK punctuation and full-width forms of the Western one.
constexpr bool is_asian_punctuation_of_tercom(char32_t c) {
  return c == 0x3001 || c == 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) ||
         (c >= 0xFF61 && c <= 0xFF65) || c == 0x30FB || c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A ||
         c == 0xFF1B || c == 0xFF01 || c == 0xFF02 || c == 0xFF08 || c == 0xFF09;
}

// Kana are meant to be cut as well, but the expressions for them ask for the beginning of a text, where
// there is always a space: they never match.
constexpr bool is_ideograph_of_tercom(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3200 && c <= 0x4DBF) || (c >= 0x31C0 && c <= 0x31EF) ||
         (c >= 0x2E80 && c <= 0x2EFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F);
}

struct TercomAsianRules : ChineseRules {
  static constexpr bool kPadded = true;
  static constexpr Kind kind(char32_t c) {
    return is_ideograph_of_tercom(c) || is_asian_punctuation_of_tercom(c) ? Kind::isolated : WesternRules::kind(c);
  }
};

// Puts a possessive 's apart, where a space or a character that becomes a token of its own comes next.
inline void part_possessives(std::string& text) {
  for (char& c : text) c = c == '\n' ? ' ' : c;
  std::size_t found = text.find("'s");
  if (found == std::string::npos) return;
  std::string parted;
  std::size_t copied = 0;
  for (; found != std::string::npos; found = text.find("'s", found + 2)) {
    const std::size_t next = found + 2;
    if (next < text.size() && text[next] != ' ' && !is_isolated_13a(static_cast<unsigned char>(text[next]))) continue;
    parted.append(text, copied, found - copied);
    parted.push_back(' ');
    copied = found;
  }
  parted.append(text, copied);
  text = std::move(parted);
}

// Joins lines, decodes entities and puts possessives apart.
inline void rewrite_tercom(std::string& text) {
  replace_all(text, "\n-", "");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  part_possessives(text);
}

// Takes characters out of the tokens, which lie in `scratch`, and with them tokens of nothing else.
template <bool kAsian>
inline void drop_tercom_punctuation(TokenBuffer& buffer, std::size_t tokens_before) {
  char* const text = buffer.scratch.data();
  const char* const end = text + buffer.scratch.size();
  std::size_t kept = tokens_before;
  for (std::size_t t = tokens_before; t < buffer.tokens.size(); ++t) {
    const Token token = buffer.tokens[t];
    char* const first = text + (token.data - text);
    std::size_t size = 0;
    for (std::size_t i = 0; i < token.size;) {
      const CodePoint point = decode({first, token.size}, i);
      const bool drop = is_punctuation_of_tercom(point.value) ||
                        (kAsian && is_asian_punctuation_of_tercom(point.value));
      if (!drop) {
        std::copy(first + i, first + i + point.size, first + size);
        size += point.size;
      }
      i += point.size;
    }
    if (size == 0) continue;
    buffer.tokens[kept++] = size == token.size ? token : make_token(first, size, end);
  }
  buffer.tokens.resize(kept);
}

template <bool kNormalized, bool kPunctuation, bool kAsian>
inline void tokenize_tercom(std::string_view text, TokenBuffer& buffer) {
  const std::size_t tokens_before = buffer.tokens.size();
  buffer.scratch.assign(text);
  if constexpr (kNormalized) {
    rewrite_tercom(buffer.scratch);
    if constexpr (kAsian) {
      cut<TercomAsianRules, Rewriting::none>(buffer.scratch, buffer);
    } else {
      cut<WesternRules, Rewriting::none>(buffer.scratch, buffer);
    }
  } else {
    cut<PythonSpaceRules, Rewriting::none>(buffer.scratch, buffer);
  }
  if constexpr (!kPunctuation) drop_tercom_punctuation<kAsian>(buffer, tokens_before);
}

// sacreBLEU normalises references twice: a possessive 's that the first time came before a mark stands
// before a space the second time.
template <bool kPunctuation, bool kAsian>
inline void tokenize_tercom_twice(std::string_view text, TokenBuffer& buffer) {
  const std::size_t tokens_before = buffer.tokens.size();
  tokenize_tercom<true, kPunctuation, kAsian>(text, buffer);
  std::string joined;
  for (std::size_t t = tokens_before; t < buffer.tokens.size(); ++t) {
    if (!joined.empty()) joined.push_back(' ');
    joined.append(buffer.tokens[t].text());
  }
  buffer.tokens.resize(tokens_before);
  tokenize_tercom<true, kPunctuation, kAsian>(joined, buffer);
}

struct JavaWesternRules : WesternRules {
  static constexpr bool is_space(char32_t c) { return is_ascii_space(c); }
  static constexpr bool is_lead(unsigned char) { return false; }
  static constexpr bool is_special(unsigned char byte) { return !is_word_byte(byte); }
};

// The program Tercom 0.8.0: white space is that of ASCII, hyphens at the end of a line join it to the next,
// and String.split() of Java leaves an empty token before white space, or of an empty text.
template <bool kNormalized, bool kPunctuation>
inline void tokenize_tercom_java(std::string_view text, TokenBuffer& buffer) {
  // String.trim(), as all its readers do.
  const auto is_trimmed = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_trimmed(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_trimmed(text.back())) text.remove_suffix(1);
  if (text.empty()) return;
  const std::size_t before = buffer.tokens.size();
  buffer.scratch.assign(text);
  if constexpr (kNormalized) {
    rewrite_mteval(buffer.scratch);
    part_possessives(buffer.scratch);
    cut<JavaWesternRules, Rewriting::none>(buffer.scratch, buffer);
  } else {
    cut<AsciiSpaceRules, Rewriting::none>(buffer.scratch, buffer);
  }
  const std::size_t found = buffer.tokens.size() - before;
  bool space_first = false;
  if constexpr (!kPunctuation) {
    if (found > 0) {
      const std::string_view first = buffer.tokens[before].text();
      space_first = std::all_of(first.begin(), first.end(), [](char c) {
        return is_punctuation_of_tercom(static_cast<unsigned char>(c));
      });
    }
    drop_tercom_punctuation<false>(buffer, before);
  }
  const bool none_left = buffer.tokens.size() == before;
  if (none_left ? found <= 1 : space_first) {
    buffer.tokens.insert(buffer.tokens.begin() + static_cast<std::ptrdiff_t>(before),
                         make_token(buffer.scratch.data(), 0));
  }
}

}  // namespace cocarde
