// Columns: what Python has, as segments that yield tokens.
#include "python.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../lines.hpp"
#include "../rouge.hpp"

namespace cocarde::bindings {

namespace {

// How texts are lowercased: A-Z alone, or as Python's str.lower() does.
enum class Lowercase { no, ascii, unicode };

Lowercase lowercase_named(const std::string& name) {
  if (name == "no") return Lowercase::no;
  if (name == "ascii") return Lowercase::ascii;
  if (name == "unicode") return Lowercase::unicode;
  throw nb::value_error(("lowercase is no, ascii or unicode, not " + name).c_str());
}

// str.lower() where A-Z is not all there is to it; a subclass may mean something else by it.
std::string_view lower_view(nb::handle text, Keep& keep) {
  const nb::object lowered = nb::handle(reinterpret_cast<PyObject*>(&PyUnicode_Type)).attr("lower")(text);
  return utf8_view(lowered, keep);
}

Column column_of_texts(nb::list texts, const std::string& tokenizer,
                       const std::string& lowercase, bool strip_right) {
  const Lowercase how = lowercase_named(lowercase);
  const TextOptions options{tokenizer_named(tokenizer), how != Lowercase::no, strip_right};
  std::vector<std::string_view> views;
  Keep keep;
  views.reserve(texts.size());
  keep.reserve(texts.size());
  each_item(texts, [&](const nb::object& text, std::size_t index) {
    if (!PyUnicode_Check(text.ptr())) {
      raise_type_error("segment " + std::to_string(index) + " is of type " + name_of_type(text) + ", not str");
    }
    views.push_back(utf8_view(text, keep));
    if (how == Lowercase::unicode && !is_ascii(views.back())) views.back() = lower_view(text, keep);
  });
  return Column::of_texts(std::move(views), options, owner_of(std::move(keep)));
}

// Lines of blocks, without their "\n" or "\r\n": the first line of each block, then the second of each,
// and so on.
Column column_of_lines(nb::list blocks, const std::string& tokenizer, const std::string& lowercase,
                       bool strip_right) {
  const Lowercase how = lowercase_named(lowercase);
  const TextOptions options{tokenizer_named(tokenizer), how != Lowercase::no, strip_right};
  Keep keep;
  std::vector<std::vector<std::string_view>> lines;
  for (const nb::handle item : nb::tuple(blocks)) {
    if (!nb::isinstance<Lines>(item)) raise_type_error("a block is of type " + name_of_type(item) + ", not Lines");
    const Lines& block = nb::cast<const Lines&>(item);
    lines.push_back(split_lines(block.text()));
    if (lines.back().size() != lines.front().size()) throw nb::value_error("blocks differ in their number of lines");
    keep.push_back(block.block);
  }
  if (lines.empty()) throw nb::value_error("there is no block");
  std::vector<std::string_view> views = std::move(lines.front());
  if (lines.size() > 1) {
    std::vector<std::string_view> first = std::move(views);
    views.clear();
    views.reserve(first.size() * lines.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      views.push_back(first[i]);
      for (std::size_t b = 1; b < lines.size(); ++b) views.push_back(lines[b][i]);
    }
  }
  if (how == Lowercase::unicode) {
    for (std::string_view& view : views) {
      if (!is_ascii(view)) view = lower_view(to_str(view), keep);
    }
  }
  return Column::of_texts(std::move(views), options, owner_of(std::move(keep)));
}

Column column_of_ids(Integers values, Integers offsets, nb::list vocabulary) {
  if (offsets.size() == 0) throw nb::value_error("offsets are empty");
  Keep keep;
  const std::span<const std::int64_t> bounds = keep.kept(copy_of(offsets));
  if (bounds.front() < 0 || bounds.back() > static_cast<std::int64_t>(values.size())) {
    throw nb::value_error("offsets reach outside values");
  }
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    if (bounds[i] < bounds[i - 1]) {
      throw nb::value_error(("offsets descend at index " + std::to_string(i)).c_str());
    }
  }
  std::span<const std::int64_t> ids = span_of(values);
  std::vector<Token> words;
  for (const std::string_view text : views_of(vocabulary, "word", keep)) {
    words.push_back(make_token(text.data(), text.size()));
  }
  if (words.empty()) {
    keep.push_back(nb::cast(values));
  } else {
    ids = keep.kept(copy_of(values));
    for (const std::int64_t value : ids) {
      if (value < 0 || value >= static_cast<std::int64_t>(words.size())) {
        throw nb::value_error(("the id " + std::to_string(value) + " is outside the vocabulary").c_str());
      }
    }
  }
  return Column::of_ids(ids, bounds, std::move(words), owner_of(std::move(keep)));
}

// Adds one token, a str or an int, to a block. Plain C calls: there are millions of tokens.
void add_token(PyObject* token, TokenBlock& block, std::size_t position, std::size_t index) {
  if (PyUnicode_Check(token)) {
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(token, &size)) {
      block.add(make_token(data, static_cast<std::size_t>(size)));
      return;
    }
    PyErr_Clear();
    Keep keep;
    const std::string_view text = utf8_view(token, keep);
    block.add(make_token(text.data(), text.size()));
    return;
  }
  const nb::object number = nb::steal(PyNumber_Index(token));
  const long long id = number.is_valid() ? PyLong_AsLongLong(number.ptr()) : -1;
  if (PyErr_Occurred() != nullptr) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();  // Ctrl-C
    PyErr_Clear();
    raise_type_error("token " + std::to_string(position) + " of segment " + std::to_string(index) +
                     " is neither a str nor an int of 64 bits but of type " + name_of_type(token));
  }
  block.add(make_token(std::int64_t{id}));
}

