// The tokenizers of METEOR 1.5: its normaliser (-norm), the same without punctuation (-norm -noPunct),
// and its cutting of text that is already tokenized.
//
// The normaliser runs some twenty regular expressions one after the other. Their result, worked out:
//   - Whatever is no letter of the Latin and Cyrillic ranges, no digit, no white space and none of
//     . , - ' and three other single quotes stands alone. Of a run of n single quotes, n / 2 double
//     quotes do, and an odd one remains an apostrophe; n > 1 hyphens become (n + 1) / 2; n > 1
//     periods stand alone together.
//   - A comma stands alone unless both its neighbours are digits.
//   - A hyphen after a letter, digit or period and before a letter or digit becomes a space.
//   - An apostrophe stands alone, or goes with one side of it, by the language.
//   - Each of these rules takes the neighbours too, and what one match took, the next match of the
//     same expression cannot have as its left neighbour: such a comma, hyphen or apostrophe stays as
//     it is ("a-b-c" gives "a b-c"). Only a match that takes a neighbour of the kind that the next one
//     needs before it can block that one: a comma or an apostrophe between two that are no digits
//     (no letters), a hyphen, an apostrophe between letters.
//   - Then words that end in a period lose it or keep it, by a list and by the word that follows.
//
// All but the last is one pass over the text, which leaves words between single spaces; then these are cut.
// Java's white space (\s) includes U+000B, its StringTokenizer's does not: it stays within words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../meteor_prefixes.hpp"
#include "../tokens.hpp"
#include "../unicode.hpp"
#include "cutter.hpp"
#include "mteval.hpp"
#include "rewriting.hpp"
#include "runs.hpp"
#include "whitespace.hpp"

