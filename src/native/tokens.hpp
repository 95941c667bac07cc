// A token as the kernels see it: a view with its first eight bytes and its hash beside it, so that
// nearly every comparison of two tokens is one comparison of two integers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cocarde {

// What an integer token has in place of a size: no text is that long, so it equals no text.
inline constexpr std::uint32_t kIntegerSize = UINT32_MAX - 1;

struct Token {
  std::uint64_t prefix;  // first eight bytes, zero padded; for an integer token, the integer
  const char* data;      // null for an integer token
  std::uint32_t size;    // bytes; kIntegerSize for an integer token
  std::uint32_t hash;

  bool is_integer() const { return size == kIntegerSize; }
  std::string_view text() const { return {data, size}; }
};

inline std::uint64_t load64(const char* p) {
  std::uint64_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// Eight bytes at a time: nearly all that is ever asked about English.
inline bool is_ascii(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
  std::uint64_t seen = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) seen |= load64(text.data() + i);
  if (i > 0) {
    seen |= load64(text.data() + text.size() - 8);
  } else {
    for (; i < text.size(); ++i) seen |= static_cast<unsigned char>(text[i]);
  }
  return (seen & kHighBits) == 0;
}

inline std::uint32_t load32(const char* p) {
  std::uint32_t value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// The first eight bytes of [p, p + n), zero padded, without reading past the end. The value depends
// on the machine's byte order; it is only ever compared with values made on the same machine.
inline std::uint64_t load_prefix(const char* p, std::size_t n) {
  if (n >= 8) return load64(p);
  if (n >= 4) {
    // Two overlapping loads cover four to seven bytes.
    const std::uint64_t high = static_cast<std::uint64_t>(load32(p + n - 4)) >> (8 * (8 - n));
    return load32(p) | (high << 32);
  }
  if (n == 0) return 0;
  const auto byte = [p](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
  };
  return byte(0) | byte(n / 2) | byte(n - 1);
}

// The hash of the token [p, p + n) with that prefix; its highest bits are the best mixed. Most words
// have at most sixteen bytes: for them there is no loop, only the last eight bytes, which may overlap
// the first.
inline std::uint32_t hash_bytes(std::uint64_t prefix, const char* p, std::size_t n) {
  constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15ULL;
  std::uint64_t hash = prefix;
  if (n > 8) {
    for (std::size_t i = 8; i + 8 < n; i += 8) hash = (hash ^ (hash >> 32)) * kSpread + load64(p + i);
    hash ^= load64(p + n - 8) * 0xD6E8FEB86659FD93ULL;
  }
  return static_cast<std::uint32_t>((hash * kSpread) >> 32);
}

inline void check_token_size(std::size_t n) {
  if (n >= kIntegerSize) throw std::length_error("a token is longer than 4 GiB");
}

inline Token make_token(const char* p, std::size_t n) {
  check_token_size(n);
  const std::uint64_t prefix = load_prefix(p, n);
  return {prefix, p, static_cast<std::uint32_t>(n), hash_bytes(prefix, p, n)};
}

// The same token, made faster: `end` is the end of the text that holds it, so that a short token is
// one load of eight bytes and a mask instead of branches on its size, which no processor can guess.
inline Token make_token(const char* p, std::size_t n, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    if (n > 0 && end - p >= 8) {
      check_token_size(n);
      const std::size_t unused = n < 8 ? 8 * (8 - n) : 0;
      const std::uint64_t prefix = load64(p) & (~std::uint64_t{0} >> unused);
      return {prefix, p, static_cast<std::uint32_t>(n), hash_bytes(prefix, p, n)};
    }
  }
  return make_token(p, n);
}

inline Token make_token(std::int64_t id) {
  const auto prefix = static_cast<std::uint64_t>(id);
  return {prefix, nullptr, kIntegerSize, hash_bytes(prefix, nullptr, 8)};
}

// Marks between the tokens of a text that was cut into sentences. No kernel compares them: whoever
// asks for sentences takes them out.
enum class Mark : std::uint64_t {
  sentence_end,  // after the tokens of each sentence
  whole_text,    // the tokens of the text follow, as they are without cutting it into sentences
};