// Each segment a sequence of str or a sequence of int.
Column column_of_tokens(nb::list list) {
  const nb::tuple segments(list);
  std::vector<TokenBlock> blocks((segments.size() + Column::kBlockSegments - 1) / Column::kBlockSegments);
  std::size_t index = 0;
  for (const nb::handle segment : segments) {
    TokenBlock& block = blocks[index / Column::kBlockSegments];
    if (PyList_Check(segment.ptr())) {
      // The size is asked for anew each time: a list can change while a token is converted.
      for (Py_ssize_t k = 0; k < PyList_Size(segment.ptr()); ++k) {
        const nb::object token = nb::borrow(PyList_GetItem(segment.ptr(), k));
        add_token(token.ptr(), block, static_cast<std::size_t>(k), index);
      }
    } else {
      std::size_t position = 0;
      for (nb::handle token : segment) add_token(token.ptr(), block, position++, index);
    }
    block.end_segment();
    if (++index % Column::kBlockSegments == 0) block.seal();
  }
  if (index % Column::kBlockSegments != 0) blocks.back().seal();
  return Column::of_blocks(std::move(blocks));
}

// Of the whole text: marks of sentences are left out.
nb::list tokens_of(const Column& column, std::size_t index) {
  if (index >= column.size()) throw nb::index_error("no such segment");
  RougeText text;
  text.read(column, index, true);
  nb::list tokens;
  for (const Token& token : text.whole) tokens.append(to_object(token));
  return tokens;
}

nb::list sentences_of(const Column& column, std::size_t index) {
  if (index >= column.size()) throw nb::index_error("no such segment");
  RougeText text;
  text.read(column, index, true);
  nb::list sentences;
  std::size_t next = 0;
  for (const std::size_t end : text.ends) {
    nb::list tokens;
    for (; next < end; ++next) tokens.append(to_object(text.flat[next]));
    sentences.append(tokens);
  }
  return sentences;
}

}  // namespace

void bind_columns(nb::module_& module) {
  nb::class_<Column>(module, "Column", "Segments that yield tokens.")
      .def_static("of_texts", &column_of_texts, "texts"_a, "tokenizer"_a, "lowercase"_a, "strip_right"_a,
                  "Texts, cut by a native tokenizer when they are read.")
      .def_static("of_lines", &column_of_lines, "blocks"_a, "tokenizer"_a, "lowercase"_a, "strip_right"_a,
                  "Lines of blocks, in turn, cut by a native tokenizer when they are read.")
      .def_static("of_ids", &column_of_ids, "values"_a, "offsets"_a, "vocabulary"_a = nb::list(),
                  "Integer tokens; segment i is values[offsets[i]:offsets[i + 1]]. With a vocabulary, its words.")
      .def_static("of_tokens", &column_of_tokens, "segments"_a, "Sequences of str or int tokens.")
      .def(
          "prepare",
          [](const Column& column, std::size_t threads) {
            Column result;
            run_parallel(threads, [&](const ParallelOptions& options) { result = column.prepared(options); });
            return result;
          },
          "threads"_a, "The same segments with their tokens already cut.")
      .def("tokens", &tokens_of, "index"_a, nb::sig("def tokens(self, index: int) -> list[str] | list[int]"),
           "Tokens of one segment.")
      .def("__len__", &Column::size)
      .def("with_sentences", &Column::with_sentences, "end"_a, "keep_blank"_a,
           "The same texts, with marks between the tokens of their sentences.")
      .def("sentences", &sentences_of, "index"_a,
           nb::sig("def sentences(self, index: int) -> list[list[str]] | list[list[int]]"),
           "Tokens of the sentences of one segment; a segment without marks is one sentence.")
      .def(
          "part",
          [](const Column& column, std::size_t first, std::size_t last) {
            if (first > last || last > column.size()) throw nb::index_error("no such segments");
            return column.part(first, last);
          },
          "first"_a, "last"_a, "Some of the segments, with their tokens already cut.")
      .def(
          "text",
          [](const Column& column, std::size_t index) {
            if (!column.has_texts() || index >= column.size()) throw nb::index_error("no such text");
            return to_str(column.text(index));
          },
          "index"_a, nb::sig("def text(self, index: int) -> str"), "The text of one segment, before its tokens.")
      .def("keep_texts_of", &Column::keep_texts_of, "other"_a,
           "Keeps the texts behind tokens that were cut from them.");
  module.def(
      "join_sentences",
      [](const Column& sentences, Integers offsets, const Column* whole, const Column* texts,
         bool keep_blank, std::size_t threads) {
        if (offsets.size() == 0) throw nb::value_error("offsets are empty");
        const std::size_t count = whole == nullptr ? offsets.size() - 1 : whole->size();
        const auto bounds = offsets_of(offsets, count, sentences.size());
        Column result;
        run_parallel(threads, [&](const ParallelOptions& parallel) {
          result = Column::of_sentences(sentences, bounds, whole, texts, keep_blank, parallel);
        });
        return result;
      },
      "sentences"_a, "offsets"_a, "whole"_a.none(), "texts"_a.none(), "keep_blank"_a, "threads"_a,
      "Segments with the tokens of their sentences, which were cut on their own, and of the whole text; the texts "
      "of `texts` are kept.");
}

}  // namespace cocarde::bindings
