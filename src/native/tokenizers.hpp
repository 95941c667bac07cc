// The registry of native tokenizers. Each family has a header of its own under tokenizers/.
#pragma once

#include <array>
#include <string_view>

#include "tokenizers/characters.hpp"
#include "tokenizers/meteor.hpp"
#include "tokenizers/mteval.hpp"
#include "tokenizers/rouge.hpp"
#include "tokenizers/tercom.hpp"
#include "tokenizers/whitespace.hpp"
#include "tokenizers/whole.hpp"
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
    TokenizerEntry{"zh-unicode", &tokenize_zh_unicode},
    TokenizerEntry{"intl", &tokenize_intl},
    TokenizerEntry{"char", &tokenize_characters},
    TokenizerEntry{"single-blank", &tokenize_single_blanks},
    TokenizerEntry{"whole", &tokenize_whole},
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
    // Tercom lower-cases before all else.
    TokenizerEntry{"tercom-nopunct", &tokenize_tercom<false, false, false>},
    TokenizerEntry{"tercom-nopunct-asian", &tokenize_tercom<false, false, true>},
    TokenizerEntry{"tercom-norm", &tokenize_tercom<true, true, false>},
    TokenizerEntry{"tercom-norm-asian", &tokenize_tercom<true, true, true>},
    TokenizerEntry{"tercom-norm-nopunct", &tokenize_tercom<true, false, false>},
    TokenizerEntry{"tercom-norm-nopunct-asian", &tokenize_tercom<true, false, true>},
    TokenizerEntry{"tercom-norm-twice", &tokenize_tercom_twice<true, false>},
    TokenizerEntry{"tercom-norm-asian-twice", &tokenize_tercom_twice<true, true>},
    TokenizerEntry{"tercom-norm-nopunct-twice", &tokenize_tercom_twice<false, false>},
    TokenizerEntry{"tercom-norm-nopunct-asian-twice", &tokenize_tercom_twice<false, true>},
    TokenizerEntry{"tercom-java", &tokenize_tercom_java<false, true>},
    TokenizerEntry{"tercom-java-norm", &tokenize_tercom_java<true, true>},
    TokenizerEntry{"tercom-java-nopunct", &tokenize_tercom_java<false, false>},
    TokenizerEntry{"tercom-java-norm-nopunct", &tokenize_tercom_java<true, false>},
    // METEOR lower-cases what its normaliser made.
    TokenizerEntry{"meteor-plain", &tokenize_meteor_plain},
    TokenizerEntry{"meteor-en",
                   &tokenize_meteor<MeteorLanguage::english, true, false>},
    TokenizerEntry{"meteor-en-lowercase",
                   &tokenize_meteor<MeteorLanguage::english, true, true>},
    TokenizerEntry{"meteor-en-nopunct",
                   &tokenize_meteor<MeteorLanguage::english, false, false>},
    TokenizerEntry{"meteor-en-nopunct-lowercase",
                   &tokenize_meteor<MeteorLanguage::english, false, true>},
    TokenizerEntry{"meteor-fr",
                   &tokenize_meteor<MeteorLanguage::french, true, false>},
    TokenizerEntry{"meteor-fr-lowercase",
                   &tokenize_meteor<MeteorLanguage::french, true, true>},
    TokenizerEntry{"meteor-fr-nopunct",
                   &tokenize_meteor<MeteorLanguage::french, false, false>},
    TokenizerEntry{"meteor-fr-nopunct-lowercase",
                   &tokenize_meteor<MeteorLanguage::french, false, true>},
    TokenizerEntry{"meteor-es",
                   &tokenize_meteor<MeteorLanguage::spanish, true, false>},
    TokenizerEntry{"meteor-es-lowercase",
                   &tokenize_meteor<MeteorLanguage::spanish, true, true>},
    TokenizerEntry{"meteor-es-nopunct",
                   &tokenize_meteor<MeteorLanguage::spanish, false, false>},
    TokenizerEntry{"meteor-es-nopunct-lowercase",
                   &tokenize_meteor<MeteorLanguage::spanish, false, true>},
    TokenizerEntry{"meteor-de",
                   &tokenize_meteor<MeteorLanguage::german, true, false>},
    TokenizerEntry{"meteor-de-lowercase",
                   &tokenize_meteor<MeteorLanguage::german, true, true>},
    TokenizerEntry{"meteor-de-nopunct",
                   &tokenize_meteor<MeteorLanguage::german, false, false>},
    TokenizerEntry{"meteor-de-nopunct-lowercase",
                   &tokenize_meteor<MeteorLanguage::german, false, true>},
    TokenizerEntry{"meteor-cz",
                   &tokenize_meteor<MeteorLanguage::czech, true, false>},
    TokenizerEntry{"meteor-cz-lowercase",
                   &tokenize_meteor<MeteorLanguage::czech, true, true>},
    TokenizerEntry{"meteor-cz-nopunct",
                   &tokenize_meteor<MeteorLanguage::czech, false, false>},
    TokenizerEntry{"meteor-cz-nopunct-lowercase",
                   &tokenize_meteor<MeteorLanguage::czech, false, true>},
    TokenizerEntry{"meteor-ru",
                   &tokenize_meteor<MeteorLanguage::russian, true, false>},
    TokenizerEntry{"meteor-ru-lowercase",
                   &tokenize_meteor<MeteorLanguage::russian, true, true>},
    TokenizerEntry{"meteor-ru-nopunct",
                   &tokenize_meteor<MeteorLanguage::russian, false, false>},
    TokenizerEntry{"meteor-ru-nopunct-lowercase",
                   &tokenize_meteor<MeteorLanguage::russian, false, true>},
};

// Null where there is no such tokenizer.
inline TokenizeFunction find_tokenizer(std::string_view name) {
  for (const TokenizerEntry& entry : kTokenizers) {
    if (entry.name == name) return entry.tokenize;
  }
  return nullptr;
}

}  // namespace cocarde
