// Tokenizers, stemmers, words and lines of text.
#include "python.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../lines.hpp"
#include "../scripts.hpp"
#include "../stemmers.hpp"
#include "../tokenizers.hpp"

namespace cocarde::bindings {

TokenizeFunction tokenizer_named(const std::string& name) {
  const TokenizeFunction function = find_tokenizer(name);
  if (function == nullptr) throw nb::value_error(("no native tokenizer is called " + name).c_str());
  return function;
}

const StemmerEntry& stemmer_named(const std::string& name) {
  const StemmerEntry* entry = find_stemmer(name);
  if (entry == nullptr) throw nb::value_error(("no native stemmer is called " + name).c_str());
  return *entry;
}

namespace {

// The stem of a word in lower case.
nb::object stem_word(const std::string& name, nb::str word) {
  const StemmerEntry& stemmer = stemmer_named(name);
  Keep keep;
  const std::string_view view = utf8_view(word, keep);
  if (is_ascii(view)) {
    std::string letters(view);
    return to_str(stemmer.stem(letters.data(), letters.size()));
  }
  std::u32string letters;
  for (std::size_t i = 0; i < view.size();) {
    const CodePoint point = decode(view, i);
    letters.push_back(point.value);
    i += point.size;
  }
  letters.resize(stemmer.stem_code_points(letters.data(), letters.size()));
  std::string stem;
  for (const char32_t letter : letters) append_utf8(stem, letter);
  return to_str(stem);
}

// Whether every item is a string.
bool all_texts(nb::list items) {
  bool all = true;
  each_item(items, [&](const nb::object& item, std::size_t) { all = all && PyUnicode_Check(item.ptr()); });
  return all;
}

}  // namespace

void bind_text(nb::module_& module) {
  module.def(
      "tokenizer_names",
      [] {
        std::vector<std::string> names;
        for (const auto& entry : kTokenizers) names.emplace_back(entry.name);
        return names;
      },
      "Names of the native tokenizers.");
  module.def(
      "tokenize",
      [](const std::string& name, nb::str text) {
        Keep keep;
        TokenBuffer buffer;
        tokenizer_named(name)(utf8_view(text, keep), buffer);
        nb::list tokens;
        for (const Token& token : buffer.tokens) tokens.append(to_str(token.text()));
        return tokens;
      },
      "name"_a, "text"_a, nb::sig("def tokenize(name: str, text: str) -> list[str]"),
      "Tokens of a text.");
  module.def(
      "stemmer_names",
      [] {
        std::vector<std::string> names;
        for (const auto& entry : kStemmers) names.emplace_back(entry.name);
        return names;
      },
      "Names of the native stemmers.");
  module.def("stem", &stem_word, "name"_a, "word"_a, nb::sig("def stem(name: str, word: str) -> str"),
             "The stem of a word in lower case.");
  module.def("all_texts", &all_texts, "items"_a, "Whether every item is a str.");
  module.def(
      "count_words",
      [](nb::list texts) {
        WordCounts counts;
        for (const nb::handle text : nb::tuple(texts)) {
          if (!PyUnicode_Check(text.ptr())) raise_type_error("a text is of type " + name_of_type(text) + ", not str");
          Keep keep;
          count_words(utf8_view(text, keep), counts);
        }
        return nb::make_tuple(counts.ascii, counts.other, counts.han, counts.kana, counts.unspaced);
      },
      "texts"_a, nb::sig("def count_words(texts: list[str]) -> tuple[int, int, int, int, int]"),
      "How many words there are: of ASCII, with other letters, Han, kana, of other scripts without spaces.");
  nb::class_<Lines>(module, "Lines", "A block of text that is known to be well-formed UTF-8.")
      .def(
          "__init__",
          [](Lines* self, nb::bytes block) {
            const std::string_view text(block.c_str(), block.size());
            const bool good = [text] {
              const nb::gil_scoped_release guard;
              return is_utf8(text);
            }();
            if (!good) throw nb::value_error("the block is not UTF-8");
            new (self) Lines{std::move(block)};
          },
          "block"_a, "Raises ValueError unless the block is UTF-8.")
      .def_ro("block", &Lines::block);
  module.def(
      "count_line_feeds",
      [](nb::bytes block) {
        const std::string_view text(block.c_str(), block.size());
        const nb::gil_scoped_release guard;
        return count_line_feeds(text);
      },
      "block"_a, "How many line feeds there are.");
  module.def(
      "after_line_feeds",
      [](nb::bytes block, std::size_t start, std::size_t count) {
        const std::string_view text(block.c_str(), block.size());
        if (start > text.size()) throw nb::value_error("start lies behind the end");
        const nb::gil_scoped_release guard;
        return after_line_feeds(text, start, count);
      },
      "block"_a, "start"_a, "count"_a, "The position after so many line feeds.");
  module.def(
      "split_lines",
      [](const Lines& block) {
        nb::list lines;
        for (const std::string_view line : split_lines(block.text())) lines.append(to_str(line));
        return lines;
      },
      "block"_a, nb::sig("def split_lines(block: Lines) -> list[str]"), "The lines of a block.");
}

}  // namespace cocarde::bindings
