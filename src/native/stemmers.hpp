// Porter's suffix stripping (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980) in
// the two flavours that ROUGE's implementations use: NLTK's and that of the Perl program.
//
// A word is letters, of bytes for ASCII and of code points for any other text; it is rewritten in
// place, for no stem is longer than its word.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tokens.hpp"
#include "wordnet_exceptions.hpp"

namespace cocarde {

// The last eight letters of a word as one integer, the last in the highest byte, so that asking for a
// suffix is one comparison. A letter outside ASCII becomes a byte that no suffix has.
template <class Char>
constexpr std::uint64_t tail_of(const Char* letters, std::size_t size) {
  if constexpr (std::is_same_v<Char, char> && std::endian::native == std::endian::little) {
    if (!std::is_constant_evaluated()) {
      if (size == 0) return 0;
      if (size >= 8) return load64(letters + size - 8);
      return load_prefix(letters, size) << (8 * (8 - size));
    }
  }
  std::uint64_t tail = 0;
  for (std::size_t i = size < 8 ? 0 : size - 8; i < size; ++i) {
    const auto letter = static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<
        std::conditional_t<std::is_same_v<Char, char>, char, std::uint32_t>>>(letters[i]));
    tail = (tail >> 8) | (std::uint64_t{letter < 0x80 ? letter : 0xFF} << 56);
  }
  return tail;
}

// A suffix of at most seven letters.
struct Suffix {
  std::uint64_t tail = 0;
  std::uint64_t mask = 0;
  std::size_t size = 0;

  constexpr Suffix() = default;
  constexpr Suffix(const char* text) {  // NOLINT: a suffix is written as its text
    const std::string_view view(text);
    size = view.size();
    tail = tail_of(view.data(), size);
    mask = ~std::uint64_t{0} << (8 * (8 - size));
  }
};

// What a rule asks of the letters before its suffix.
enum class Condition : std::uint8_t {
  measure_1,               // m > 0
  measure_2,               // m > 1
  measure_2_after_s_or_t,  // m > 1, and they end in s or t
  measure_1_with_letter,   // m > 0 with the first letter of the suffix added
};

struct Rule {
  Suffix suffix;
  std::string_view replacement;
  Condition condition = Condition::measure_1;
};

// The rules of a step by the last letter of their suffix. Of two suffixes that a word may have, the
// longer comes first.
template <std::size_t kCount>
class Rules {
 public:
  constexpr explicit Rules(std::array<Rule, kCount> rules) {
    std::size_t next = 0;
    for (std::size_t letter = 0; letter < 26; ++letter) {
      first_[letter] = static_cast<std::uint8_t>(next);
      for (const Rule& rule : rules) {
        if ((rule.suffix.tail >> 56) == 'a' + letter) rules_[next++] = rule;
      }
    }
    first_[26] = static_cast<std::uint8_t>(next);
  }

  // The rule whose suffix a word with that tail has, or null.
  constexpr const Rule* find(std::uint64_t tail) const {
    const std::uint64_t letter = (tail >> 56) - 'a';
    if (letter >= 26) return nullptr;
    for (std::size_t k = first_[letter]; k < first_[letter + 1]; ++k) {
      if (((tail ^ rules_[k].suffix.tail) & rules_[k].suffix.mask) == 0) return &rules_[k];
    }
    return nullptr;
  }

 private:
  std::array<Rule, kCount> rules_{};
  std::array<std::uint8_t, 27> first_{};
};

