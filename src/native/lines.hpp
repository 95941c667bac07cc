// Lines of a block of text.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

namespace cocarde {

// Lines end at "\n" and nowhere else; a "\r" before it goes too. A last line may lack its "\n".
inline std::vector<std::string_view> split_lines(std::string_view block) {
  std::vector<std::string_view> lines;
  const char* next = block.data();
  const char* const end = next + block.size();
  while (next < end) {
    const auto left = static_cast<std::size_t>(end - next);
    const auto* newline = static_cast<const char*>(std::memchr(next, '\n', left));
    const char* line_end = newline == nullptr ? end : newline;
    const char* after = newline == nullptr ? end : newline + 1;
    if (newline != nullptr && line_end > next && line_end[-1] == '\r') --line_end;
    lines.emplace_back(next, static_cast<std::size_t>(line_end - next));
    next = after;
  }
  return lines;
}

}  // namespace cocarde
