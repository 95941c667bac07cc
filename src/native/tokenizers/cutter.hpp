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

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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
//   kWideTokens      whether an isolated token may be longer than a byte
//   is_space(c)      white space
//   is_number(c)     what a mark may be glued to
//   kind(c)          of any other character
//   is_lead(byte)    the bytes that begin a code point which may be something other than a word
//   is_special(byte) those, and all ASCII that may be something other than a word
// and perhaps
//   is_isolated_lead(byte) first bytes of code points of three bytes that are all isolated

// The first bytes of the white space outside ASCII.
constexpr bool is_lead_of_space(unsigned char byte) {
  return (byte == 0xC2) | ((byte >= 0xE1) & (byte <= 0xE3));
}

template <class Rules>
constexpr Kind kind_of(char32_t c) {
  // No white space lies behind U+3000, and most of what comes here in Chinese or Japanese does.
  return c <= 0x3000 && Rules::is_space(c) ? Kind::space : Rules::kind(c);
}

// Bytes of the code point that begins with this byte.
constexpr std::size_t width_of_lead(unsigned char byte) {
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// The kind of all code points that begin with this byte, if it is one kind; else lead. Most
// ideographs are thus known by their first byte.
template <class Rules>
constexpr Kind kind_of_lead(unsigned char byte) {
  if (byte >= 0xF0) return Kind::lead;
  const std::size_t width = width_of_lead(byte);
  const char32_t count = width == 2 ? 0x40 : 0x1000;
  const char32_t first = width == 2 ? (byte & 0x1Fu) * count : (byte & 0x0Fu) * count;
  const char32_t begin = byte == 0xE0 ? 0x800 : first;
  const Kind kind = kind_of<Rules>(begin);
  if (kind == Kind::mark || kind == Kind::hyphen) return Kind::lead;
  for (char32_t c = begin; c < first + count; ++c) {
    if (kind_of<Rules>(c) != kind) return Kind::lead;
  }
  return kind;
}

// The kind of each byte. Continuation bytes are words: they are met only inside code points whose
// first byte says nothing, and those are words throughout.
template <class Rules>
constexpr std::array<Kind, 256> make_kinds() {
  std::array<Kind, 256> kinds{};
  for (std::size_t byte = 0; byte < 0x80; ++byte) kinds[byte] = kind_of<Rules>(static_cast<char32_t>(byte));
  for (std::size_t byte = 0xC2; byte < 0xF5; ++byte) {
    const auto lead = static_cast<unsigned char>(byte);
    if (Rules::is_lead(lead)) kinds[byte] = kind_of_lead<Rules>(lead);
  }
  return kinds;
}

template <class Rules>
inline constexpr std::array<Kind, 256> kKinds = make_kinds<Rules>();

template <class Rules>
constexpr bool are_isolated_leads_right() {
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const auto lead = static_cast<unsigned char>(byte);
    if (!Rules::is_isolated_lead(lead)) continue;
    if (width_of_lead(lead) != 3 || kKinds<Rules>[byte] != Kind::isolated) return false;
  }
  return true;
}

inline constexpr std::size_t kBlock = 64;

// One bit for each of the kBlock bytes at p: set where the predicate holds. Plain arithmetic on bytes,
// which compilers turn into vector instructions.
template <class Predicate>
inline std::uint64_t bits_where(const char* p, Predicate predicate) {
  alignas(16) std::array<unsigned char, kBlock> flags;
  for (std::size_t k = 0; k < kBlock; ++k) {
    flags[k] = static_cast<unsigned char>(-static_cast<int>(predicate(static_cast<unsigned char>(p[k]))));
  }
  std::uint64_t bits = 0;
#if defined(__SSE2__)
  for (std::size_t k = 0; k < kBlock; k += 16) {
    const __m128i some = _mm_load_si128(reinterpret_cast<const __m128i*>(flags.data() + k));
    bits |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(some))) << k;
  }
