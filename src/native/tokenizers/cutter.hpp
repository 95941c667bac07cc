// One pass over a text that cuts it into tokens by the rules of a tokenizer.
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
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
  lead,      // the first byte of a code point that must be decoded to know
};

// Rules have the static members
//   kPadded          whether spaces are added at both ends
//   kAsciiMarks      whether no number is outside ASCII
//   is_space(c)      white space
//   is_number(c)     what a mark may be glued to
//   kind(c)          of any other character
//   is_lead(byte)    the bytes that begin a code point which may be something other than a word
//   is_special(byte) those, and all ASCII that may be something other than a word

// The first bytes of the white space outside ASCII.
constexpr bool is_lead_of_space(unsigned char byte) {
  return (byte == 0xC2) | ((byte >= 0xE1) & (byte <= 0xE3));
}

template <class Rules>
constexpr Kind kind_of(char32_t c) {
  // No white space lies behind U+3000, and most of what comes here in Chinese or Japanese does.
  return c <= 0x3000 && Rules::is_space(c) ? Kind::space : Rules::kind(c);
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

inline constexpr std::size_t kBlock = 64;

// One bit for each of the kBlock bytes at p: set where the byte may be something other than a word.
// Plain arithmetic on bytes, which compilers turn into vector instructions.
template <class Rules>
inline std::uint64_t find_specials(const char* p) {
  std::array<unsigned char, kBlock> special;
  for (std::size_t k = 0; k < kBlock; ++k) {
    special[k] = static_cast<unsigned char>(Rules::is_special(static_cast<unsigned char>(p[k])));
  }
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < kBlock; k += 8) {
    // The product brings the lowest bits of eight bytes together in the highest byte.
    std::uint64_t word = 0;
    std::memcpy(&word, special.data() + k, 8);
    bits |= ((word * 0x0102040810204080ULL) >> 56) << k;
  }
  return bits;
}

// Cuts one text. Words are skipped a block at a time: only the positions that find_specials marks are
// visited, so that the length of a word costs no mispredicted branch.
template <class Rules, Rewriting kRewriting>
class Cutter {
 public:
  Cutter(std::string_view text, TokenBuffer& buffer) : text_(text), buffer_(buffer) {}

  // Appends the tokens; false, with none appended, if the text must be rewritten first.
  bool run() {
    const std::size_t tokens_before = buffer_.tokens.size();
    for (std::size_t block = 0; block < text_.size(); block += kBlock) {
      make_room();
      std::uint64_t specials;
      if (const std::size_t rest = text_.size() - block; rest >= kBlock) {
        specials = find_specials<Rules>(text_.data() + block);
      } else {
        std::array<char, kBlock> padded;
        padded.fill('a');
        std::memcpy(padded.data(), text_.data() + block, rest);
        specials = find_specials<Rules>(padded.data());
      }
      while (specials != 0) {
        const std::size_t i = block + static_cast<std::size_t>(std::countr_zero(specials));
        specials &= specials - 1;
        if (!visit(i)) {
          buffer_.tokens.resize(tokens_before);
          return false;
        }
      }
      keep_added();
    }
    make_room();
    close(text_.size());
    keep_added();
    return true;
  }

 private:
  // A block yields two tokens a position at most.
  void make_room() {
    const std::size_t size = buffer_.tokens.size();
    buffer_.tokens.resize(size + 2 * kBlock + 1);
    next_ = buffer_.tokens.data() + size;
  }
  void keep_added() {
    buffer_.tokens.resize(static_cast<std::size_t>(next_ - buffer_.tokens.data()));
  }
  void add(std::size_t i, std::size_t width) {
    *next_++ = make_token(text_.data() + i, width, text_.data() + text_.size());
  }
  // Ends the token being read before i.
  void close(std::size_t i) {
    if (i > start_) add(start_, i - start_);
  }
  void isolate(std::size_t i, std::size_t width) {
    close(i);
    add(i, width);
    start_ = i + width;
  }
  bool number_before(std::size_t i) const {
    const auto byte = static_cast<unsigned char>(text_[i - 1]);
    return Rules::is_number(byte < 0x80 || Rules::kAsciiMarks ? byte : decode_before(text_, i).value);
  }
  bool number_at(std::size_t i) const {
    const auto byte = static_cast<unsigned char>(text_[i]);
    return Rules::is_number(byte < 0x80 || Rules::kAsciiMarks ? byte : decode(text_, i).value);
  }

  // Looks at position i; false if the text must be rewritten first.
  bool visit(std::size_t i) {
    Kind kind = kKinds<Rules>[static_cast<unsigned char>(text_[i])];
    std::size_t width = 1;
    if (kind == Kind::lead) {
      const CodePoint point = decode(text_, i);
      width = point.size;
      kind = kind_of<Rules>(point.value);
    }
    if (kind == Kind::space) {
      close(i);
      start_ = i + width;
      return true;
    }
    if constexpr (kRewriting != Rewriting::none) {
      if (must_rewrite<kRewriting>(text_, i)) return false;
    }
    if (kind == Kind::isolated || (kind == Kind::hyphen && i > 0 && number_before(i))) {
      isolate(i, width);
    } else if (kind == Kind::mark) {
      const bool taken = i == 0 ? Rules::kPadded : taken_end_ != i && !number_before(i);
      const std::size_t next = i + width;
      if (taken) taken_end_ = next;
      if (taken || (next == text_.size() ? Rules::kPadded : !number_at(next))) isolate(i, width);
    }
    return true;
  }

  std::string_view text_;
  TokenBuffer& buffer_;
  std::size_t start_ = 0;      // of the token being read
  std::size_t taken_end_ = 0;  // the end of the last mark that the first expression took
  Token* next_ = nullptr;      // where the next token goes, in the buffer
};

template <class Rules, Rewriting kRewriting>
inline bool cut(std::string_view text, TokenBuffer& buffer) {
  return Cutter<Rules, kRewriting>(text, buffer).run();
}

}  // namespace cocarde
