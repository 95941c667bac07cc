// The tokenizers of ROUGE: words are runs of a-z and 0-9 after lower-casing, everything else parts them,
// and words of more than three letters may be stemmed.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "../stemmers.hpp"
#include "../tokens.hpp"
#include "cutter.hpp"
#include "rewriting.hpp"

namespace cocarde {

// Cuts one text, a block of bytes at a time, as sets of bits. The lower-cased text is kept in the
// buffer, where stems are made in place.
template <StemFunction kStem>
class RougeCutter {
 public:
  RougeCutter(std::string_view text, TokenBuffer& buffer) : text_(text), buffer_(buffer) {}

  void run() {
    const std::size_t blocks = (text_.size() + kBlock - 1) / kBlock;
    // Whole blocks, so that the last one needs no care.
    std::string& lowered = buffer_.scratch;
    lowered.resize(blocks * kBlock);
    letters_ = lowered.data();
    end_ = letters_ + lowered.size();
    for (std::size_t block = 0; block < lowered.size(); block += kBlock) {
      const std::size_t rest = text_.size() - block;
      if (rest >= kBlock) {
        lower(text_.data() + block, letters_ + block);
      } else {
        std::array<char, kBlock> padded;
        padded.fill(' ');
        std::memcpy(padded.data(), text_.data() + block, rest);
        lower(padded.data(), letters_ + block);
      }
      cut_block(block);
    }
    if (word_start_ != kNone) buffer_.tokens.push_back(token(letters_ + word_start_, text_.size() - word_start_));
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  static bool is_letter(unsigned char byte) {
    return (static_cast<unsigned char>(byte - 'a') < 26) | (static_cast<unsigned char>(byte - '0') < 10);
  }

  static void lower(const char* from, char* to) {
    for (std::size_t k = 0; k < kBlock; ++k) {
      const auto byte = static_cast<unsigned char>(from[k]);
      to[k] = static_cast<char>(byte + (static_cast<unsigned char>(byte - 'A') < 26 ? 32 : 0));
    }
  }

  Token token(char* word, std::size_t size) const {
    if constexpr (kStem != nullptr) {
      if (size > 3) {
        const std::string_view stem = kStem(word, size);
        if (stem.data() != word) return make_token(stem.data(), stem.size());
        size = stem.size();
      }
    }
    return make_token(word, size, end_);
  }

  // Appends the tokens that end in this block; word_start_ is where one goes on into the next.
  void cut_block(std::size_t block) {
    char* const p = letters_ + block;
    std::uint64_t words = bits_where(p, &is_letter);
    const std::size_t size = buffer_.tokens.size();
    buffer_.tokens.resize(size + kBlock + 1);
    Token* next = buffer_.tokens.data() + size;
    if (word_start_ != kNone) {
      const auto rest = static_cast<std::size_t>(std::countr_one(words));
      if (rest == kBlock) {
        buffer_.tokens.resize(size);
        return;
      }
      *next++ = token(letters_ + word_start_, block + rest - word_start_);
      words &= ~((std::uint64_t{1} << rest) - 1);
      word_start_ = kNone;
    }
    if (const auto open = static_cast<std::size_t>(std::countl_one(words)); open > 0) {
      word_start_ = block + kBlock - open;
      words = open == kBlock ? 0 : words & ((std::uint64_t{1} << (kBlock - open)) - 1);
    }
    while (words != 0) {
      const auto start = static_cast<std::size_t>(std::countr_zero(words));
      const auto width = static_cast<std::size_t>(std::countr_one(words >> start));
      // A word that fills the block was left for the next one.
      words &= ~(((std::uint64_t{1} << width) - 1) << start);
      *next++ = token(p + start, width);
    }
    buffer_.tokens.resize(static_cast<std::size_t>(next - buffer_.tokens.data()));
  }

  std::string_view text_;
  TokenBuffer& buffer_;
  char* letters_ = nullptr;
  char* end_ = nullptr;
  std::size_t word_start_ = kNone;  // of a word that goes on into the next block
};

// The Perl program ROUGE-1.5.5 reads bytes.
template <StemFunction kStem>
inline void tokenize_rouge_155(std::string_view text, TokenBuffer& buffer) {
  RougeCutter<kStem>(text, buffer).run();
}

// rouge-score lower-cases as str.lower() does. Two letters outside ASCII have a lower case in it: the
// sign of kelvin, and the I with a dot, which becomes an i and a combining dot.
template <StemFunction kStem>
inline void tokenize_rouge_score(std::string_view text, TokenBuffer& buffer) {
  constexpr std::string_view kKelvin = "\u212A";
  constexpr std::string_view kDottedI = "\u0130";
  if (text.find(kKelvin) != std::string_view::npos || text.find(kDottedI) != std::string_view::npos) {
    // The text may itself lie in the buffer.
    std::string rewritten(text);
    replace_all(rewritten, kKelvin, "k");
    replace_all(rewritten, kDottedI, "i ");
    buffer.lowered = std::move(rewritten);
    text = buffer.lowered;
  }
  RougeCutter<kStem>(text, buffer).run();
}

}  // namespace cocarde
