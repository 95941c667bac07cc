// The registry of native tokenizers. Each family has a header of its own under tokenizers/.
#pragma once

#include <array>
#include <string_view>

#include "tokenizers/characters.hpp"
#include "tokenizers/mteval.hpp"
#include "tokenizers/rouge.hpp"
#include "tokenizers/whitespace.hpp"
#include "tokenizers/words.hpp"
#include "tokens.hpp"

namespace cocarde {

struct TokenizerEntry {
  std::string_view name;
  TokenizeFunction tokenize;
};

inline constexpr std::array kTokenizers = {
    TokenizerEntry{"none", &tokenize_python_whitespace},
    TokenizerEntry{"multi-bleu", &tokenize_ascii_whitespace},
    TokenizerEntry{"13a", &tokenize_13a},
    TokenizerEntry{"zh", &tokenize_zh},
    TokenizerEntry{"intl", &tokenize_intl},
    TokenizerEntry{"char", &tokenize_characters},
    TokenizerEntry{"single-blank", &tokenize_single_blanks},
    // Those of NIST's scripts, each also with the lower-casing that the script does by default: after
    // its entities are decoded, where lower-casing the whole text first would decode "&LT;" as well.
    TokenizerEntry{"mteval-v13a", &tokenize_mteval_v13a},
    TokenizerEntry{"mteval-v13a-lowercase", &tokenize_mteval_v13a_lowercase},
    TokenizerEntry{"mteval-intl",
                   &tokenize_mteval_international<
                       PerlInternationalRules, Rewriting::international, false>},
    TokenizerEntry{"mteval-intl-lowercase",
                   &tokenize_mteval_international<
                       PerlInternationalRules, Rewriting::international, true>},
    TokenizerEntry{"mteval-intl-split",
                   &tokenize_mteval_international<
                       SplittingInternationalRules, Rewriting::international, false>},
    TokenizerEntry{"mteval-intl-split-lowercase",
                   &tokenize_mteval_international<
                       SplittingInternationalRules, Rewriting::international, true>},
    TokenizerEntry{"mteval-v13a-intl",
                   &tokenize_mteval_international<
                       PerlInternationalRules, Rewriting::international_joining, false>},
    TokenizerEntry{"mteval-v13a-intl-lowercase",
                   &tokenize_mteval_international<
                       PerlInternationalRules, Rewriting::international_joining, true>},
    TokenizerEntry{"mteval-v13a-intl-split",
                   &tokenize_mteval_international<
                       SplittingInternationalRules, Rewriting::international_joining, false>},
    TokenizerEntry{"mteval-v13a-intl-split-lowercase",
                   &tokenize_mteval_international<
                       SplittingInternationalRules, Rewriting::international_joining, true>},
    TokenizerEntry{"rouge", &tokenize_rouge_score<NoStemmer>},
    TokenizerEntry{"rouge-stem", &tokenize_rouge_score<NltkStemmer>},
    TokenizerEntry{"rouge-1.5.5", &tokenize_rouge_155<NoStemmer>},
    TokenizerEntry{"rouge-1.5.5-stem", &tokenize_rouge_155<PerlStemmer>},
    TokenizerEntry{"rouge-1.5.5-wordnet", &tokenize_rouge_155<Rouge155Stemmer>},
    TokenizerEntry{"words", &tokenize_words},
};

// Null where there is no such tokenizer.
inline TokenizeFunction find_tokenizer(std::string_view name) {
  for (const TokenizerEntry& entry : kTokenizers) {
    if (entry.name == name) return entry.tokenize;
  }
  return nullptr;
}

}  // namespace cocarde
