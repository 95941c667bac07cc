// Lines of a block of text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace cocarde {

inline std::size_t count_line_feeds(std::string_view block) {
  // In stretches whose count fits a byte, so that the compiler can count sixteen or more at a time.
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < block.size(); begin += 128) {
    const std::size_t end = std::min(block.size(), begin + 128);
    unsigned char some = 0;
    for (std::size_t i = begin; i < end; ++i) some = static_cast<unsigned char>(some + (block[i] == '\n'));
    count += some;
  }
  return count;
}

// The position after the count-th line feed from `start` on; the end where there are fewer.
inline std::size_t after_line_feeds(std::string_view block, std::size_t start, std::size_t count) {
  for (; count > 0 && start < block.size(); --count) {
    const void* found = std::memchr(block.data() + start, '\n', block.size() - start);
    if (found == nullptr) return block.size();
    start = static_cast<std::size_t>(static_cast<const char*>(found) - block.data()) + 1;
  }
  return start;
}

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
