// A column: many segments, each of which yields its tokens.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "tokens.hpp"
#include "unicode.hpp"

namespace cocarde {

// What happens to a text on its way to tokens.
struct TextOptions {
  TokenizeFunction tokenize = nullptr;
  bool lowercase = false;    // A-Z only: other scripts are lowercased, if at all, before they come here
  bool strip_right = false;  // trailing white space goes first, as sacreBLEU does it
  bool sentences = false;    // cut at every sentence_end, with marks between the tokens of sentences
  char sentence_end = '\n';
  bool keep_blank_sentences = false;  // a sentence of white space alone is an empty token
};

inline void lowercase_ascii(std::string_view text, std::string& out) {
  out.resize(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out[i] = static_cast<char>(c + ((c >= 'A' && c <= 'Z') ? 32 : 0));
  }
}

// Each of several sentences has a buffer of its own, since a tokenizer fills its scratch only once.
inline void tokenize_sentences(std::string_view text, const TextOptions& options, TokenBuffer& buffer) {
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.size(), text.find(options.sentence_end));
    const std::string_view sentence = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    if (sentence.empty()) continue;
    const bool only = count == 0 && text.empty();
    if (!only && count == buffer.sentences.size()) {
      buffer.sentences.push_back(std::make_unique<TokenBuffer>(buffer.stems));
    }
    TokenBuffer& own = only ? buffer : *buffer.sentences[count++];
    if (!only) own.clear();
    options.tokenize(sentence, own);
    if (own.tokens.empty() && options.keep_blank_sentences) own.add(sentence.data(), 0);
    if (!only) buffer.tokens.insert(buffer.tokens.end(), own.tokens.begin(), own.tokens.end());
    buffer.tokens.push_back(make_mark(Mark::sentence_end));
  }
}

inline std::span<const Token> tokenize_text(std::string_view text, const TextOptions& options,
                                            TokenBuffer& buffer) {
  buffer.clear();
  if (options.strip_right) text = strip_right(text);
  if (options.lowercase) {
    lowercase_ascii(text, buffer.lowered);
    text = buffer.lowered;
  }
  if (options.sentences) {
    tokenize_sentences(text, options, buffer);
  } else {
    options.tokenize(text, buffer);
  }
  return buffer.tokens;
}

// Tokens of a run of segments with the bytes they point to: to be moved, not copied.
class TokenBlock {
 public:
  TokenBlock() = default;
  TokenBlock(TokenBlock&&) = default;
  TokenBlock& operator=(TokenBlock&&) = default;

  std::size_t size() const { return ends_.size(); }
  std::span<const Token> segment(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {tokens_.data() + begin, ends_[i] - begin};
  }
  // As of a column: a token is eight bytes' worth of work, a whole text as a token all of its bytes.
  std::size_t cost() const { return std::max(tokens_.size() * 8, bytes_.storage.size()); }

  void add(const Token& token) {
    tokens_.push_back(token);
    if (!token.is_integer()) bytes_.append(token.data, token.size);
  }
  void end_segment() { ends_.push_back(tokens_.size()); }
  // Points every token into this block's own bytes; to be called once, after the last segment.
  void seal() {
    const char* next = bytes_.data();
    for (Token& token : tokens_) {
      if (token.is_integer()) continue;
      token.data = next;
      next += token.size;
    }
    tokens_.shrink_to_fit();
  }

 private:
  std::vector<Token> tokens_;
  std::vector<std::size_t> ends_;
  // Not a std::string: its short-string buffer would move with the block.
  struct Bytes {
    std::vector<char> storage;
    void append(const char* p, std::size_t n) { storage.insert(storage.end(), p, p + n); }
    const char* data() const { return storage.data(); }
  } bytes_;
};

// Segments come from one of three sources; which one is fixed when the column is made. To be moved, not
// copied, as its blocks are.
class Column {
 public:
  static constexpr std::size_t kBlockSegments = 256;

