// UTF-8 and the white-space sets of the reference implementations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cocarde {

struct CodePoint {
  char32_t value;
  std::uint32_t size;  // bytes
};

// Decodes the code point that starts at text[i]. The text is well formed (checked on the way in),
// except that lone surrogates may stand as three bytes.
inline CodePoint decode(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i + k]));
  };
  const char32_t lead = at(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {((lead & 0x1F) << 6) | (at(1) & 0x3F), 2};
  if (lead < 0xF0) return {((lead & 0x0F) << 12) | ((at(1) & 0x3F) << 6) | (at(2) & 0x3F), 3};
  return {((lead & 0x07) << 18) | ((at(1) & 0x3F) << 12) | ((at(2) & 0x3F) << 6) | (at(3) & 0x3F), 4};
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

inline std::string_view strip_right(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (!is_python_space(decode(text, start).value)) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

}  // namespace cocarde
