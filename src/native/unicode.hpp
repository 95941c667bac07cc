// UTF-8, the white-space sets of the reference implementations, general categories, lower case.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tokens.hpp"
#include "unicode_tables.hpp"

namespace cocarde {

struct CodePoint {
  char32_t value;
  std::uint32_t size;  // bytes
};

// A code point of three bytes, which most ideographs are: short enough to be compiled into a loop.
inline CodePoint decode_three(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) { return static_cast<char32_t>(static_cast<unsigned char>(text[i + k])); };
  return {((at(0) & 0x0F) << 12) | ((at(1) & 0x3F) << 6) | (at(2) & 0x3F), 3};
}

// Decodes the code point that starts at text[i]. The text is well formed (checked on the way in),
// except that lone surrogates may stand as three bytes.
inline CodePoint decode(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i + k]));
  };
  const char32_t lead = at(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {((lead & 0x1F) << 6) | (at(1) & 0x3F), 2};
  if (lead < 0xF0) return decode_three(text, i);
  return {((lead & 0x07) << 18) | ((at(1) & 0x3F) << 12) | ((at(2) & 0x3F) << 6) | (at(3) & 0x3F), 4};
}

// Whether a text is well-formed UTF-8; lone surrogates are not.
inline bool is_utf8(std::string_view text) {
  constexpr std::size_t kStretch = 64;
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return byte(i) >> 6 == 2; };
  const std::size_t size = text.size();
  for (std::size_t i = 0; i < size;) {
    const unsigned first = byte(i);
    const std::size_t left = size - i;
    if (first < 0x80) {
      ++i;
      while (i + kStretch <= size && is_ascii(text.substr(i, kStretch))) i += kStretch;
    } else if (first >= 0xE0 && first < 0xF0) {  // most others are ideographs
      if (left < 3 || !continues(i + 1) || !continues(i + 2)) return false;
      // A longer form than needed, a surrogate.
      if (first == 0xE0 && byte(i + 1) < 0xA0) return false;
      if (first == 0xED && byte(i + 1) >= 0xA0) return false;
      i += 3;
    } else if (first >= 0xC2 && first < 0xE0) {
      if (left < 2 || !continues(i + 1)) return false;
      i += 2;
    } else if (first >= 0xF0 && first < 0xF5) {
      if (left < 4 || !continues(i + 1) || !continues(i + 2) || !continues(i + 3)) return false;
      // A longer form than needed, beyond the last code point.
      if (first == 0xF0 && byte(i + 1) < 0x90) return false;
      if (first == 0xF4 && byte(i + 1) >= 0x90) return false;
      i += 4;
    } else {
      return false;
    }
  }
  return true;
}

// The code point that ends right before text[end], end > 0.
inline CodePoint decode_before(std::string_view text, std::size_t end) {
  std::size_t start = end - 1;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
  return decode(text, start);
}

// Writes one code point, up to four bytes; returns where the next goes. A lone surrogate takes three.
inline char* put_utf8(char* to, char32_t c) {
  const auto put = [&to](char32_t byte) { *to++ = static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
  return to;
}

inline void append_utf8(std::string& text, char32_t c) {
  char bytes[4];
  text.append(bytes, put_utf8(bytes, c));
}

// Writes a text whose code points lie in units of one, two or four bytes, at most kMostBytes<Unit> for
// each; returns where it ends. Most of a text in Latin letters is ASCII, eight units at a time.
template <class Unit>
inline constexpr std::size_t kMostBytes = sizeof(Unit) == 1 ? 2 : sizeof(Unit) == 2 ? 3 : 4;

template <class Unit>
inline char* encode_utf8(std::span<const Unit> text, char* to) {
  constexpr std::size_t kStep = 8;
  for (std::size_t i = 0; i < text.size();) {
    if constexpr (sizeof(Unit) == 2) {
      for (; i < text.size() && text[i] >= 0x800; ++i) to = put_utf8(to, text[i]);
      if (i == text.size()) break;
    }
    if (text[i] >= 0x80) {
      to = put_utf8(to, text[i++]);
      continue;
    }
    if (i + kStep <= text.size()) {
      const Unit* from = text.data() + i;
      Unit seen = 0;
      for (std::size_t k = 0; k < kStep; ++k) seen = static_cast<Unit>(seen | from[k]);
      if (seen < 0x80) {
        for (std::size_t k = 0; k < kStep; ++k) to[k] = static_cast<char>(from[k]);
        to += kStep;
        i += kStep;
        continue;
      }
    }
    *to++ = static_cast<char>(text[i++]);
  }
  return to;
}

// The general categories that tokenizers ask for: P, N and S, with all their subcategories.
enum class Category : std::uint8_t { other = 0, punctuation = 1, number = 2, symbol = 3 };

constexpr Category category(char32_t c) {
  const std::size_t block = unicode_tables::kBlockIndex[c >> 8];
  const std::uint64_t word = unicode_tables::kBlocks[block * 8 + ((c >> 5) & 7)];
  return static_cast<Category>((word >> (2 * (c & 31))) & 3);
}

constexpr char32_t ascii_lower(char32_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

// Appends the lower case of one code point, without regard to its neighbours: lc() of Perl, and
// str.lower() of Python except for a capital sigma at the end of a word.
inline void append_lower(std::string& text, char32_t c) {
  if (c < 0x80) return append_utf8(text, ascii_lower(c));
  if (c == 0x130) {  // capital i with a dot: an i and a combining dot
    text.append("i\u0307");
    return;
  }
  const auto& runs = unicode_tables::kLowerRuns;
  const auto run = std::lower_bound(runs.begin(), runs.end(), c,
                                    [](const auto& r, char32_t value) { return r.last < value; });
  const bool changes = run != runs.end() && c >= run->first && (c - run->first) % run->step == 0;
  append_utf8(text, changes ? static_cast<char32_t>(static_cast<std::int64_t>(c) + run->difference)
                            : c);
}

// str.isspace() of Python: what str.split() and str.strip() cut at.
constexpr bool is_python_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

// \s of Perl 5.18 and later on character strings: Python's set without the four separators 1C-1F.
constexpr bool is_perl_space(char32_t c) {
  return is_python_space(c) && !(c >= 0x1C && c <= 0x1F);
}

// \s of Perl on byte strings, and isspace() of C: what multi-bleu.perl cuts at.
constexpr bool is_ascii_space(char32_t c) { return (c >= 0x09 && c <= 0x0D) || c == 0x20; }

// \p{Z} of Perl: separators, which no control character is.
constexpr bool is_separator(char32_t c) {
  return is_python_space(c) && c >= 0x20 && c != 0x85;
}

// Planes 2 and 3, which Unicode keeps for ideographs alone, assigned or not.
constexpr bool is_supplementary_ideograph(char32_t c) { return c >= 0x20000 && c < 0x40000; }

// str.rstrip() of Python.
inline std::string_view strip_right(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (!is_python_space(decode(text, start).value)) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

// str.lstrip() of Python.
inline std::string_view strip_left(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = decode(text, 0);
    if (!is_python_space(point.value)) break;
    text.remove_prefix(point.size);
  }
  return text;
}

}  // namespace cocarde