namespace cocarde {

enum class MeteorLanguage { english, french, spanish, german, czech, russian };

constexpr std::span<const meteor_prefixes::Prefix> meteor_prefixes_of(MeteorLanguage language) {
  switch (language) {
    case MeteorLanguage::english: return meteor_prefixes::kEnglish;
    case MeteorLanguage::french: return meteor_prefixes::kFrench;
    case MeteorLanguage::spanish: return meteor_prefixes::kSpanish;
    case MeteorLanguage::german: return meteor_prefixes::kGerman;
    case MeteorLanguage::czech: return meteor_prefixes::kCzech;
    case MeteorLanguage::russian: return meteor_prefixes::kRussian;
  }
  return {};
}

// What StringTokenizer cuts at.
constexpr bool is_java_delimiter(char32_t c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

constexpr bool is_ascii_letter(char32_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// The letters outside ASCII that METEOR knows. Greek, Arabic, the Romanian comma letters and Vietnamese
// are not among them.
constexpr bool is_meteor_letter(char32_t c) {
  return (c >= 0xC0 && c <= 0x17E && c != 0xD7 && c != 0xF7) || (c >= 0x400 && c <= 0x527) ||
         (c >= 0x1D00 && c <= 0x1D7F) || (c >= 0xA640 && c <= 0xA66E) || (c >= 0xA67E && c <= 0xA697);
}

// The spaces outside ASCII that the normaliser removes; others, such as U+2028, stay as tokens.
constexpr bool is_meteor_space(char32_t c) {
  return c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

// String.toLowerCase() of Java 17 for one code point: Unicode 13, so without the letters that have a
// lower case since Unicode 14.
inline void append_java_lower(std::string& text, char32_t c) {
  // Nearly all that comes here, without a search.
  if ((c >= 0x410 && c <= 0x42F) || (c >= 0xC0 && c <= 0xD6)) return append_utf8(text, c + 0x20);
  if ((c >= 0x430 && c <= 0x45F) || (c >= 0xDF && c <= 0xFF)) return append_utf8(text, c);
  const bool newer = c == 0x2C2F || c == 0xA7C0 || (c >= 0xA7D0 && c <= 0xA7D8) ||
                     (c >= 0x10570 && c <= 0x10595);
  if (newer) return append_utf8(text, c);
  append_lower(text, c);
}

inline void append_java_lower(std::string& lowered, std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    append_java_lower(lowered, point.value);
    i += point.size;
  }
}

// The normaliser hides "..." from its rule about periods as the word DOTDOTDOTMULTI, and back. Text that
// holds these words itself goes through the same: in the end each DOTMULTI with n DOTs before it is
// n + 1 periods.
namespace meteor_dots {

inline constexpr std::string_view kWord = "DOTMULTI";
inline constexpr std::string_view kAgain = "DOT";

// The text with DOTMULTI. as the normaliser hides it: DOTDOTMULTI and a space, the space not where the
// match before took the first letter. Two periods are such a match, too; more are not at that time.
inline std::string hide(std::string_view text) {
  std::string hidden;
  std::size_t copied = 0;
  std::size_t free = 0;  // where the next match may begin
  for (std::size_t i = text.find(kWord); i < text.size(); i = text.find(kWord, i + kWord.size())) {
    const std::size_t dot = i + kWord.size();
    const bool one = text.substr(dot).starts_with('.') && !text.substr(dot).starts_with("..");
    if (!one) continue;
    hidden.append(text.substr(copied, i - copied)).append(kAgain).append(kWord);
    copied = dot + 1;
    const std::string_view before = text.substr(0, i);
    const bool two_before = before.ends_with("..") && !before.ends_with("...");
    if (i < free || two_before) continue;
    hidden.push_back(' ');
    free = dot + 2;
  }
  return hidden.append(text.substr(copied));
}

// Changes [p, p + size) back in place; returns the size that it then has.
inline std::size_t restore(char* p, std::size_t size) {
  const std::string_view text(p, size);
  std::size_t written = 0;
  std::size_t copied = 0;
  for (std::size_t i = text.find(kWord); i < size; i = text.find(kWord, copied)) {
    std::size_t first = i;
    while (first - copied >= kAgain.size() && text.substr(first - kAgain.size(), kAgain.size()) == kAgain) {
      first -= kAgain.size();
    }
    const std::size_t periods = (i - first) / kAgain.size() + 1;
    written = static_cast<std::size_t>(std::copy(p + copied, p + first, p + written) - p);
    std::fill_n(p + written, periods, '.');
    written += periods;
    copied = i + kWord.size();
  }
  return static_cast<std::size_t>(std::copy(p + copied, p + size, p + written) - p);
}

}  // namespace meteor_dots

// Stands in the spread text, alone between spaces, for what is a word to the rule about periods and is
// removed after it. No byte of UTF-8.
inline constexpr char kRemoved = '\xFF';
inline constexpr std::string_view kRemovedWord = " \xFF ";

// Of bytes of spread text: those outside ASCII are parts of letters, save in words of one other character.
inline bool is_letter_of_spread(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || is_ascii_letter(byte);
}

// Writes the text so that spaces alone stand between words: all rules but the last.
template <MeteorLanguage kLanguage, bool kPunctuation>
class MeteorSpreader {
 public:
  MeteorSpreader(std::string_view text, std::string& out) : text_(text), out_(out) {}

  void run() {
    out_.clear();
    out_.reserve(text_.size() + text_.size() / 2 + 64);
    out_.push_back(' ');
    for (std::size_t block = 0; block < text_.size(); block += kBlock) {
      const char* p = text_.data() + block;
      std::array<char, kBlock> padded;
      if (const std::size_t rest = text_.size() - block; rest < kBlock) {
        padded.fill(' ');
        std::copy_n(p, rest, padded.data());
        p = padded.data();
      }
      std::uint64_t specials = bits_where(p, is_special);
      for (; specials != 0; specials &= specials - 1) {
        const std::size_t i = block + static_cast<std::size_t>(std::countr_zero(specials));
        if (i >= copied_) look(i);
      }
    }
    copy_until(text_.size());
    out_.push_back(' ');
  }

  // Whether U+000B or an isolated control character may stand at the ends.
  bool has_control() const { return has_control_; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Bytes that may have to be changed; the others are letters, digits, blanks and parts of letters.
  static constexpr bool is_special(unsigned char byte) {
    const bool letter = static_cast<unsigned char>((byte | 0x20) - 'a') < 26;
    const bool digit = static_cast<unsigned char>(byte - '0') < 10;
    const bool ascii = !letter & !digit & (byte != ' ') & (byte < 0x80);
    const bool lead = (byte >= 0xC2) & (byte != 0xC4) & !((byte >= 0xD0) & (byte <= 0xD3));
    return ascii | lead;
  }

  void copy_until(std::size_t i) {
    out_.append(text_.data() + copied_, i - copied_);
    copied_ = i;
  }

  void replace(std::size_t from, std::size_t to, std::string_view replacement) {
    copy_until(from);
    out_.append(replacement);
    copied_ = to;
  }

  void isolate(std::size_t i, std::size_t width) {
    copy_until(i);
    out_.push_back(' ');
    copy_until(i + width);
    out_.push_back(' ');
  }

  void remove(std::size_t i, std::size_t width) { replace(i, i + width, kRemovedWord); }

  void look(std::size_t i) {
    const auto byte = static_cast<unsigned char>(text_[i]);
    if (byte >= 0x80) return look_outside_ascii(i);
    switch (byte) {
      case '.': return periods(i);
      case ',': return comma(i);
      case '-': return hyphens(i);
      case '\'':
      case '`': return quotes(i);
      case '\t':
      case '\n':
      case '\f':
      case '\r': return replace(i, i + 1, " ");
      case '\v':
        has_control_ = true;
        return;
      default:
        has_control_ |= byte < ' ';
        return kPunctuation ? isolate(i, 1) : remove(i, 1);
    }
  }

  void look_outside_ascii(std::size_t i) {
    const CodePoint point = decode(text_, i);
    const char32_t c = point.value;
    if (is_meteor_letter(c)) return;
    if (c == 0x2018 || c == 0x2019) return quotes(i);
    if (!kPunctuation || is_meteor_space(c)) return remove(i, point.size);
    if (c == 0x201C || c == 0x201D) return replace(i, i + point.size, " \" ");
    if (c == 0x2013) return replace(i, i + point.size, " - ");
    isolate(i, point.size);
  }

  void periods(std::size_t i) {
    const std::size_t end = std::min(text_.find_first_not_of('.', i), text_.size());
    if (end - i > 1) isolate(i, end - i);
  }

  void comma(std::size_t i) {
    const bool digit_before = i > 0 && is_ascii_digit(byte_at(i - 1));
    const bool digit_after = is_ascii_digit(byte_at(i + 1));
    if (digit_before && digit_after) return;
    if (!digit_before && !digit_after) {
      if (i < comma_free_from_) return;
      const std::size_t taken = plain_width(i + 1);
      comma_free_from_ = taken == 0 ? 0 : i + taken + 2;
    }
    isolate(i, 1);
  }

  void hyphens(std::size_t i) {
    const std::size_t end = std::min(text_.find_first_not_of('-', i), text_.size());
    copy_until(i);
    const std::size_t count = (end - i + 1) / 2;
    if (count == 1 && i != hyphen_blocked_at_ && is_word_byte_or_period(out_.back())) {
      const std::size_t width = letter_width(end);
      if (width > 0 || is_ascii_digit(byte_at(end))) {
        hyphen_blocked_at_ = end + std::max<std::size_t>(width, 1);
        return replace(i, end, " ");
      }
    }
    out_.append(count, '-');
    copied_ = end;
  }

  void quotes(std::size_t i) {
    std::size_t end = i;
    std::size_t count = 0;
    for (; const std::size_t width = quote_width(end); end += width) ++count;
    copy_until(i);
    for (std::size_t k = 0; k < count / 2; ++k) out_.append(kPunctuation ? " \" " : kRemovedWord);
    copied_ = end;
    if (count % 2 == 1) apostrophe(end);
  }

  // `next` is what follows in the text; what stands before was written already.
  void apostrophe(std::size_t next) {
    constexpr bool kEnglish = kLanguage == MeteorLanguage::english;
    if constexpr (!kEnglish && kLanguage != MeteorLanguage::french) {
      out_.append(" ' ");
      return;
    }
    const std::size_t here = out_.size();
    const bool letter_before = is_letter_of_spread(out_.back());
    const std::size_t letter_after = letter_width(next);
    if (letter_before && letter_after > 0) {
      if (here == split_blocked_at_) {
        out_.push_back('\'');
        return;
      }
      out_.append(kEnglish ? " '" : "' ");
      split_blocked_at_ = out_.size() + letter_after;
      return;
    }
    if (!letter_before && letter_after == 0) {
      if (here == isolation_blocked_at_) {
        out_.push_back('\'');
        return;
      }
      out_.append(" ' ");
      isolation_blocked_at_ = out_.size() + 1;
      return;
    }
    if (kEnglish && is_ascii_digit(static_cast<unsigned char>(out_.back()))) {
      // The 1990's, but no other letter.
      out_.append(byte_at(next) == 's' ? " '" : "'");
      return;
    }
    out_.append(" ' ");
  }

  // A blank where the text ends: the normaliser puts one there.
  unsigned char byte_at(std::size_t i) const {
    return i < text_.size() ? static_cast<unsigned char>(text_[i]) : ' ';
  }

  // Bytes of the single quote at i; 0 if there is none.
  std::size_t quote_width(std::size_t i) const {
    const unsigned char byte = byte_at(i);
    if (byte == '\'' || byte == '`') return 1;
    if (byte != 0xE2) return 0;
    const char32_t c = decode(text_, i).value;
    return c == 0x2018 || c == 0x2019 ? 3 : 0;
  }

  // Bytes of the letter at i; 0 if there is none.
  std::size_t letter_width(std::size_t i) const {
    const unsigned char byte = byte_at(i);
    if (byte < 0x80) return is_ascii_letter(byte) ? 1 : 0;
    const CodePoint point = decode(text_, i);
    return is_meteor_letter(point.value) ? point.size : 0;
  }

  // Bytes of the character at i; 0 if a space is put before it.
  std::size_t plain_width(std::size_t i) const {
    const unsigned char byte = byte_at(i);
    if (const std::size_t width = std::max(letter_width(i), quote_width(i)); width > 0) return width;
    if (byte == '.') return byte_at(i + 1) == '.' ? 0 : 1;
    const bool plain = is_ascii_space(byte) || is_ascii_digit(byte) || byte == ',' || byte == '-';
    return plain ? 1 : 0;
  }

  static bool is_word_byte_or_period(char c) {
    return is_word_byte(static_cast<unsigned char>(c)) || c == '.';
  }

  std::string_view text_;
  std::string& out_;
  std::size_t copied_ = 0;                     // how much of the text was dealt with
  std::size_t comma_free_from_ = 0;            // in the text: commas before are blocked
  std::size_t hyphen_blocked_at_ = kNone;      // in the text
  std::size_t split_blocked_at_ = kNone;       // in what is written
  std::size_t isolation_blocked_at_ = kNone;   // in what is written
  bool has_control_ = false;
};

// Cuts spread text, decides about the period at the end of words, and adds the tokens.
template <MeteorLanguage kLanguage, bool kPunctuation, bool kLowercase>
class MeteorCutter {
 public:
  MeteorCutter(std::string& text, bool has_dot_words, TokenBuffer& buffer)
      : text_(text), has_dot_words_(has_dot_words), buffer_(buffer) {}

  void run() {
    if constexpr (kLowercase) {
      // First the whole text with A-Z lower-cased, then the words with other letters. Tokens point into it, so
      // it must not move; İ, the one that grows most, becomes half as long again.
      std::string& lowered = buffer_.lowered;
      ascii_ = is_ascii(text_);
      if (!ascii_) {
        lowered.clear();
        lowered.reserve(text_.size() * 5 / 2);
      }
      lowered.assign(text_);
      lower_ascii(lowered);
    }
    Runs runs;
    const auto add_word = [&](std::size_t begin, std::size_t end) { word(begin, end); };
    for (std::size_t block = 0; block < text_.size(); block += kBlock) {
      const char* p = text_.data() + block;
      std::array<char, kBlock> padded;
      if (const std::size_t rest = text_.size() - block; rest < kBlock) {
        padded.fill(' ');
        std::copy_n(p, rest, padded.data());
        p = padded.data();
      }
      runs.add(bits_where(p, [](unsigned char byte) { return byte != ' '; }), block, add_word);
    }
    runs.finish(text_.size(), add_word);
    decide(' ');
  }

 private:
  void word(std::size_t begin, std::size_t end) {
    decide(text_[begin]);
    if (text_[begin] == kRemoved) return;
    // A word with two periods at its end is made of periods and was hidden.
    if (text_[end - 1] == '.' && end - begin > 1 && text_[end - 2] != '.') {
      begin_ = begin;
      end_ = end;
      return;
    }
    add(begin, end);
  }

  // Adds the word that waits, whose last character is a period, once it is known how the next one begins.
  void decide(char next) {
    if (end_ == 0) return;
    const std::size_t begin = begin_;
    const std::size_t end = end_ - 1;
    end_ = 0;
    const std::string_view stem(text_.data() + begin, end - begin);
    const bool has_period = stem.find('.') != std::string_view::npos;
    if (has_period && std::any_of(stem.begin(), stem.end(), is_letter_of_spread)) {
      // U.S. becomes US.
      char* p = text_.data();
      const auto last = std::remove(p + begin, p + end, '.') - p;
      // The periods may have stood within one of the hidden words.
      return add(begin, static_cast<std::size_t>(last), true);
    }
    if ((next >= 'a' && next <= 'z') || is_prefix(stem, is_ascii_digit(static_cast<unsigned char>(next)))) {
      return add(begin, end + 1);
    }
    add(begin, end);
    add(end, end + 1);
  }

  static bool is_prefix(std::string_view stem, bool before_number) {
    constexpr std::span<const meteor_prefixes::Prefix> kPrefixes = meteor_prefixes_of(kLanguage);
    const auto found = std::lower_bound(kPrefixes.begin(), kPrefixes.end(), stem,
                                        [](const auto& p, std::string_view word) { return p.word < word; });
    return found != kPrefixes.end() && found->word == stem && (before_number || !found->numeric_only);
  }

  void add(std::size_t begin, std::size_t end, bool changed = false) {
    if (has_dot_words_ || changed) {
      char* p = text_.data() + begin;
      end = begin + meteor_dots::restore(p, end - begin);
      if constexpr (kLowercase) {
        std::transform(p, text_.data() + end, buffer_.lowered.begin() + static_cast<std::ptrdiff_t>(begin),
                       [](char c) { return static_cast<char>(ascii_lower(static_cast<unsigned char>(c))); });
      }
    }
    if constexpr (kPunctuation) {
      add_token(begin, end);
    } else {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t first = i;
        while (i < end && is_word_byte(static_cast<unsigned char>(text_[i]))) ++i;
        if (i > first) add_token(first, i);
      }
    }
  }

  void add_token(std::size_t begin, std::size_t end) {
    std::string& text = kLowercase ? buffer_.lowered : text_;
    if constexpr (kLowercase) {
      if (const std::string_view word(text_.data() + begin, end - begin); !ascii_ && !is_ascii(word)) {
        begin = text.size();
        append_java_lower(text, word);
        end = text.size();
      }
    }
    buffer_.add(text.data() + begin, end - begin, text.data() + text.size());
  }

  std::string& text_;
  bool has_dot_words_;
  TokenBuffer& buffer_;
  bool ascii_ = false;     // whether the whole text is
  std::size_t begin_ = 0;  // of the word that waits
  std::size_t end_ = 0;    // 0 while none waits
};

// String.trim() of Java on the line that the tokens after the first `before` make: control characters at
// its ends go.
inline void trim_meteor(TokenBuffer& buffer, std::size_t before) {
  const auto is_trimmed = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  auto& tokens = buffer.tokens;
  while (tokens.size() > before) {
    const std::string_view text = tokens.back().text();
    const auto end = std::find_if_not(text.rbegin(), text.rend(), is_trimmed).base();
    const auto size = static_cast<std::size_t>(end - text.begin());
    if (size == text.size()) break;
    tokens.pop_back();
    if (size == 0) continue;
    buffer.add(text.data(), size);
    break;
  }
  std::size_t first = before;
  for (; first < tokens.size(); ++first) {
    const std::string_view text = tokens[first].text();
    const auto skipped = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_trimmed) -
                                                  text.begin());
    if (skipped == text.size()) continue;
    tokens[first] = make_token(text.data() + skipped, text.size() - skipped);
    break;
  }
  const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(before);
  tokens.erase(begin, tokens.begin() + static_cast<std::ptrdiff_t>(first));
}

// -norm, or without kPunctuation -norm -noPunct.
template <MeteorLanguage kLanguage, bool kPunctuation, bool kLowercase>
inline void tokenize_meteor(std::string_view text, TokenBuffer& buffer) {
  const std::size_t before = buffer.tokens.size();
  const bool has_dot_words = text.find(meteor_dots::kWord) != std::string_view::npos;
  const std::string hidden = has_dot_words ? meteor_dots::hide(text) : std::string();
  MeteorSpreader<kLanguage, kPunctuation> spreader(has_dot_words ? hidden : text, buffer.scratch);
  spreader.run();
  MeteorCutter<kLanguage, kPunctuation, kLowercase>(buffer.scratch, has_dot_words, buffer).run();
  if (kPunctuation && spreader.has_control()) trim_meteor(buffer, before);
}

struct JavaSpaceRules : AsciiSpaceRules {
  static constexpr bool is_space(char32_t c) { return is_java_delimiter(c); }
};

// Without -norm: what Java's StringTokenizer does.
inline void tokenize_meteor_plain(std::string_view text, TokenBuffer& buffer) {
  cut<JavaSpaceRules, Rewriting::none>(text, buffer);
}

}  // namespace cocarde