inline Token make_mark(Mark mark) {
  // An integer token points nowhere; a mark does.
  static constexpr char kMark = 0;
  return {static_cast<std::uint64_t>(mark), &kMark, kIntegerSize, 0};
}

inline bool is_mark(const Token& token) { return token.is_integer() && token.data != nullptr; }

inline bool same_token(const Token& a, const Token& b) {
  // Whether two words are the same cannot be predicted, so it must not branch; that they are the same and
  // long is rare.
  const bool same = (a.prefix == b.prefix) & (a.size == b.size);
  if (!(same & (a.size > 8))) return same;
  if (a.size <= 16) return load64(a.data + a.size - 8) == load64(b.data + b.size - 8);
  return a.is_integer() || std::memcmp(a.data + 8, b.data + 8, a.size - 8) == 0;
}

// Lets a vector grow without filling the new places first.
template <class T>
struct UninitialisedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UninitialisedAllocator<U>;
  };
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U>
  void construct(U* place, const U& value) {
    ::new (static_cast<void*>(place)) U(value);
  }
};

// What a word of at most sixteen bytes became when it was last met: its stem, which is its first bytes
// with a few others behind them, or text that lies elsewhere for good.
struct KnownStem {
  static constexpr std::size_t kLongestWord = 16;
  static constexpr std::size_t kLongestEnding = 4;

  std::uint64_t first = 0;  // the word's first eight bytes, as in a token
  std::uint64_t last = 0;   // its last eight bytes, if it has more than eight
  Token stem{};             // null data unless it lies elsewhere
  std::uint8_t size = 0;    // of the word; 0 for an empty place
  std::uint8_t kept = 0;    // bytes that the stem has in common with the word
  std::array<char, kLongestEnding> ending{};
};

// Words come again and again, so most of them need no stemming. There is one place for each hash, and
// more places once many words were not found.
class KnownStems {
 public:
  using Stemmer = std::string_view (*)(char* word, std::size_t size);

  // Forgets everything unless it was last used with the same stemmer.
  void use(Stemmer stemmer) {
    if (stemmer_ == stemmer) return;
    stemmer_ = stemmer;
    clear(kFewestBits);
  }

  KnownStem& at(std::uint32_t hash) { return places_[hash >> (32 - bits_)]; }

  // To be called before a place gets another word; places move.
  void count_miss() {
    if (++misses_ > places_.size() && bits_ < kMostBits) clear(bits_ + 2);
  }

 private:
  static constexpr int kFewestBits = 8;
  static constexpr int kMostBits = 14;

  void clear(int bits) {
    bits_ = bits;
    misses_ = 0;
    places_.assign(std::size_t{1} << bits, {});
  }

  Stemmer stemmer_ = nullptr;
  int bits_ = 0;
  std::size_t misses_ = 0;
  std::vector<KnownStem> places_;
};

// Where a tokenizer puts its tokens. `scratch` holds text that had to be rewritten before it could
// be cut (lowercased, entities decoded): a tokenizer fills it completely before the first token that
// points into it, since growing it moves it. A buffer stays where it was made: the bytes of a short
// string lie in the string itself, and would move with it.
struct TokenBuffer {
  TokenBuffer() : TokenBuffer(std::make_shared<KnownStems>()) {}
  // Buffers of one thread can share the stems that they know.
  explicit TokenBuffer(std::shared_ptr<KnownStems> known) : stems(std::move(known)) {}
  TokenBuffer(const TokenBuffer&) = delete;
  TokenBuffer& operator=(const TokenBuffer&) = delete;

  std::vector<Token, UninitialisedAllocator<Token>> tokens;
  std::string scratch;
  std::string lowered;
  std::shared_ptr<KnownStems> stems;
  std::vector<std::unique_ptr<TokenBuffer>> sentences;  // where the text is cut into sentences first

  void clear() {
    tokens.clear();
    scratch.clear();
  }
  void add(const char* p, std::size_t n) { tokens.push_back(make_token(p, n)); }
  // `end` is the end of the text that holds the token.
  void add(const char* p, std::size_t n, const char* end) {
    tokens.push_back(make_token(p, n, end));
  }
};

// A tokenizer: appends the tokens of `text` (UTF-8; lone surrogates as three bytes) to the buffer.
using TokenizeFunction = void (*)(std::string_view text, TokenBuffer& buffer);

}  // namespace cocarde