namespace porter {

// Step 2 as both flavours have it, with Porter's later "bli" in place of the paper's "abli"; they differ
// in the condition of -logi.
constexpr std::array<Rule, 21> second_rules(Condition condition_of_logi) {
  constexpr Condition m = Condition::measure_1;
  return {{
      {"ational", "ate", m}, {"tional", "tion", m}, {"enci", "ence", m}, {"anci", "ance", m},
      {"izer", "ize", m}, {"bli", "ble", m}, {"alli", "al", m}, {"entli", "ent", m},
      {"eli", "e", m}, {"ousli", "ous", m}, {"ization", "ize", m}, {"ation", "ate", m},
      {"ator", "ate", m}, {"alism", "al", m}, {"iveness", "ive", m}, {"fulness", "ful", m},
      {"ousness", "ous", m}, {"aliti", "al", m}, {"iviti", "ive", m}, {"biliti", "ble", m},
      {"logi", "log", condition_of_logi},
  }};
}

constexpr std::array<Rule, 22> second_rules_nltk() {
  std::array<Rule, 22> rules{};
  const std::array<Rule, 21> common = second_rules(Condition::measure_1_with_letter);
  std::copy(common.begin(), common.end(), rules.begin());
  rules.back() = {"fulli", "ful", Condition::measure_1};
  return rules;
}

inline constexpr Rules kSecond{second_rules(Condition::measure_1)};
inline constexpr Rules kSecondNltk{second_rules_nltk()};

inline constexpr Rules kThird{std::array<Rule, 7>{{
    {"icate", "ic", Condition::measure_1}, {"ative", "", Condition::measure_1},
    {"alize", "al", Condition::measure_1}, {"iciti", "ic", Condition::measure_1},
    {"ical", "ic", Condition::measure_1}, {"ful", "", Condition::measure_1},
    {"ness", "", Condition::measure_1},
}}};

// Step 4 of the paper: the first suffix that a word has decides.
inline constexpr Rules kFourth{std::array<Rule, 19>{{
    {"al", "", Condition::measure_2}, {"ance", "", Condition::measure_2},
    {"ence", "", Condition::measure_2}, {"er", "", Condition::measure_2},
    {"ic", "", Condition::measure_2}, {"able", "", Condition::measure_2},
    {"ible", "", Condition::measure_2}, {"ant", "", Condition::measure_2},
    {"ement", "", Condition::measure_2}, {"ment", "", Condition::measure_2},
    {"ent", "", Condition::measure_2}, {"ion", "", Condition::measure_2_after_s_or_t},
    {"ou", "", Condition::measure_2}, {"ism", "", Condition::measure_2},
    {"ate", "", Condition::measure_2}, {"iti", "", Condition::measure_2},
    {"ous", "", Condition::measure_2}, {"ive", "", Condition::measure_2},
    {"ize", "", Condition::measure_2},
}}};

// Step 4 of the Perl program, in three parts that each look at what the one before left.
inline constexpr Rules kFourthPerl{std::array<Rule, 16>{{
    {"al", "", Condition::measure_2}, {"ance", "", Condition::measure_2},
    {"ence", "", Condition::measure_2}, {"er", "", Condition::measure_2},
    {"ic", "", Condition::measure_2}, {"able", "", Condition::measure_2},
    {"ible", "", Condition::measure_2}, {"ant", "", Condition::measure_2},
    {"ement", "", Condition::measure_2}, {"ou", "", Condition::measure_2},
    {"ism", "", Condition::measure_2}, {"ate", "", Condition::measure_2},
    {"iti", "", Condition::measure_2}, {"ous", "", Condition::measure_2},
    {"ive", "", Condition::measure_2}, {"ize", "", Condition::measure_2},
}}};
inline constexpr Rules kFourthPerlMent{std::array<Rule, 1>{{{"ment", "", Condition::measure_2}}}};
inline constexpr Rules kFourthPerlLast{std::array<Rule, 2>{{
    {"ent", "", Condition::measure_2}, {"ion", "", Condition::measure_2_after_s_or_t},
}}};

// A word with the vowels among its first 64 letters as bits, so that its measure is a count of bits.
template <class Char>
class Word {
 public:
  Word(Char* letters, std::size_t size) : letters_(letters), size_(size) { changed_from(0); }

  std::size_t size() const { return size_; }
  // The letter at that place from the end, 1 for the last.
  Char from_end(std::size_t place) const { return letters_[size_ - place]; }
  bool ends_with(Suffix suffix) const { return ((tail_ ^ suffix.tail) & suffix.mask) == 0; }
  std::uint64_t tail() const { return tail_; }

