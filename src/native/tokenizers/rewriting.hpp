// Text that must change before it can be cut: entities, <skipped> tags, hyphens at the end of a line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "../unicode.hpp"

namespace cocarde {

// Replaces `from` by `to`, no longer than it, from left to right and without looking back: what
// str.replace() of Python and s///g of Perl do with a literal.
inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t found = text.find(from);
  if (found == std::string::npos) return;
  std::size_t written = found;
  while (found != std::string::npos) {
    std::copy(to.begin(), to.end(), text.begin() + static_cast<std::ptrdiff_t>(written));
    written += to.size();
    const std::size_t rest = found + from.size();
    found = text.find(from, rest);
    const auto last = found == std::string::npos ? text.size() : found;
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(rest),
              text.begin() + static_cast<std::ptrdiff_t>(last),
              text.begin() + static_cast<std::ptrdiff_t>(written));
    written += last - rest;
  }
  text.resize(written);
}

// What mteval-v13a does before it cuts. Its next step, a line feed to a space, changes nothing: both
// are white space and neither is a digit.
inline void rewrite_mteval(std::string& text) {
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  // One after the other: "&amp;lt;" ends as "<", and "&amp;quot;" as "&quot;".
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

// The same for the international tokenization. Version 13a joins lines at a hyphen before U+2028,
// version 14 does not.
inline void rewrite_mteval_international(std::string& text, bool join_lines) {
  replace_all(text, "<skipped>", "");
  if (join_lines) replace_all(text, "-\u2028", "");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  replace_all(text, "&apos;", "'");
}

// How a tokenizer rewrites its text.
enum class Rewriting { none, western, international, international_joining };

// Whether what stands at text[i] is to be rewritten.
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

// tr/A-Z/a-z/ of Perl, in place.
inline void lower_ascii(std::string& text) {
  for (char& c : text) c = static_cast<char>(ascii_lower(static_cast<unsigned char>(c)));
}

// lc() of Perl.
inline void lower_all(std::string_view text, std::string& lowered) {
  lowered.clear();
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    append_lower(lowered, point.value);
    i += point.size;
  }
}

}  // namespace cocarde