  Column() = default;
  Column(Column&&) = default;
  Column& operator=(Column&&) = default;

  // Views stay valid while `owner` lives.
  static Column of_texts(std::vector<std::string_view> texts, TextOptions options,
                         std::shared_ptr<const void> owner) {
    Column column;
    column.source_ = Source::texts;
    for (const std::string_view text : texts) column.cost_ += text.size();
    column.texts_ = std::move(texts);
    column.options_ = options;
    column.owner_ = std::move(owner);
    return column;
  }

  // Segment i is values[offsets[i] .. offsets[i + 1]); offsets ascend within values. With a vocabulary,
  // each value is the index of a token in it; without, each is a token itself. Only in the latter case
  // may values change while they are read.
  static Column of_ids(std::span<const std::int64_t> values, std::span<const std::int64_t> offsets,
                       std::vector<Token> vocabulary, std::shared_ptr<const void> owner) {
    Column column;
    column.source_ = Source::ids;
    column.cost_ = values.size() * 8;
    column.values_ = values;
    column.vocabulary_ = std::move(vocabulary);
    column.offsets_ = offsets;
    column.owner_ = std::move(owner);
    return column;
  }

  // Every block but the last has kBlockSegments segments.
  static Column of_blocks(std::vector<TokenBlock> blocks) {
    Column column;
    column.source_ = Source::blocks;
    for (const TokenBlock& block : blocks) {
      column.block_segments_ += block.size();
      column.cost_ += block.cost();
    }
    column.blocks_ = std::move(blocks);
    return column;
  }

  // Segments [first, last) with their tokens already cut.
  Column part(std::size_t first, std::size_t last) const {
    std::vector<TokenBlock> blocks((last - first + kBlockSegments - 1) / kBlockSegments);
    TokenBuffer buffer;
    for (std::size_t i = first; i < last; ++i) {
      TokenBlock& block = blocks[(i - first) / kBlockSegments];
      for (const Token& token : tokens(i, buffer)) block.add(token);
      block.end_segment();
    }
    for (TokenBlock& block : blocks) block.seal();
    return of_blocks(std::move(blocks));
  }

  // The same texts, cut into sentences at every `end`.
  Column with_sentences(char end, bool keep_blank) const {
    if (source_ != Source::texts) throw std::invalid_argument("tokens cannot be cut into sentences");
    TextOptions options = options_;
    options.sentences = true;
    options.sentence_end = end;
    options.keep_blank_sentences = keep_blank;
    return of_texts(texts_, options, owner_);
  }

  // Segment i has the sentences [offsets[i], offsets[i + 1]) of `sentences`; `whole`, unless null, has
  // the tokens of the text that was not cut into sentences. The texts of `texts`, unless null, are kept:
  // what they were like is asked later.
  static Column of_sentences(const Column& sentences, std::span<const std::int64_t> offsets, const Column* whole,
                             const Column* texts, bool keep_blank, ParallelOptions parallel) {
    const std::size_t count = offsets.size() - 1;
    std::vector<TokenBlock> blocks((count + kBlockSegments - 1) / kBlockSegments);
    parallel.cost = sentences.cost() + (whole == nullptr ? 0 : whole->cost());
    parallel_for(
        blocks.size(), parallel, [] { return TokenBuffer(); },
        [&](TokenBuffer& buffer, std::size_t b, const StopFlag& stop) {
          TokenBlock& block = blocks[b];
          const std::size_t end = std::min(count, (b + 1) * kBlockSegments);
          for (std::size_t i = b * kBlockSegments; i < end; ++i) {
            for (auto k = static_cast<std::size_t>(offsets[i]); k < static_cast<std::size_t>(offsets[i + 1]); ++k) {
              stop.check();
              const std::span<const Token> found = sentences.tokens(k, buffer);
              for (const Token& token : found) block.add(token);
              if (found.empty() && keep_blank) block.add(make_token("", 0));
              block.add(make_mark(Mark::sentence_end));
            }
            if (whole != nullptr) {
              block.add(make_mark(Mark::whole_text));
              for (const Token& token : whole->tokens(i, buffer)) block.add(token);
            }
            block.end_segment();
          }
          block.seal();
        });
    Column column = of_blocks(std::move(blocks));
    if (texts != nullptr) column.keep_texts_of(*texts);
    return column;
  }