  // Keeps the first `stem` letters and puts the ending behind them.
  void replace(std::size_t stem, std::string_view ending) {
    for (const char letter : ending) {
      letters_[stem] = static_cast<Char>(letter);
      ++stem;
    }
    size_ = stem;
    changed_from(stem - ending.size());
  }
  void shorten(std::size_t count) { replace(size_ - count, {}); }

  // A vowel is a, e, i, o, u, and a y right after a consonant.
  bool is_vowel(std::size_t i) const {
    if (i < kBits) return ((vowels_ >> i) & 1) != 0;
    bool vowel = ((vowels_ >> (kBits - 1)) & 1) != 0;
    for (std::size_t k = kBits; k <= i; ++k) vowel = is_vowel_after(letters_[k], vowel);
    return vowel;
  }

  // The m of the paper, of the first n letters: how often a consonant follows a vowel.
  std::size_t measure(std::size_t n) const {
    const std::size_t known = std::min(n, kBits);
    if (known < 2) return 0;
    const std::uint64_t pairs = vowels_ & ~(vowels_ >> 1) & (~std::uint64_t{0} >> (kBits - (known - 1)));
    auto count = static_cast<std::size_t>(std::popcount(pairs));
    bool vowel = is_vowel(known - 1);
    for (std::size_t k = known; k < n; ++k) {
      const bool next = is_vowel_after(letters_[k], vowel);
      count += vowel && !next;
      vowel = next;
    }
    return count;
  }

  bool has_vowel(std::size_t n) const {
    if (n == 0) return false;
    if ((vowels_ & (~std::uint64_t{0} >> (kBits - std::min(n, kBits)))) != 0) return true;
    for (std::size_t k = kBits; k < n; ++k) {
      // Among consonants alone, the first y behind another letter is a vowel.
      if (is_vowel_after(letters_[k], false)) return true;
    }
    return false;
  }

  // Two equal letters at the end.
  bool is_doubled() const { return size_ >= 2 && from_end(1) == from_end(2); }

  // Whether the first n letters end in consonant, vowel, consonant, the last not w, x or y; or are, as
  // NLTK has it, a vowel and a consonant.
  bool ends_short_nltk(std::size_t n) const {
    if (n == 2) return is_vowel(0) && !is_vowel(1);
    return n >= 3 && !is_vowel(n - 3) && is_vowel(n - 2) && !is_vowel(n - 1) && !is_any_of(letters_[n - 1], "wxy");
  }

  // Whether the first n letters are, as the Perl program has it, consonants, one vowel and one
  // consonant that is not w, x or y.
  bool is_short(std::size_t n) const {
    return n >= 3 && is_vowel(n - 2) && !has_vowel(n - 2) && !is_any_of(letters_[n - 1], "aeiouwxy");
  }

  bool holds(const Rule& rule, std::size_t stem) const {
    switch (rule.condition) {
      case Condition::measure_1: return measure(stem) > 0;
      case Condition::measure_2: return measure(stem) > 1;
      case Condition::measure_2_after_s_or_t:
        return stem > 0 && is_any_of(letters_[stem - 1], "st") && measure(stem) > 1;
      case Condition::measure_1_with_letter: return measure(stem + 1) > 0;
    }
    return false;
  }

  // Applies the rule whose suffix the word has, if its condition holds.
  template <std::size_t kCount>
  void apply(const Rules<kCount>& rules) {
    const Rule* const rule = rules.find(tail_);
    if (rule == nullptr) return;
    const std::size_t stem = size_ - rule->suffix.size;
    if (holds(*rule, stem)) replace(stem, rule->replacement);
  }

  static bool is_any_of(Char letter, std::string_view letters) {
    return std::any_of(letters.begin(), letters.end(),
                       [letter](char c) { return letter == static_cast<Char>(c); });
  }

 private:
  static constexpr std::size_t kBits = 64;

  static bool is_vowel_after(Char letter, bool vowel_before) {
    constexpr std::uint32_t kVowels = 0x104111;  // a, e, i, o, u as bits
    const auto place = static_cast<std::uint32_t>(letter) - 'a';
    if (letter == static_cast<Char>('y')) return !vowel_before;
    return place < 26 && ((kVowels >> place) & 1) != 0;
  }