#else
  for (std::size_t k = 0; k < kBlock; k += 8) {
    // The product brings the lowest bits of eight bytes together in the highest byte.
    std::uint64_t word = 0;
    std::memcpy(&word, flags.data() + k, 8);
    bits |= (((word & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56) << k;
  }
#endif
  return bits;
}

// Bytes that may be something other than a word.
template <class Rules>
inline std::uint64_t find_specials(const char* p) {
  return bits_where(p, [](unsigned char byte) { return Rules::is_special(byte); });
}

// Cuts one text, a block of kBlock bytes at a time, as sets of bits. Blanks are found for all bytes at
// once, as are most ideographs; the other specials, a few in a block, are looked at one by one. Then tokens
// are runs of bits, and cutting them out needs no branch that a processor could not guess.
template <class Rules, Rewriting kRewriting>
class Cutter {
 public:
  Cutter(std::string_view text, TokenBuffer& buffer) : text_(text), buffer_(buffer) {}

  // Appends the tokens; false, with none appended, if the text must be rewritten first.
  bool run() {
    const std::size_t tokens_before = buffer_.tokens.size();
    for (std::size_t block = 0; block < text_.size(); block += kBlock) {
      if (!look_at(block)) {
        buffer_.tokens.resize(tokens_before);
        return false;
      }
      cut_block(block);
    }
    if (word_start_ != kNone) buffer_.add(text_.data() + word_start_, text_.size() - word_start_, text_end());
    return true;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const char* text_end() const { return text_.data() + text_.size(); }

  static std::uint64_t run_of(std::size_t width) { return (std::uint64_t{1} << width) - 1; }

  // Sets words_, isolated_ and, where a character reaches into the next block, carried_.
  bool look_at(std::size_t block) {
    const char* p = text_.data() + block;
    std::array<char, kBlock> padded;
    if (const std::size_t rest = text_.size() - block; rest < kBlock) {
      padded.fill(' ');
      std::memcpy(padded.data(), p, rest);
      p = padded.data();
    }
    const std::uint64_t blanks = bits_where(p, [](unsigned char byte) { return byte == ' '; });
    std::uint64_t covered = blanks | carried_;
    carried_ = 0;
    isolated_ = 0;
    if constexpr (requires { Rules::is_isolated_lead(0); }) {
      static_assert(are_isolated_leads_right<Rules>());
      isolated_ = bits_where(p, [](unsigned char byte) { return Rules::is_isolated_lead(byte); });
      covered |= isolated_ | (isolated_ << 1) | (isolated_ << 2);
      carried_ = (isolated_ >> (kBlock - 2)) | (isolated_ >> (kBlock - 1));
    }
    std::uint64_t others = find_specials<Rules>(p) & ~covered;
    while (others != 0) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(others));
      std::size_t width = 1;
      const Kind kind = look(block + bit, width);
      if (kind == Kind::lead) return false;
      std::uint64_t bits = run_of(width) << bit;
      others &= ~bits;
      if (kind == Kind::word) continue;
      covered |= bits;
      if (bit + width > kBlock) carried_ = run_of(bit + width - kBlock);
      if (kind == Kind::isolated) isolated_ |= std::uint64_t{1} << bit;
    }
    words_ = ~covered;
    return true;
  }

  // The kind of the character at i: word, space or isolated; lead if the text must be rewritten first.
  Kind look(std::size_t i, std::size_t& width) {
    const auto byte = static_cast<unsigned char>(text_[i]);
    Kind kind = kKinds<Rules>[byte];
    width = width_of_lead(byte);
    if (kind == Kind::lead) {
      const CodePoint point = decode(text_, i);
      width = point.size;
      kind = kind_of<Rules>(point.value);
    }
    if (kind == Kind::space) return kind;
    if constexpr (kRewriting != Rewriting::none) {
      if (must_rewrite<kRewriting>(text_, i)) return Kind::lead;
    }
    if (kind == Kind::hyphen) return i > 0 && number_before(i) ? Kind::isolated : Kind::word;
    if (kind != Kind::mark) return kind;
    const bool taken = i == 0 ? Rules::kPadded : taken_end_ != i && !number_before(i);
    const std::size_t next = i + width;
    if (taken) taken_end_ = next;
    const bool alone = taken || (next == text_.size() ? Rules::kPadded : !number_at(next));
    return alone ? Kind::isolated : Kind::word;
  }

  bool number_before(std::size_t i) const {
    const auto byte = static_cast<unsigned char>(text_[i - 1]);
    return Rules::is_number(byte < 0x80 || Rules::kAsciiMarks ? byte : decode_before(text_, i).value);
  }
  bool number_at(std::size_t i) const {
    const auto byte = static_cast<unsigned char>(text_[i]);
    return Rules::is_number(byte < 0x80 || Rules::kAsciiMarks ? byte : decode(text_, i).value);
  }

  // Appends the tokens that end in this block; word_start_ is where one goes on into the next.
  void cut_block(std::size_t block) {
    const char* p = text_.data() + block;
    const std::size_t size = buffer_.tokens.size();
    buffer_.tokens.resize(size + kBlock + 1);
    Token* next = buffer_.tokens.data() + size;
    std::uint64_t words = words_;
    if (word_start_ != kNone) {
      const auto rest = static_cast<std::size_t>(std::countr_one(words));
      if (rest == kBlock) {
        buffer_.tokens.resize(size);
        return;
      }
      const char* start = text_.data() + word_start_;
      *next++ = make_token(start, static_cast<std::size_t>(p + rest - start), text_end());
      words &= ~run_of(rest);
      word_start_ = kNone;
    }
    if (const auto open = static_cast<std::size_t>(std::countl_one(words)); open > 0) {
      word_start_ = block + kBlock - open;
      words = open == kBlock ? 0 : words & run_of(kBlock - open);
    }
    std::uint64_t starts = (words & ~(words << 1)) | isolated_;
    while (starts != 0) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(starts));
      starts &= starts - 1;
      auto width = static_cast<std::size_t>(std::countr_one(words >> bit));
      if constexpr (Rules::kWideTokens) {
        if (width == 0) width = width_of_lead(static_cast<unsigned char>(p[bit]));
      } else {
        width += width == 0;
      }
      *next++ = make_token(p + bit, width, text_end());
    }
    buffer_.tokens.resize(static_cast<std::size_t>(next - buffer_.tokens.data()));
  }

  std::string_view text_;
  TokenBuffer& buffer_;
  std::uint64_t words_ = 0;          // bytes of the block that belong to words
  std::uint64_t isolated_ = 0;       // first bytes of isolated tokens
  std::uint64_t carried_ = 0;        // bytes of the next block that belong to a character of this one
  std::size_t word_start_ = kNone;   // of a word that goes on into the next block
  std::size_t taken_end_ = kNone;    // the end of the last mark that the first expression took
};

template <class Rules, Rewriting kRewriting>
inline bool cut(std::string_view text, TokenBuffer& buffer) {
  return Cutter<Rules, kRewriting>(text, buffer).run();
}

}  // namespace cocarde
