// The tokenizers of ROUGE: words are runs of a-z and 0-9 after lower-casing, everything else parts them,
// and words of more than three letters may be stemmed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../stemmers.hpp"
#include "../tokens.hpp"
#include "cutter.hpp"
#include "rewriting.hpp"
#include "runs.hpp"

namespace cocarde {

// What stems the words of a text.
struct NoStemmer {
  static constexpr bool kStems = false;
};
template <std::string_view (*kStem)(char*, std::size_t)>
struct WordStemmer {
  static constexpr bool kStems = true;
  static std::string_view stem(char* word, std::size_t size) { return kStem(word, size); }
};
using NltkStemmer = WordStemmer<&stem_nltk>;
using PerlStemmer = WordStemmer<&stem_perl>;
using Rouge155Stemmer = WordStemmer<&stem_rouge_155>;

// Cuts one text, a block of bytes at a time, as sets of bits. The lower-cased text is kept in the
// buffer, where stems are made in place.
template <class Stemmer>
class RougeCutter {
 public:
  RougeCutter(std::string_view text, TokenBuffer& buffer) : text_(text), buffer_(buffer) {}

  void run() {
    const std::size_t blocks = (text_.size() + kBlock - 1) / kBlock;
    if constexpr (Stemmer::kStems) buffer_.stems->use(&Stemmer::stem);
    // Whole blocks, so that the last one needs no care.
    std::string& lowered = buffer_.scratch;
    lowered.resize(blocks * kBlock);
    letters_ = lowered.data();
    end_ = letters_ + lowered.size();
    std::vector<Token, UninitialisedAllocator<Token>>& tokens = buffer_.tokens;
    std::size_t size = tokens.size();
    for (std::size_t block = 0; block < lowered.size(); block += kBlock) {
      lower(block);
      if (tokens.size() < size + Runs::kMostInBlock) tokens.resize(std::max(2 * size, size + 8 * kBlock));
      Token* next = tokens.data() + size;
      runs_.add(bits_where(letters_ + block, [](unsigned char byte) { return is_letter(byte); }), block,
                [&](std::size_t begin, std::size_t end) { *next++ = token(begin, end); });
      size = static_cast<std::size_t>(next - tokens.data());
    }
    tokens.resize(size);
    runs_.finish(text_.size(), [&](std::size_t begin, std::size_t end) { tokens.push_back(token(begin, end)); });
  }

 private:
  static bool is_letter(unsigned char byte) {
    return (static_cast<unsigned char>(byte - 'a') < 26) | (static_cast<unsigned char>(byte - '0') < 10);
  }

  void lower(std::size_t block) {
    const char* from = text_.data() + block;
    std::array<char, kBlock> padded;
    if (const std::size_t rest = text_.size() - block; rest < kBlock) {
      padded.fill(' ');
      std::memcpy(padded.data(), from, rest);
      from = padded.data();
    }
    char* const to = letters_ + block;
    for (std::size_t k = 0; k < kBlock; ++k) {
      const auto byte = static_cast<unsigned char>(from[k]);
      to[k] = static_cast<char>(byte + (static_cast<unsigned char>(byte - 'A') < 26 ? 32 : 0));
    }
  }

  Token token(std::size_t begin, std::size_t end) {
    char* const word = letters_ + begin;
    const std::size_t size = end - begin;
    const Token whole = make_token(word, size, end_);
    if constexpr (Stemmer::kStems) {
      if (size > KnownStem::kLongestWord) return stemmed(word, size);
      if (size > 3) return stemmed_once(word, whole);
    }
    return whole;
  }

  Token stemmed(char* word, std::size_t size) const {
    const std::string_view stem = Stemmer::stem(word, size);
    return stem.data() == word ? make_token(word, stem.size(), end_) : make_token(stem.data(), stem.size());
  }

  // The same, from memory if the word was met before.
  Token stemmed_once(char* word, const Token& whole) {
    const std::size_t size = whole.size;
    const std::uint64_t last = size > 8 ? load64(word + size - 8) : 0;
    if (const KnownStem& known = buffer_.stems->at(whole.hash);
        known.size == size && known.first == whole.prefix && known.last == last) {
      Token token = known.stem;
      if (token.data == nullptr) {
        token.data = word;
        for (std::size_t k = known.kept; k < token.size; ++k) word[k] = known.ending[k - known.kept];
      }
      return token;
    }
    std::array<char, KnownStem::kLongestWord> before;
    std::memcpy(before.data(), word, size);
    const Token token = stemmed(word, size);
    buffer_.stems->count_miss();
    KnownStem& known = buffer_.stems->at(whole.hash);
    known = {whole.prefix, last, token, static_cast<std::uint8_t>(size), 0, {}};
    if (token.data == word) {
      const auto kept = static_cast<std::size_t>(std::mismatch(word, word + token.size, before.data()).first - word);
      // More than a few new bytes are not kept, and the place stays empty.
      if (token.size - kept > KnownStem::kLongestEnding) known.size = 0;
      else std::copy(word + kept, word + token.size, known.ending.begin());
      known.kept = static_cast<std::uint8_t>(kept);
      known.stem.data = nullptr;
    }
    return token;
  }

  std::string_view text_;
  TokenBuffer& buffer_;
  Runs runs_;
  char* letters_ = nullptr;
  char* end_ = nullptr;
};

// The Perl program ROUGE-1.5.5 reads bytes.
template <class Stemmer>
inline void tokenize_rouge_155(std::string_view text, TokenBuffer& buffer) {
  RougeCutter<Stemmer>(text, buffer).run();
}

// rouge-score lower-cases as str.lower() does. Two letters outside ASCII have a lower case in it: the
// sign of kelvin, and the I with a dot, which becomes an i and a combining dot.
template <class Stemmer>
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
  RougeCutter<Stemmer>(text, buffer).run();
}

}  // namespace cocarde