  // To be called when letters from there on, or the size, have changed.
  void changed_from(std::size_t begin) {
    tail_ = tail_of(letters_, size_);
    if (begin >= kBits) return;
    vowels_ &= (std::uint64_t{1} << begin) - 1;
    // Nothing stands before the first letter, and a y there is a consonant.
    bool vowel = begin == 0 || ((vowels_ >> (begin - 1)) & 1) != 0;
    for (std::size_t i = begin; i < std::min(size_, kBits); ++i) {
      vowel = is_vowel_after(letters_[i], vowel);
      vowels_ |= std::uint64_t{vowel} << i;
    }
  }

  Char* letters_;
  std::size_t size_;
  std::uint64_t vowels_ = 0;
  std::uint64_t tail_ = 0;
};

// The words that NLTK has in a table, by their sizes.
struct Irregular {
  std::string_view word;
  std::string_view stem;
};
inline constexpr std::array<Irregular, 16> kIrregular = {{
    {"sky", "sky"}, {"news", "news"}, {"howe", "howe"}, {"skies", "sky"},
    {"dying", "die"}, {"lying", "lie"}, {"tying", "tie"}, {"inning", "inning"},
    {"outing", "outing"}, {"exceed", "exceed"}, {"innings", "inning"}, {"outings", "outing"},
    {"canning", "canning"}, {"proceed", "proceed"}, {"succeed", "succeed"}, {"cannings", "canning"},
}};
inline constexpr std::array<std::size_t, 10> kIrregularOfSize = {0, 0, 0, 0, 1, 3, 7, 10, 15, 16};

template <class Char>
const Irregular* find_irregular(const Word<Char>& word) {
  const std::size_t size = word.size();
  if (size < 3 || size > 8) return nullptr;
  for (std::size_t k = kIrregularOfSize[size]; k < kIrregularOfSize[size + 1]; ++k) {
    if (word.tail() == tail_of(kIrregular[k].word.data(), size)) return &kIrregular[k];
  }
  return nullptr;
}

}  // namespace porter

// PorterStemmer of NLTK in its default mode; the word is in lower case. Returns the size of the stem.
template <class Char>
std::size_t stem_porter_nltk(Char* letters, std::size_t size) {
  porter::Word<Char> word(letters, size);
  if (const auto* irregular = porter::find_irregular(word)) {
    word.replace(0, irregular->stem);
    return word.size();
  }
  if (size <= 2) return size;

  // 1a: plurals.
  if (word.ends_with("s")) {
    if (word.ends_with("ies")) word.shorten(size == 4 ? 1 : 2);
    else if (word.ends_with("sses")) word.shorten(2);
    else if (!word.ends_with("ss")) word.shorten(1);
  }

  // 1b: past tense and -ing.
  const std::size_t n = word.size();
  if (word.ends_with("ied")) {
    word.shorten(n == 4 ? 1 : 2);
  } else if (word.ends_with("eed")) {
    if (word.measure(n - 3) > 0) word.shorten(1);
  } else if (const std::size_t ending = word.ends_with("ed") ? 2 : word.ends_with("ing") ? 3 : 0;
             ending != 0 && word.has_vowel(n - ending)) {
    word.shorten(ending);
    if (word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz")) {
      word.replace(word.size(), "e");
    } else if (word.is_doubled() && !word.is_vowel(word.size() - 1)) {
      if (!word.is_any_of(word.from_end(1), "lsz")) word.shorten(1);
    } else if (word.ends_with("*d")) {
      // NLTK writes the paper's condition *d where a suffix may stand, and takes it for one as well.
      word.replace(word.size() - 2, "d");
    } else if (word.measure(word.size()) == 1 && word.ends_short_nltk(word.size())) {
      word.replace(word.size(), "e");
    }
  }

  // 1c: y to i after a consonant, of which there may be no vowel before.
  if (word.ends_with("y") && word.size() > 2 && !word.is_vowel(word.size() - 2)) {
    word.replace(word.size() - 1, "i");
  }

  // 2: -alli first; what it leaves goes through the step once more.
  if (word.ends_with("alli") && word.measure(word.size() - 4) > 0) word.shorten(2);
  word.apply(porter::kSecondNltk);
  word.apply(porter::kThird);
  word.apply(porter::kFourth);

  // 5: -e and -ll.
  if (word.ends_with("e")) {
    const std::size_t stem = word.size() - 1;
    const std::size_t measure = word.measure(stem);
    if (measure > 1 || (measure == 1 && !word.ends_short_nltk(stem))) word.shorten(1);
  }
  if (word.ends_with("ll") && word.measure(word.size() - 1) > 1) word.shorten(1);
  return word.size();
}