  // Keeps the texts, one a segment, behind the tokens of blocks. In place: tokens of blocks point into
  // them, so that they can be moved, not copied.
  void keep_texts_of(const Column& other) {
    if (other.texts_.empty()) return;
    if (other.texts_.size() != size()) throw std::invalid_argument("there is not one text a segment");
    texts_ = other.texts_;
    owner_ = other.owner_;
  }

  // Whether the texts are known; those of tokens that came as they are, are not.
  bool has_texts() const { return !texts_.empty(); }
  std::string_view text(std::size_t i) const { return texts_[i]; }

  // Whether a segment is nothing but white space, or no token.
  bool is_blank(std::size_t i) const {
    if (has_texts()) return strip_right(texts_[i]).empty();
    if (source_ == Source::ids) return offsets_[i] == offsets_[i + 1];
    return blocks_[i / kBlockSegments].segment(i % kBlockSegments).empty();
  }

  std::size_t size() const {
    switch (source_) {
      case Source::texts: return texts_.size();
      case Source::ids: return offsets_.size() - 1;
      case Source::blocks: return block_segments_;
    }
    return 0;
  }

  // Bytes or bytes' worth of the whole column: how much work it is to read it.
  std::size_t cost() const { return cost_; }

  // Valid until the next call with the same buffer.
  std::span<const Token> tokens(std::size_t i, TokenBuffer& buffer) const {
    switch (source_) {
      case Source::texts: return tokenize_text(texts_[i], options_, buffer);
      case Source::blocks: return blocks_[i / kBlockSegments].segment(i % kBlockSegments);
      case Source::ids: break;
    }
    buffer.clear();
    const auto begin = static_cast<std::size_t>(offsets_[i]);
    const auto end = static_cast<std::size_t>(offsets_[i + 1]);
    for (std::size_t k = begin; k < end; ++k) {
      buffer.tokens.push_back(vocabulary_.empty() ? make_token(values_[k])
                                                  : vocabulary_[static_cast<std::size_t>(values_[k])]);
    }
    return buffer.tokens;
  }

  // The same segments with their tokens already cut.
  Column prepared(ParallelOptions parallel) const {
    std::vector<TokenBlock> blocks((size() + kBlockSegments - 1) / kBlockSegments);
    parallel.cost = cost();
    parallel_for(
        blocks.size(), parallel, [] { return TokenBuffer(); },
        [&](TokenBuffer& buffer, std::size_t b, const StopFlag& stop) {
          const std::size_t end = std::min(size(), (b + 1) * kBlockSegments);
          for (std::size_t i = b * kBlockSegments; i < end; ++i) {
            stop.check();
            for (const Token& token : tokens(i, buffer)) blocks[b].add(token);
            blocks[b].end_segment();
          }
          blocks[b].seal();
        });
    Column column = of_blocks(std::move(blocks));
    column.keep_texts_of(*this);
    return column;
  }

 private:
  enum class Source { texts, ids, blocks };

  Source source_ = Source::texts;
  std::size_t cost_ = 0;
  std::vector<std::string_view> texts_;
  TextOptions options_;
  std::span<const std::int64_t> values_;
  std::span<const std::int64_t> offsets_;
  std::vector<Token> vocabulary_;
  std::vector<TokenBlock> blocks_;
  std::size_t block_segments_ = 0;
  std::shared_ptr<const void> owner_;
};

// References of all segments in one column: segment i has those in [offsets[i], offsets[i + 1]).
struct ReferenceColumn {
  const Column& column;
  std::span<const std::int64_t> offsets;
};

}  // namespace cocarde