// The stemmer inside ROUGE-1.5.5: Porter's own later version of the algorithm, with a step 4 that may
// take two suffixes. The word is in lower case. Returns the size of the stem.
template <class Char>
std::size_t stem_porter(Char* letters, std::size_t size) {
  if (size < 3) return size;
  porter::Word<Char> word(letters, size);

  // 1a: plurals.
  if (word.ends_with("sses") || word.ends_with("ies")) word.shorten(2);
  else if (word.ends_with("s") && !word.ends_with("ss")) word.shorten(1);

  // 1b: past tense and -ing.
  const std::size_t n = word.size();
  if (word.ends_with("eed")) {
    if (word.measure(n - 3) > 0) word.shorten(1);
  } else if (const std::size_t ending = word.ends_with("ed") ? 2 : word.ends_with("ing") ? 3 : 0;
             ending != 0 && word.has_vowel(n - ending)) {
    word.shorten(ending);
    if (word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz")) {
      word.replace(word.size(), "e");
    } else if (word.is_doubled() && !word.is_any_of(word.from_end(1), "aeiouylsz")) {
      word.shorten(1);
    } else if (word.is_short(word.size())) {
      word.replace(word.size(), "e");
    }
  }

  // 1c: y to i.
  if (word.ends_with("y") && word.has_vowel(word.size() - 1)) word.replace(word.size() - 1, "i");

  word.apply(porter::kSecond);
  word.apply(porter::kThird);
  word.apply(porter::kFourthPerl);
  word.apply(porter::kFourthPerlMent);
  word.apply(porter::kFourthPerlLast);

  // 5: -e and -ll.
  if (word.ends_with("e")) {
    const std::size_t stem = word.size() - 1;
    const std::size_t measure = word.measure(stem);
    if (measure > 1 || (measure == 1 && !word.is_short(stem))) word.shorten(1);
  }
  if (word.ends_with("ll") && word.measure(word.size()) > 1) word.shorten(1);
  return word.size();
}

// How the words of a text are stemmed: rewrites the ASCII letters in place and returns the stem, which
// lies there, or elsewhere for good.
using StemFunction = std::string_view (*)(char* letters, std::size_t size);

inline std::string_view stem_nltk(char* letters, std::size_t size) {
  return {letters, stem_porter_nltk(letters, size)};
}

inline std::string_view stem_perl(char* letters, std::size_t size) {
  return {letters, stem_porter(letters, size)};
}

// ROUGE-1.5.5 with -m and its database of WordNet's exceptions: an inflected form that is there has the
// base form that stands there, and every other word its stem.
inline std::string_view stem_rouge_155(char* letters, std::size_t size) {
  const std::string_view base = find_wordnet_exception({letters, size});
  return base.empty() ? stem_perl(letters, size) : base;
}

struct StemmerEntry {
  std::string_view name;
  StemFunction stem;
  // The same for a word with letters outside ASCII, which none of WordNet's exceptions has.
  std::size_t (*stem_code_points)(char32_t* letters, std::size_t size);
};

inline constexpr std::array kStemmers = {
    StemmerEntry{"porter-nltk", &stem_nltk, &stem_porter_nltk<char32_t>},
    StemmerEntry{"porter", &stem_perl, &stem_porter<char32_t>},
    StemmerEntry{"rouge-1.5.5", &stem_rouge_155, &stem_porter<char32_t>},
};

// Null where there is no such stemmer.
inline const StemmerEntry* find_stemmer(std::string_view name) {
  for (const StemmerEntry& entry : kStemmers) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace cocarde
