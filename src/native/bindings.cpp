// The only file that knows Python.
//
// Nothing that Python hands over stands still: while the GIL is free, and while user code runs (an
// `__index__`, a `__del__` that the garbage collector calls), lists and arrays can change. So what is
// trusted after a check is copied before it (offsets, numbers that are looked up), lists are walked as
// tuples or with their size asked for anew, and arrays that stay views hold nothing that is trusted.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bleu.hpp"
#include "chrf.hpp"
#include "column.hpp"
#include "diagnostics.hpp"
#include "gleu.hpp"
#include "lines.hpp"
#include "meteor.hpp"
#include "meteor_nltk.hpp"
#include "paraphrases.hpp"
#include "stemmers.hpp"
#include "rouge.hpp"
#include "rouge155.hpp"
#include "ter.hpp"
#include "tokenizers.hpp"
#include "wordnet.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<double, nb::c_contig, nb::device::cpu>;

template <class T, class... Arguments>
std::span<T> span_of(const nb::ndarray<T, Arguments...>& array) {
  return {array.data(), array.size()};
}

template <class T, class... Arguments>
std::vector<std::remove_const_t<T>> copy_of(const nb::ndarray<T, Arguments...>& array) {
  return {array.data(), array.data() + array.size()};
}

// The offsets of `count` groups of what there are `size` of.
std::vector<std::int64_t> offsets_of(const Integers& given, std::size_t count, std::size_t size) {
  std::vector<std::int64_t> offsets = copy_of(given);
  if (offsets.size() != count + 1 || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(size) ||
      !std::is_sorted(offsets.begin(), offsets.end())) {
    throw nb::value_error("offsets do not fit");
  }
  return offsets;
}

// A sequence of numbers or names.
template <class T>
using Values = nb::typed<nb::sequence, T>;

template <class T>
std::vector<T> values_of(const Values<T>& sequence) {
  std::vector<T> values;
  for (const nb::handle value : nb::tuple(sequence)) {
    if (T cast{}; nb::try_cast(value, cast)) {
      values.push_back(std::move(cast));
    } else {
      throw nb::type_error("a value has the wrong type");
    }
  }
  return values;
}

// What a column's views point into: Python objects, and text that was made for it.
class Keep {
 public:
  void reserve(std::size_t n) { objects_.reserve(n); }
  void push_back(nb::object object) { objects_.push_back(std::move(object)); }
  std::span<const std::int64_t> kept(std::vector<std::int64_t> numbers) {
    return numbers_.emplace_back(std::move(numbers));
  }
  // Writes up to `most` bytes by write(to), which returns where they end.
  template <class Write>
  std::string_view written(std::size_t most, Write&& write) {
    if (most > free_) {
      free_ = std::max(most, kPiece);
      pieces_.push_back(std::make_unique_for_overwrite<char[]>(free_));
      next_ = pieces_.back().get();
    }
    const auto size = static_cast<std::size_t>(write(next_) - next_);
    const std::string_view view(next_, size);
    next_ += size;
    free_ -= size;
    return view;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;

  std::vector<nb::object> objects_;
  std::vector<std::vector<std::int64_t>> numbers_;
  std::vector<std::unique_ptr<char[]>> pieces_;
  char* next_ = nullptr;
  std::size_t free_ = 0;
};

// A native object may be dropped by a thread that does not hold the GIL.
std::shared_ptr<const void> owner_of(Keep keep) {
  return std::shared_ptr<const void>(new Keep(std::move(keep)), [](const void* pointer) {
    const nb::gil_scoped_acquire guard;
    delete static_cast<const Keep*>(pointer);
  });
}

#if !defined(Py_LIMITED_API)
// A string's code points, in units as wide as its widest one needs.
template <class Unit>
std::string_view encoded(nb::handle text, Keep& keep) {
  const std::span<const Unit> units(static_cast<const Unit*>(PyUnicode_DATA(text.ptr())),
                                    static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr())));
  return keep.written(units.size() * cocarde::kMostBytes<Unit>,
                      [units](char* to) { return cocarde::encode_utf8(units, to); });
}
#endif

// UTF-8 of a Python string; lone surrogates come as three bytes each. `keep` gets what the view needs.
std::string_view utf8_view(nb::handle text, Keep& keep) {
#if !defined(Py_LIMITED_API)
#if PY_VERSION_HEX < 0x030C0000
  if (PyUnicode_READY(text.ptr()) < 0) throw nb::python_error();
#endif
  // Where Python shows how it keeps a string, it is not asked to keep its UTF-8 too: that costs several
  // times as much, and stays in memory as long as the string.
  if (!PyUnicode_IS_ASCII(text.ptr())) {
    switch (PyUnicode_KIND(text.ptr())) {
      case PyUnicode_1BYTE_KIND: return encoded<Py_UCS1>(text, keep);
      case PyUnicode_2BYTE_KIND: return encoded<Py_UCS2>(text, keep);
      default: return encoded<Py_UCS4>(text, keep);
    }
  }
#endif
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data != nullptr) {
    keep.push_back(nb::borrow(text));
    return {data, static_cast<std::size_t>(size)};
  }
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
  PyErr_Clear();
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid()) throw nb::python_error();
  const std::string_view view(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
  keep.push_back(std::move(bytes));
  return view;
}

nb::object to_str(std::string_view text) {
  nb::object result =
      nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
  if (!result.is_valid()) throw nb::python_error();
  return result;
}

cocarde::TokenizeFunction tokenizer_named(const std::string& name) {
  const cocarde::TokenizeFunction function = cocarde::find_tokenizer(name);
  if (function == nullptr) throw nb::value_error(("no native tokenizer is called " + name).c_str());
  return function;
}

// How texts are lowercased: A-Z alone, or as Python's str.lower() does.
enum class Lowercase { no, ascii, unicode };

Lowercase lowercase_named(const std::string& name) {
  if (name == "no") return Lowercase::no;
  if (name == "ascii") return Lowercase::ascii;
  if (name == "unicode") return Lowercase::unicode;
  throw nb::value_error(("lowercase is no, ascii or unicode, not " + name).c_str());
}

const cocarde::StemmerEntry& stemmer_named(const std::string& name) {
  const cocarde::StemmerEntry* entry = cocarde::find_stemmer(name);
  if (entry == nullptr) throw nb::value_error(("no native stemmer is called " + name).c_str());
  return *entry;
}

// The stem of a word in lower case.
nb::object stem_word(const std::string& name, nb::str word) {
  const cocarde::StemmerEntry& stemmer = stemmer_named(name);
  Keep keep;
  const std::string_view view = utf8_view(word, keep);
  if (cocarde::is_ascii(view)) {
    std::string letters(view);
    return to_str(stemmer.stem(letters.data(), letters.size()));
  }
  std::u32string letters;
  for (std::size_t i = 0; i < view.size();) {
    const cocarde::CodePoint point = cocarde::decode(view, i);
    letters.push_back(point.value);
    i += point.size;
  }
  letters.resize(stemmer.stem_code_points(letters.data(), letters.size()));
  std::string stem;
  for (const char32_t letter : letters) cocarde::append_utf8(stem, letter);
  return to_str(stem);
}

[[noreturn]] void raise_type_error(const std::string& message) { throw nb::type_error(message.c_str()); }

std::string name_of_type(nb::handle object) {
  return nb::cast<std::string>(nb::str(object.type().attr("__name__")));
}

// str.lower() where A-Z is not all there is to it; a subclass may mean something else by it.
std::string_view lower_view(nb::handle text, Keep& keep) {
  const nb::object lowered = nb::handle(reinterpret_cast<PyObject*>(&PyUnicode_Type)).attr("lower")(text);
  return utf8_view(lowered, keep);
}

std::vector<std::string_view> views_of(nb::list texts, const char* what, Keep& keep) {
  std::vector<std::string_view> views;
  views.reserve(texts.size());
  for (const nb::handle text : nb::tuple(texts)) {
    if (!PyUnicode_Check(text.ptr())) {
      raise_type_error(std::string(what) + " " + std::to_string(views.size()) + " is of type " + name_of_type(text) +
                       ", not str");
    }
    views.push_back(utf8_view(text, keep));
  }
  return views;
}

// Calls body(item, index) for each item of a list. The strings of a long list are seldom in the cache:
// those that come soon are fetched while the body works.
template <class Body>
void each_item(nb::list items, Body&& body) {
  constexpr Py_ssize_t kAhead = 16;
  // The size is asked for anew each time: a list can change while an item is converted.
  for (Py_ssize_t i = 0; i < PyList_Size(items.ptr()); ++i) {
#if defined(__GNUC__)
    if (i + kAhead < PyList_Size(items.ptr())) __builtin_prefetch(PyList_GetItem(items.ptr(), i + kAhead), 1);
#endif
    body(nb::borrow(PyList_GetItem(items.ptr(), i)), static_cast<std::size_t>(i));
  }
}

// Whether every item is a string.
bool all_texts(nb::list items) {
  bool all = true;
  each_item(items, [&](const nb::object& item, std::size_t) { all = all && PyUnicode_Check(item.ptr()); });
  return all;
}

cocarde::Column column_of_texts(nb::list texts, const std::string& tokenizer,
                                const std::string& lowercase, bool strip_right) {
  const Lowercase how = lowercase_named(lowercase);
  const cocarde::TextOptions options{tokenizer_named(tokenizer), how != Lowercase::no, strip_right};
  std::vector<std::string_view> views;
  Keep keep;
  views.reserve(texts.size());
  keep.reserve(texts.size());
  each_item(texts, [&](const nb::object& text, std::size_t index) {
    if (!PyUnicode_Check(text.ptr())) {
      raise_type_error("segment " + std::to_string(index) + " is of type " + name_of_type(text) + ", not str");
    }
    views.push_back(utf8_view(text, keep));
    if (how == Lowercase::unicode && !cocarde::is_ascii(views.back())) views.back() = lower_view(text, keep);
  });
  return cocarde::Column::of_texts(std::move(views), options, owner_of(std::move(keep)));
}

// A block of text that is known to be well-formed UTF-8, which a loop over it takes for granted.
struct Lines {
  nb::bytes block;

  std::string_view text() const { return {block.c_str(), block.size()}; }
};

// Lines of blocks, without their "\n" or "\r\n": the first line of each block, then the second of each,
// and so on.
cocarde::Column column_of_lines(nb::list blocks, const std::string& tokenizer, const std::string& lowercase,
                                bool strip_right) {
  const Lowercase how = lowercase_named(lowercase);
  const cocarde::TextOptions options{tokenizer_named(tokenizer), how != Lowercase::no, strip_right};
  Keep keep;
  std::vector<std::vector<std::string_view>> lines;
  for (const nb::handle item : nb::tuple(blocks)) {
    if (!nb::isinstance<Lines>(item)) raise_type_error("a block is of type " + name_of_type(item) + ", not Lines");
    const Lines& block = nb::cast<const Lines&>(item);
    lines.push_back(cocarde::split_lines(block.text()));
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
      if (!cocarde::is_ascii(view)) view = lower_view(to_str(view), keep);
    }
  }
  return cocarde::Column::of_texts(std::move(views), options, owner_of(std::move(keep)));
}

cocarde::Column column_of_ids(Integers values, Integers offsets, nb::list vocabulary) {
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
  std::vector<cocarde::Token> words;
  for (const std::string_view text : views_of(vocabulary, "word", keep)) {
    words.push_back(cocarde::make_token(text.data(), text.size()));
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
  return cocarde::Column::of_ids(ids, bounds, std::move(words), owner_of(std::move(keep)));
}

// Adds one token, a str or an int, to a block. Plain C calls: there are millions of tokens.
void add_token(PyObject* token, cocarde::TokenBlock& block, std::size_t position, std::size_t index) {
  if (PyUnicode_Check(token)) {
    Py_ssize_t size = 0;
    if (const char* data = PyUnicode_AsUTF8AndSize(token, &size)) {
      block.add(cocarde::make_token(data, static_cast<std::size_t>(size)));
      return;
    }
    PyErr_Clear();
    Keep keep;
    const std::string_view text = utf8_view(token, keep);
    block.add(cocarde::make_token(text.data(), text.size()));
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
  block.add(cocarde::make_token(std::int64_t{id}));
}

// Each segment a sequence of str or a sequence of int.
cocarde::Column column_of_tokens(nb::list list) {
  using cocarde::Column;
  const nb::tuple segments(list);
  std::vector<cocarde::TokenBlock> blocks((segments.size() + Column::kBlockSegments - 1) / Column::kBlockSegments);
  std::size_t index = 0;
  for (const nb::handle segment : segments) {
    cocarde::TokenBlock& block = blocks[index / Column::kBlockSegments];
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

nb::object to_object(const cocarde::Token& token) {
  if (token.is_integer()) return nb::int_(static_cast<std::int64_t>(token.prefix));
  return to_str(token.text());
}

// Of the whole text: marks of sentences are left out.
nb::list tokens_of(const cocarde::Column& column, std::size_t index) {
  if (index >= column.size()) throw nb::index_error("no such segment");
  cocarde::RougeText text;
  text.read(column, index, true);
  nb::list tokens;
  for (const cocarde::Token& token : text.whole) tokens.append(to_object(token));
  return tokens;
}

nb::list sentences_of(const cocarde::Column& column, std::size_t index) {
  if (index >= column.size()) throw nb::index_error("no such segment");
  cocarde::RougeText text;
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

// Runs native work without the GIL; a pending Ctrl-C comes out as KeyboardInterrupt.
template <class Work>
void run_parallel(std::size_t threads, Work&& work) {
  cocarde::ParallelOptions options;
  options.threads = threads;
  options.interrupted = [] {
    const nb::gil_scoped_acquire guard;
    return PyErr_CheckSignals() != 0;
  };
  try {
    const nb::gil_scoped_release guard;
    work(options);
  } catch (const cocarde::Interrupted&) {
    throw nb::python_error();
  }
}

// The same for work that one thread does: calls work(stop).
template <class Work>
void run_alone(Work&& work) {
  run_parallel(1, [&work](const cocarde::ParallelOptions& options) {
    std::atomic<bool> requested{false};
    work(cocarde::StopFlag(requested, options.interrupted));
  });
}

cocarde::BleuOptions bleu_options(std::size_t order, const std::string& reference_length, bool clip,
                                  std::size_t minimum_total) {
  using cocarde::ReferenceLength;
  cocarde::BleuOptions options;
  options.order = order;
  options.clip = clip;
  options.minimum_total = minimum_total;
  if (reference_length == "closest") {
    options.reference_length = ReferenceLength::closest;
  } else if (reference_length == "closest-first") {
    options.reference_length = ReferenceLength::closest_first;
  } else if (reference_length == "shortest") {
    options.reference_length = ReferenceLength::shortest;
  } else if (reference_length == "longest") {
    options.reference_length = ReferenceLength::longest;
  } else if (reference_length == "average") {
    options.reference_length = ReferenceLength::average;
  } else {
    throw nb::value_error(("unknown reference length " + reference_length).c_str());
  }
  return options;
}

// A type is its order for n-grams, 0 for rougeL and -1 for rougeLsum.
cocarde::RougeOptions rouge_options(const Values<std::int64_t>& types, const std::string& references,
                                    const std::string& subsequence, bool distinct, double beta, double epsilon,
                                    bool marked) {
  using namespace cocarde;
  RougeOptions options;
  for (const std::int64_t type : values_of(types)) {
    if (type < -1) throw nb::value_error("no such type");
    if (type == -1) {
      options.types.push_back({RougeType::Kind::summary, 0});
    } else if (type == 0) {
      options.types.push_back({RougeType::Kind::subsequence, 0});
    } else {
      options.types.push_back({RougeType::Kind::ngrams, static_cast<std::size_t>(type)});
    }
  }
  if (references == "best") {
    options.references = RougeReferences::best;
  } else if (references == "maxima") {
    options.references = RougeReferences::maxima;
  } else if (references == "mean") {
    options.references = RougeReferences::mean;
  } else {
    throw nb::value_error(("references is best, maxima or mean, not " + references).c_str());
  }
  if (subsequence == "whole") {
    options.subsequence = RougeSubsequence::whole;
  } else if (subsequence == "union") {
    options.subsequence = RougeSubsequence::union_words;
  } else if (subsequence == "summed") {
    options.subsequence = RougeSubsequence::summed;
  } else {
    throw nb::value_error(("subsequence is whole, union or summed, not " + subsequence).c_str());
  }
  options.distinct = distinct;
  options.beta_squared = beta * beta;
  options.epsilon = epsilon;
  options.marked = marked || options.sentences();
  return options;
}

// Divides, since a product of sizes that make no sense could be any number.
void check_size(const Row& out, std::size_t rows, std::size_t width) {
  if (rows == 0 || width == 0 ? out.size() != 0 : out.size() % rows != 0 || out.size() / rows != width) {
    throw nb::value_error("out has the wrong size");
  }
}

// Options and word lists of ROUGE-1.5.5, made once for many calls.
struct Rouge155 {
  cocarde::rouge155::Options options;
  cocarde::rouge155::Lexicon lexicon;
};

// A table and what keeps its bytes.
struct HeldWordNet {
  using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  explicit HeldWordNet(Bytes table) : bytes(std::move(table)), view(span_of(bytes)) {}

  Bytes bytes;
  cocarde::WordNet view;
};

// Calls a query of the table without the GIL.
template <class Found>
std::vector<Found> found_in(const HeldWordNet& self, nb::str word,
                            void (cocarde::WordNet::*query)(std::string_view, std::vector<Found>&) const) {
  Keep keep;
  const std::string_view view = utf8_view(word, keep);
  std::vector<Found> found;
  const nb::gil_scoped_release unlocked;
  (self.view.*query)(view, found);
  return found;
}

void bind_wordnet(nb::module_& module) {
  nb::class_<HeldWordNet>(module, "WordNet", "WordNet 3.0 in a table in memory.")
      .def(nb::init<HeldWordNet::Bytes>(), "table"_a,
           "Raises ValueError, which says what is wrong, unless the bytes are a whole table.")
      .def(
          "meteor_synsets",
          [](const HeldWordNet& self, nb::str word) {
            return found_in(self, word, &cocarde::WordNet::meteor_synsets);
          },
          "word"_a, "The sorted numbers of the synsets that METEOR 1.5 finds for a word.")
      .def(
          "nltk_related",
          [](const HeldWordNet& self, nb::str word) {
            const auto found = found_in(self, word, &cocarde::WordNet::nltk_related);
            return std::vector<std::string>(found.begin(), found.end());
          },
          "word"_a, "The distinct names of a single word in all synsets that NLTK finds for a word.")
      .def(
          "nltk_relations",
          [](const HeldWordNet& self, nb::list words) {
            Keep keep;
            const std::vector<std::string_view> views = views_of(words, "word", keep);
            std::vector<std::int64_t> offsets{0};
            std::vector<std::uint32_t> related;
            {
              const nb::gil_scoped_release unlocked;
              std::unordered_map<std::string_view, std::uint32_t> numbers;
              for (const std::string_view view : views) {
                numbers.emplace(view, static_cast<std::uint32_t>(numbers.size()));
              }
              std::vector<std::string_view> found;
              for (const std::string_view view : views) {
                self.view.nltk_related(view, found);
                for (const std::string_view name : found) {
                  const auto place = numbers.find(name);
                  if (place != numbers.end() && name != view) related.push_back(place->second);
                }
                offsets.push_back(static_cast<std::int64_t>(related.size()));
              }
            }
            return std::pair(std::move(offsets), std::move(related));
          },
          "words"_a, "Which of these distinct words each is related to: offsets, and numbers of words.");
}

// Threads that share a builder take turns.
struct ParaphraseBuilder {
  cocarde::ParaphraseBuilder builder;
  std::mutex mutex;

  template <class Use>
  auto use(Use&& use) {
    const nb::gil_scoped_release guard;
    const std::lock_guard lock(mutex);
    return use(builder);
  }
};

// A paraphrase table, the memory it lies in kept.
struct LoadedParaphrases {
  Bytes image;
  cocarde::Paraphrases table;
};

void bind_paraphrases(nb::module_& module) {
  module.attr("PARAPHRASE_FORMAT") = cocarde::paraphrases::kVersion;
  nb::exception<cocarde::BadParaphraseImage>(module, "BadParaphraseImage", PyExc_ValueError);
  nb::exception<cocarde::BadParaphraseText>(module, "BadParaphraseText", PyExc_ValueError);

  nb::class_<ParaphraseBuilder>(module, "ParaphraseBuilder", "Compiles the text of METEOR's paraphrase table.")
      .def(nb::init<>())
      .def(
          "add",
          [](ParaphraseBuilder& self, nb::bytes piece) {
            const std::string_view view(piece.c_str(), piece.size());
            self.use([view](cocarde::ParaphraseBuilder& builder) { builder.add(view); });
          },
          "piece"_a, "The next bytes of the text.")
      .def(
          "finish",
          [](ParaphraseBuilder& self, const std::string& source) {
            const std::string image =
                self.use([&source](cocarde::ParaphraseBuilder& builder) { return builder.finish(source); });
            return nb::bytes(image.data(), image.size());
          },
          "source"_a, "The compiled table, marked as made from `source` (64 bytes at most).")
      .def_prop_ro(
          "lines",
          [](ParaphraseBuilder& self) {
            return self.use([](const cocarde::ParaphraseBuilder& builder) { return builder.lines(); });
          },
          "The number of the last line read, from 1.")
      .def_prop_ro("entries", [](ParaphraseBuilder& self) {
        return self.use([](const cocarde::ParaphraseBuilder& builder) { return builder.entries(); });
      });

  nb::class_<LoadedParaphrases>(module, "Paraphrases", "A compiled paraphrase table where it lies in memory.")
      .def(
          "__init__",
          [](LoadedParaphrases* self, Bytes image) {
            const std::string_view view(reinterpret_cast<const char*>(image.data()), image.size());
            const auto table = [view] {
              const nb::gil_scoped_release guard;
              return cocarde::Paraphrases(view);
            }();
            new (self) LoadedParaphrases{std::move(image), table};
          },
          "image"_a, "Raises BadParaphraseImage unless every byte is what the builder wrote.")
      .def(
          "verify",
          [](const LoadedParaphrases& self) {
            const nb::gil_scoped_release guard;
            self.table.verify();
          },
          "Compares the table with its checksum again.")
      .def(
          "word",
          [](const LoadedParaphrases& self, nb::str text) -> std::optional<std::uint32_t> {
            Keep keep;
            const std::uint32_t word = self.table.word(utf8_view(text, keep));
            if (word == cocarde::Paraphrases::kUnknown) return std::nullopt;
            return word;
          },
          "text"_a, "The number of a word; None for one that is in no phrase.")
      .def(
          "match",
          [](const LoadedParaphrases& self, nb::list hypothesis, nb::list reference) {
            Keep keep;
            const auto hypothesis_views = views_of(hypothesis, "hypothesis word", keep);
            const auto reference_views = views_of(reference, "reference word", keep);
            std::vector<cocarde::ParaphraseMatch> matches;
            run_alone([&](const cocarde::StopFlag& stop) {
              const auto numbers = [&self](const std::vector<std::string_view>& words) {
                std::vector<std::uint32_t> result;
                for (const std::string_view word : words) result.push_back(self.table.word(word));
                return result;
              };
              cocarde::Paraphrases::Scratch scratch;
              self.table.match(numbers(hypothesis_views), numbers(reference_views), scratch, stop,
                               [&matches](const cocarde::ParaphraseMatch& match) { matches.push_back(match); });
            });
            nb::list result;
            for (const cocarde::ParaphraseMatch& match : matches) {
              result.append(nb::make_tuple(match.reference_start, match.reference_length, match.hypothesis_start,
                                           match.hypothesis_length));
            }
            return result;
          },
          "hypothesis"_a, "reference"_a,
          nb::sig("def match(self, hypothesis: list[str], reference: list[str]) -> list[tuple[int, int, int, int]]"),
          "(reference start, length, hypothesis start, length) of each match, in METEOR's order.")
      .def_prop_ro("source", [](const LoadedParaphrases& self) { return std::string(self.table.source()); },
                   "What the table was made from, as the builder was told.")
      .def_prop_ro("words", [](const LoadedParaphrases& self) { return self.table.words(); })
      .def_prop_ro("entries", [](const LoadedParaphrases& self) { return self.table.entries(); })
      .def_prop_ro("reference_phrases", [](const LoadedParaphrases& self) { return self.table.reference_phrases(); });
}

// What METEOR knows of the words of a pair of columns, and what it borrows from Python objects.
struct MeteorLexicon {
  cocarde::meteor::Lexicon lexicon;
  const cocarde::Paraphrases* paraphrases = nullptr;
  nb::object table;
  std::shared_ptr<const void> words;  // which it was made of
};

cocarde::meteor::Options options_for(const cocarde::meteor::Options& options, const MeteorLexicon& lexicon,
                                     const cocarde::DistinctWords& words) {
  if (lexicon.words != words.identity()) throw nb::value_error("the lexicon is of other words");
  cocarde::meteor::Options result = options;
  result.paraphrases = lexicon.paraphrases;
  for (const cocarde::meteor::Stage stage : options.stages) {
    if (stage == cocarde::meteor::Stage::paraphrase && lexicon.paraphrases == nullptr) {
      throw nb::value_error("there is no paraphrase table");
    }
  }
  return result;
}

MeteorLexicon lexicon_of(const cocarde::DistinctWords& words, nb::object stems, nb::object functions,
                         const HeldWordNet* wordnet, nb::object paraphrases, std::size_t threads) {
  MeteorLexicon result;
  if (!paraphrases.is_none()) {
    result.paraphrases = &nb::cast<const LoadedParaphrases&>(paraphrases).table;
    result.table = paraphrases;
  }
  const std::size_t count = words.words().size();
  result.words = words.identity();
  Keep keep;
  const auto stem_views = views_of(stems.is_none() ? nb::list() : nb::cast<nb::list>(stems), "stem", keep);
  if (!stems.is_none() && stem_views.size() != count) throw nb::value_error("there is not one stem a word");
  const nb::bytes flags = functions.is_none() ? nb::bytes("", 0) : nb::cast<nb::bytes>(functions);
  if (!functions.is_none() && flags.size() != count) throw nb::value_error("there is not one flag a word");
  result.lexicon.words.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    cocarde::meteor::Word& word = result.lexicon.words[i];
    if (!stems.is_none()) word.stem_key = cocarde::meteor::java_hash(stem_views[i]).value;
    word.function = !functions.is_none() && flags.c_str()[i] != 0;
  }
  run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
    result.lexicon.look_up(words.words(), wordnet == nullptr ? nullptr : &wordnet->view, result.paraphrases, parallel);
  });
  return result;
}

void bind_meteor(nb::module_& module) {
  using namespace cocarde;
  nb::class_<DistinctWords>(module, "DistinctWords", "The distinct words of two columns.")
      .def(
          "__init__",
          [](DistinctWords* self, const Column& hypotheses, const Column& references, std::size_t threads) {
            run_parallel(threads, [&](const ParallelOptions& parallel) {
              new (self) DistinctWords(hypotheses, references, parallel);
            });
          },
          "hypotheses"_a, "references"_a, "threads"_a)
      .def(
          "words",
          [](const DistinctWords& self) {
            nb::list words;
            for (const Token& token : self.words()) words.append(to_object(token));
            return words;
          },
          nb::sig("def words(self) -> list[str]"), "The words, each once; ids as int.")
      .def(
          "has_ids",
          [](const DistinctWords& self) {
            return std::any_of(self.words().begin(), self.words().end(),
                               [](const Token& token) { return token.is_integer(); });
          },
          "Whether there are ids among them.");
  nb::class_<meteor::Options>(module, "MeteorOptions", "Options of METEOR.")
      .def(
          "__init__",
          [](meteor::Options* self, const Values<std::int64_t>& stages, const Values<double>& weights,
             double alpha, double beta, double gamma, double delta, std::size_t beam, bool characters) {
            if (beam == 0) throw nb::value_error("the beam is 0");
            meteor::Options options;
            for (const std::int64_t stage : values_of(stages)) {
              if (stage < 0 || stage > 3) throw nb::value_error("no such stage");
              options.stages.push_back(static_cast<meteor::Stage>(stage));
            }
            options.weights = values_of(weights);
            if (options.stages.size() != options.weights.size()) {
              throw nb::value_error("there is not one weight a stage");
            }
            options.alpha = alpha;
            options.beta = beta;
            options.gamma = gamma;
            options.delta = delta;
            options.beam = beam;
            options.characters = characters;
            new (self) meteor::Options(std::move(options));
          },
          "stages"_a, "weights"_a, "alpha"_a, "beta"_a, "gamma"_a, "delta"_a, "beam"_a, "characters"_a,
          "Stages: 0 exact, 1 stem, 2 synonym, 3 paraphrase.");
  nb::class_<MeteorLexicon>(module, "MeteorLexicon", "What METEOR knows of each distinct word.")
      .def(
          "__init__",
          [](MeteorLexicon* self, const DistinctWords& words, nb::object stems, nb::object functions,
             const HeldWordNet* wordnet, nb::object paraphrases, std::size_t threads) {
            new (self) MeteorLexicon(lexicon_of(words, stems, functions, wordnet, paraphrases, threads));
          },
          "words"_a, "stems"_a.none(), "functions"_a.none(), "wordnet"_a.none(), "paraphrases"_a.none(), "threads"_a,
          nb::sig("def __init__(self, words: DistinctWords, stems: list[str] | None, functions: bytes | None, "
                  "wordnet: WordNet | None, paraphrases: Paraphrases | None, threads: int) -> None"));
  module.def(
      "meteor_statistics",
      [](const DistinctWords& words, Integers offsets, const MeteorLexicon& lexicon, const meteor::Options& options,
         Row out, std::size_t threads) {
        const meteor::Options full = options_for(options, lexicon, words);
        const auto bounds = offsets_of(offsets, words.hypotheses().size(), words.references().size());
        check_size(out, words.hypotheses().size(), full.width());
        run_parallel(threads, [&](ParallelOptions parallel) {
          parallel.cost = words.cost();
          meteor::statistics(words, bounds, lexicon.lexicon, full, span_of(out), parallel);
        });
      },
      "words"_a, "reference_offsets"_a, "lexicon"_a, "options"_a, "out"_a, "threads"_a,
      "Rows of lengths, matches by stage, chunks and matched words, one a hypothesis, written into out.");
  module.def(
      "meteor_pairwise",
      [](const DistinctWords& words, std::size_t first, std::size_t last, const MeteorLexicon& lexicon,
         const meteor::Options& options, Row out, std::size_t threads) {
        const meteor::Options full = options_for(options, lexicon, words);
        if (first > last || last > words.hypotheses().size()) throw nb::value_error("no such hypotheses");
        check_size(out, (last - first) * words.references().size(), full.width());
        run_parallel(threads, [&](ParallelOptions parallel) {
          parallel.cost = (last - first) * words.cost();
          meteor::pairwise(words, first, last, lexicon.lexicon, full, span_of(out), parallel);
        });
      },
      "words"_a, "first"_a, "last"_a, "lexicon"_a, "options"_a, "out"_a, "threads"_a,
      "Rows for every hypothesis in [first, last) against every single reference.");
  module.def(
      "meteor_alignment",
      [](const DistinctWords& words, std::size_t hypothesis, std::size_t reference, const MeteorLexicon& lexicon,
         const meteor::Options& options) {
        const meteor::Options full = options_for(options, lexicon, words);
        if (hypothesis >= words.hypotheses().size() || reference >= words.references().size()) {
          throw nb::index_error("no such segment");
        }
        meteor::Scorer scorer(lexicon.lexicon, full);
        std::span<const meteor::PlacedMatch> alignment;
        run_alone([&](const StopFlag& stop) {
          alignment =
              scorer.align(words.hypotheses().segment(hypothesis), words.references().segment(reference), stop);
        });
        nb::list matches;
        for (const meteor::PlacedMatch& placed : alignment) {
          matches.append(nb::make_tuple(placed.start, placed.match.length, placed.match.hypothesis_start,
                                        placed.match.hypothesis_length, placed.match.stage));
        }
        return matches;
      },
      "words"_a, "hypothesis"_a, "reference"_a, "lexicon"_a, "options"_a,
      nb::sig("def meteor_alignment(words: DistinctWords, hypothesis: int, reference: int, lexicon: MeteorLexicon, "
              "options: MeteorOptions) -> list[tuple[int, int, int, int, int]]"),
      "Matches by place: start and length in the reference, start and length in the hypothesis, stage.");
}

// METEOR as NLTK matches words, with what it knows of each distinct word.
struct MeteorNltk {
  using Numbers = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  MeteorNltk(const Numbers& given_forms, const Numbers& given_stems, const Integers& given_offsets,
             const Numbers& given_related, cocarde::meteor_nltk::Options given_options)
      : forms(copy_of(given_forms)),
        stems(copy_of(given_stems)),
        related(copy_of(given_related)),
        options(given_options) {
    if (forms.size() != stems.size()) throw nb::value_error("forms and stems differ in number");
    if (given_offsets.size() == 0) throw nb::value_error("offsets do not fit");
    const std::size_t stem_count = given_offsets.size() - 1;
    related_offsets = offsets_of(given_offsets, stem_count, related.size());
    check_numbers(forms, forms.size());
    check_numbers(stems, stem_count);
    check_numbers(related, stem_count);
  }

  std::vector<std::uint32_t> forms, stems, related;
  std::vector<std::int64_t> related_offsets;
  cocarde::meteor_nltk::Options options;

  cocarde::meteor_nltk::Lexicon lexicon() const { return {forms, stems, related_offsets, related}; }

  void check(const cocarde::DistinctWords& words) const {
    if (words.words().size() != forms.size()) throw nb::value_error("there is not one form a word");
  }

 private:
  static void check_numbers(std::span<const std::uint32_t> numbers, std::size_t end) {
    for (const std::uint32_t number : numbers) {
      if (number >= end) throw nb::value_error("a number is out of range");
    }
  }
};

void bind_meteor_nltk(nb::module_& module) {
  using Numbers = MeteorNltk::Numbers;
  module.attr("METEOR_NLTK_FIELDS") = cocarde::meteor_nltk::Row::kWidth;
  nb::class_<MeteorNltk>(module, "MeteorNltk", "METEOR as NLTK matches words, given as numbers of distinct words.")
      .def(
          "__init__",
          [](MeteorNltk* self, Numbers forms, Numbers stems, Integers related_offsets, Numbers related, double alpha,
             double beta, double gamma) {
            new (self) MeteorNltk(forms, stems, related_offsets, related, {alpha, beta, gamma});
          },
          "forms"_a, "stems"_a, "related_offsets"_a, "related"_a, "alpha"_a, "beta"_a, "gamma"_a,
          "The forms and the stems of words, by number; the stems that are related to each stem.")
      .def(
          "statistics",
          [](const MeteorNltk& self, const cocarde::DistinctWords& words, Integers reference_offsets, Row out,
             std::size_t threads) {
            self.check(words);
            const auto bounds = offsets_of(reference_offsets, words.hypotheses().size(), words.references().size());
            check_size(out, words.hypotheses().size(), cocarde::meteor_nltk::Row::kWidth);
            run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
              cocarde::meteor_nltk::statistics(words.hypotheses(), words.references(), bounds,
                                               self.lexicon(), self.options, span_of(out), parallel);
            });
          },
          "words"_a, "reference_offsets"_a, "out"_a, "threads"_a, "Rows of the best reference of each hypothesis.")
      .def(
          "pairwise",
          [](const MeteorNltk& self, const cocarde::DistinctWords& words, Row out, std::size_t threads) {
            self.check(words);
            check_size(out, words.hypotheses().size() * words.references().size(), cocarde::meteor_nltk::Row::kWidth);
            run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
              cocarde::meteor_nltk::pairwise(words.hypotheses(), words.references(), self.lexicon(), self.options,
                                             span_of(out), parallel);
            });
          },
          "words"_a, "out"_a, "threads"_a,
          "Rows of every hypothesis against every single reference.");
}

// By the names that Python has for them.
constexpr std::array<const char*, cocarde::kFindings> kFindingNames = {
    "no_hypothesis",      "no_reference",       "erased",    "dropped",
    "undivided_han",      "undivided_kana",     "undivided_unspaced", "unmarked_sentences",
    "written_line_feeds", "tokenized",          "texts_as_hypotheses", "texts_as_references",
};

void bind_diagnostics(nb::module_& module) {
  using namespace cocarde;
  nb::class_<DiagnosticOptions>(module, "DiagnosticOptions", "What is looked for in segments.")
      .def(
          "__init__",
          [](DiagnosticOptions* self, const std::vector<std::size_t>& fields, bool all_zero, bool latin_only,
             bool at_blanks, const std::vector<std::string>& undivided, bool sentences, bool tokenized) {
            DiagnosticOptions options{fields, all_zero, latin_only, at_blanks, 0, sentences, tokenized};
            for (const std::string& script : undivided) {
              if (script == "han") {
                options.undivided |= kHan;
              } else if (script == "rare-han") {
                options.undivided |= kRareHan;
              } else if (script == "kana") {
                options.undivided |= kKana;
              } else if (script == "unspaced") {
                options.undivided |= kUnspaced;
              } else {
                throw nb::value_error(("no script is called " + script).c_str());
              }
            }
            new (self) DiagnosticOptions(std::move(options));
          },
          "fields"_a, "all_zero"_a, "latin_only"_a, "at_blanks"_a, "undivided"_a, "sentences"_a, "tokenized"_a,
          "Fields: those of a row that are 0 where a side has no token (any of them) or nothing matches (all).");
  module.def(
      "diagnose",
      [](const Column& hypotheses, const Column& references, Integers offsets, Row rows,
         const DiagnosticOptions& options, std::size_t threads) -> nb::object {
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        if (hypotheses.size() == 0) return nb::none();
        const std::size_t width = rows.size() / hypotheses.size();
        check_size(rows, hypotheses.size(), width);
        for (const std::size_t field : options.fields) {
          if (field >= width) throw nb::value_error("no such field");
        }
        Findings findings;
        if (hypotheses.size() == 1) {  // sooner done than threads are seen to
          findings = diagnose(hypotheses, {references, bounds}, span_of(rows), options, {});
        } else {
          run_parallel(threads, [&](const ParallelOptions& parallel) {
            findings = diagnose(hypotheses, {references, bounds}, span_of(rows), options, parallel);
          });
        }
        if (!findings.any()) return nb::none();
        nb::dict counts;
        for (std::size_t k = 0; k < kFindings; ++k) {
          if (findings.counts[k] != 0) counts[kFindingNames[k]] = findings.counts[k];
        }
        nb::list forms;
        for (const std::size_t segment : findings.forms) forms.append(segment);
        return nb::make_tuple(counts, forms);
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "rows"_a, "options"_a, "threads"_a,
      nb::sig("def diagnose(hypotheses: Column, references: Column, "
              "reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], "
              "rows: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu')], options: DiagnosticOptions, "
              "threads: int) -> tuple[dict[str, int], list[int]] | None"),
      "How many segments each finding is of, and those (of a sample, if there are many) whose texts differ in forms "
      "of characters; None if none.");
  module.def(
      "find_forms",
      [](const Column& hypotheses, const Column& references, Integers offsets, std::size_t threads) {
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        std::vector<std::size_t> found;
        run_parallel(threads, [&](const ParallelOptions& parallel) {
          found = find_forms(hypotheses, {references, bounds}, parallel);
        });
        return found;
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "threads"_a,
      "The segments whose texts differ in forms of characters.");
  module.def(
      "find_words_beside_ids",
      [](const Column& hypotheses, const Column& references, std::optional<Integers> offsets) {
        if (!offsets) return find_words_beside_ids(hypotheses, references, std::nullopt);
        const auto bounds = offsets_of(*offsets, hypotheses.size(), references.size());
        return find_words_beside_ids(hypotheses, references, std::span<const std::int64_t>(bounds));
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a = nb::none(),
      "The first hypothesis and reference of which one is words and the other ids.");
}

void bind_ter(nb::module_& module) {
  nb::class_<cocarde::TerRules>(module, "TerRules", "Whose search for edits and shifts it is.")
      .def(
          "__init__",
          [](cocarde::TerRules* self, bool tercom, bool from_reference, std::size_t longest_shift) {
            if (longest_shift < 1 || longest_shift > cocarde::kLongestShift) throw nb::value_error("no such shift");
            new (self) cocarde::TerRules{tercom, from_reference, longest_shift};
          },
          "tercom"_a, "from_reference"_a, "longest_shift"_a);
  module.def(
      "ter_statistics",
      [](const cocarde::Column& hypotheses, const cocarde::Column& references, Integers offsets,
         const cocarde::TerRules& rules, Row out, std::size_t threads) {
        check_size(out, hypotheses.size(), cocarde::TerMatcher::kFields);
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        if (std::adjacent_find(bounds.begin(), bounds.end()) != bounds.end()) {
          throw nb::value_error("a hypothesis has no reference");
        }
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::ter_statistics(hypotheses, {references, bounds}, rules, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "rules"_a, "out"_a, "threads"_a,
      "Rows of edits, the mean length of references, insertions, deletions, substitutions, shifts and the length of "
      "the hypothesis.");
  module.def(
      "ter_pairwise",
      [](const cocarde::Column& hypotheses, std::size_t first, std::size_t last, const cocarde::Column& references,
         const cocarde::TerRules& rules, Row out, std::size_t threads) {
        if (first > last || last > hypotheses.size()) throw nb::value_error("no such hypotheses");
        check_size(out, (last - first) * references.size(), cocarde::TerMatcher::kFields);
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::ter_pairwise(hypotheses, first, last, references, rules, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "first"_a, "last"_a, "references"_a, "rules"_a, "out"_a, "threads"_a,
      "Rows for every hypothesis in [first, last) against every single reference.");
  module.def(
      "ter_path",
      [](const cocarde::Column& hypotheses, std::size_t hypothesis, const cocarde::Column& references,
         std::size_t reference, const cocarde::TerRules& rules) {
        if (hypothesis >= hypotheses.size() || reference >= references.size()) throw nb::index_error("no such segment");
        cocarde::TerPath path;
        run_parallel(1, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::ter_path(hypotheses, hypothesis, references, reference, rules, path, parallel);
        });
        nb::list shifts;
        for (const cocarde::Shift& shift : path.shifts) {
          shifts.append(nb::make_tuple(shift.start, shift.length, shift.target));
        }
        std::string edits;
        for (const cocarde::Edit edit : path.edits) edits.push_back(static_cast<char>(edit));
        return nb::make_tuple(shifts, edits);
      },
      "hypotheses"_a, "hypothesis"_a, "references"_a, "reference"_a, "rules"_a,
      nb::sig("def ter_path(hypotheses: Column, hypothesis: int, references: Column, reference: int, "
              "rules: TerRules) -> tuple[list[tuple[int, int, int]], str]"),
      "Shifts (start, length, target), then for each word ' ' (kept), s(ubstituted), d(eleted) or i(nserted).");
}

}  // namespace

cocarde::ChrfOptions chrf_options(std::size_t least_characters, std::size_t characters, std::size_t words,
                                  const std::string& spaces, const std::string& formula, double beta_squared,
                                  bool scored) {
  using namespace cocarde;
  ChrfOptions options;
  options.least_characters = least_characters;
  options.characters = characters;
  options.words = words;
  options.beta_squared = beta_squared;
  options.scored = scored;
  if (characters + words == 0 || (characters > 0 && (least_characters == 0 || least_characters > characters))) {
    throw nb::value_error("no orders");
  }
  if (spaces == "counted") {
    options.spaces = ChrfSpaces::counted;
  } else if (spaces == "dropped") {
    options.spaces = ChrfSpaces::dropped;
  } else if (spaces == "unicode") {
    options.spaces = ChrfSpaces::unicode;
  } else if (spaces == "blanks") {
    options.spaces = ChrfSpaces::blanks;
  } else {
    throw nb::value_error(("spaces is counted, dropped, unicode or blanks, not " + spaces).c_str());
  }
  if (formula == "effective") {
    options.formula = ChrfFormula::effective;
  } else if (formula == "smoothed") {
    options.formula = ChrfFormula::smoothed;
  } else if (formula == "matched") {
    options.formula = ChrfFormula::matched;
  } else if (formula == "single") {
    options.formula = ChrfFormula::single;
  } else {
    throw nb::value_error(("formula is effective, smoothed, matched or single, not " + formula).c_str());
  }
  return options;
}

void bind_gleu(nb::module_& module) {
  const auto options_of = [](std::size_t least, std::size_t most) {
    if (least == 0 || least > most) throw nb::value_error("orders are from 1, the lower one first");
    return cocarde::GleuOptions{least, most};
  };
  module.def(
      "gleu_statistics",
      [options_of](const cocarde::Column& hypotheses, const cocarde::Column& references, Integers offsets,
                   std::size_t least, std::size_t most, Row out, std::size_t threads) {
        const cocarde::GleuOptions options = options_of(least, most);
        check_size(out, hypotheses.size(), options.kWidth);
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::gleu_statistics(hypotheses, {references, bounds}, options, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "least"_a, "most"_a, "out"_a, "threads"_a,
      "Rows of matches and of n-grams of the longer text, the hypothesis and the reference, written into out.");
  module.def(
      "gleu_pairwise",
      [options_of](const cocarde::Column& hypotheses, std::size_t first, std::size_t last,
                   const cocarde::Column& references, std::size_t least, std::size_t most, Row out,
                   std::size_t threads) {
        const cocarde::GleuOptions options = options_of(least, most);
        if (first > last || last > hypotheses.size()) throw nb::value_error("no such hypotheses");
        check_size(out, (last - first) * references.size(), options.kWidth);
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::gleu_pairwise(hypotheses, first, last, references, options, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "first"_a, "last"_a, "references"_a, "least"_a, "most"_a, "out"_a, "threads"_a,
      "Rows for every hypothesis in [first, last) against every single reference.");
}

void bind_chrf(nb::module_& module) {
  nb::class_<cocarde::ChrfOptions>(module, "ChrfOptions", "What chrF counts, and how it picks the best reference.")
      .def(
          "__init__",
          [](cocarde::ChrfOptions* self, std::size_t least_characters, std::size_t characters, std::size_t words,
             const std::string& spaces, const std::string& formula, double beta_squared, bool scored) {
            new (self) cocarde::ChrfOptions(
                chrf_options(least_characters, characters, words, spaces, formula, beta_squared, scored));
          },
          "least_characters"_a, "characters"_a, "words"_a, "spaces"_a, "formula"_a, "beta_squared"_a, "scored"_a);
  module.def(
      "chrf_statistics",
      [](const cocarde::Column& hypotheses, const cocarde::Column& references, Integers offsets,
         const cocarde::ChrfOptions& options, Row out, std::size_t threads) {
        check_size(out, hypotheses.size(), options.width());
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::chrf_statistics(hypotheses, {references, bounds}, options, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "options"_a, "out"_a, "threads"_a,
      "Rows of n-grams of the hypothesis, of the reference and in both, of each order, written into out.");
  module.def(
      "chrf_pairwise",
      [](const cocarde::Column& hypotheses, std::size_t first, std::size_t last, const cocarde::Column& references,
         const cocarde::ChrfOptions& options, Row out, std::size_t threads) {
        if (first > last || last > hypotheses.size()) throw nb::value_error("no such hypotheses");
        check_size(out, (last - first) * references.size(), options.width());
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::chrf_pairwise(hypotheses, first, last, references, options, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "first"_a, "last"_a, "references"_a, "options"_a, "out"_a, "threads"_a,
      "Rows for every hypothesis in [first, last) against every single reference.");
}

NB_MODULE(_native, module) {
  module.doc() = "Loops of cocarde. Not a public interface: use the package.";

  module.def(
      "tokenizer_names",
      [] {
        std::vector<std::string> names;
        for (const auto& entry : cocarde::kTokenizers) names.emplace_back(entry.name);
        return names;
      },
      "Names of the native tokenizers.");
  module.def(
      "tokenize",
      [](const std::string& name, nb::str text) {
        Keep keep;
        cocarde::TokenBuffer buffer;
        tokenizer_named(name)(utf8_view(text, keep), buffer);
        nb::list tokens;
        for (const cocarde::Token& token : buffer.tokens) tokens.append(to_str(token.text()));
        return tokens;
      },
      "name"_a, "text"_a, nb::sig("def tokenize(name: str, text: str) -> list[str]"),
      "Tokens of a text.");

  nb::class_<Lines>(module, "Lines", "A block of text that is known to be well-formed UTF-8.")
      .def(
          "__init__",
          [](Lines* self, nb::bytes block) {
            const std::string_view text(block.c_str(), block.size());
            const bool good = [text] {
              const nb::gil_scoped_release guard;
              return cocarde::is_utf8(text);
            }();
            if (!good) throw nb::value_error("the block is not UTF-8");
            new (self) Lines{std::move(block)};
          },
          "block"_a, "Raises ValueError unless the block is UTF-8.")
      .def_ro("block", &Lines::block);
  nb::class_<cocarde::Column>(module, "Column", "Segments that yield tokens.")
      .def_static("of_texts", &column_of_texts, "texts"_a, "tokenizer"_a, "lowercase"_a, "strip_right"_a,
                  "Texts, cut by a native tokenizer when they are read.")
      .def_static("of_lines", &column_of_lines, "blocks"_a, "tokenizer"_a, "lowercase"_a, "strip_right"_a,
                  "Lines of blocks, in turn, cut by a native tokenizer when they are read.")
      .def_static("of_ids", &column_of_ids, "values"_a, "offsets"_a, "vocabulary"_a = nb::list(),
                  "Integer tokens; segment i is values[offsets[i]:offsets[i + 1]]. With a vocabulary, its words.")
      .def_static("of_tokens", &column_of_tokens, "segments"_a, "Sequences of str or int tokens.")
      .def(
          "prepare",
          [](const cocarde::Column& column, std::size_t threads) {
            cocarde::Column result;
            run_parallel(threads, [&](const cocarde::ParallelOptions& options) { result = column.prepared(options); });
            return result;
          },
          "threads"_a, "The same segments with their tokens already cut.")
      .def("tokens", &tokens_of, "index"_a, nb::sig("def tokens(self, index: int) -> list[str] | list[int]"),
           "Tokens of one segment.")
      .def("__len__", &cocarde::Column::size);
  module.def(
      "count_line_feeds",
      [](nb::bytes block) {
        const std::string_view text(block.c_str(), block.size());
        const nb::gil_scoped_release guard;
        return cocarde::count_line_feeds(text);
      },
      "block"_a, "How many line feeds there are.");
  module.def(
      "after_line_feeds",
      [](nb::bytes block, std::size_t start, std::size_t count) {
        const std::string_view text(block.c_str(), block.size());
        if (start > text.size()) throw nb::value_error("start lies behind the end");
        const nb::gil_scoped_release guard;
        return cocarde::after_line_feeds(text, start, count);
      },
      "block"_a, "start"_a, "count"_a, "The position after so many line feeds.");
  module.def(
      "split_lines",
      [](const Lines& block) {
        nb::list lines;
        for (const std::string_view line : cocarde::split_lines(block.text())) lines.append(to_str(line));
        return lines;
      },
      "block"_a, nb::sig("def split_lines(block: Lines) -> list[str]"), "The lines of a block.");

  module.def(
      "bleu_statistics",
      [](const cocarde::Column& hypotheses, const cocarde::Column& references, Integers offsets, std::size_t order,
         const std::string& reference_length, bool clip, std::size_t minimum_total, Row out, std::size_t threads) {
        const auto options = bleu_options(order, reference_length, clip, minimum_total);
        check_size(out, hypotheses.size(), 2 + 2 * order);
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::bleu_statistics(hypotheses, {references, bounds}, options, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "order"_a, "reference_length"_a, "clip"_a,
      "minimum_total"_a, "out"_a, "threads"_a,
      "Rows of lengths, matches and totals, one a hypothesis, written into out.");
  module.def(
      "bleu_pairwise",
      [](const cocarde::Column& hypotheses, std::size_t first, std::size_t last, const cocarde::Column& references,
         std::size_t order, bool clip, std::size_t minimum_total, Row out, std::size_t threads) {
        const auto options = bleu_options(order, "closest", clip, minimum_total);
        if (first > last || last > hypotheses.size()) throw nb::value_error("no such hypotheses");
        check_size(out, (last - first) * references.size(), 2 + 2 * order);
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::bleu_pairwise(hypotheses, first, last, references, options, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "first"_a, "last"_a, "references"_a, "order"_a, "clip"_a, "minimum_total"_a, "out"_a,
      "threads"_a, "Rows for every hypothesis in [first, last) against every single reference.");

  module.def(
      "stemmer_names",
      [] {
        std::vector<std::string> names;
        for (const auto& entry : cocarde::kStemmers) names.emplace_back(entry.name);
        return names;
      },
      "Names of the native stemmers.");
  module.def("stem", &stem_word, "name"_a, "word"_a, nb::sig("def stem(name: str, word: str) -> str"),
             "The stem of a word in lower case.");
  module.def("all_texts", &all_texts, "items"_a, "Whether every item is a str.");
  module.def(
      "count_words",
      [](nb::list texts) {
        cocarde::WordCounts counts;
        for (const nb::handle text : nb::tuple(texts)) {
          if (!PyUnicode_Check(text.ptr())) raise_type_error("a text is of type " + name_of_type(text) + ", not str");
          Keep keep;
          cocarde::count_words(utf8_view(text, keep), counts);
        }
        return nb::make_tuple(counts.ascii, counts.other, counts.han, counts.kana, counts.unspaced);
      },
      "texts"_a, nb::sig("def count_words(texts: list[str]) -> tuple[int, int, int, int, int]"),
      "How many words there are: of ASCII, with other letters, Han, kana, of other scripts without spaces.");
  using ColumnClass = nb::class_<cocarde::Column>;
  nb::borrow<ColumnClass>(module.attr("Column"))
      .def("with_sentences", &cocarde::Column::with_sentences, "end"_a, "keep_blank"_a,
           "The same texts, with marks between the tokens of their sentences.")
      .def("sentences", &sentences_of, "index"_a,
           nb::sig("def sentences(self, index: int) -> list[list[str]] | list[list[int]]"),
           "Tokens of the sentences of one segment; a segment without marks is one sentence.")
      .def(
          "part",
          [](const cocarde::Column& column, std::size_t first, std::size_t last) {
            if (first > last || last > column.size()) throw nb::index_error("no such segments");
            return column.part(first, last);
          },
          "first"_a, "last"_a, "Some of the segments, with their tokens already cut.")
      .def(
          "text",
          [](const cocarde::Column& column, std::size_t index) {
            if (!column.has_texts() || index >= column.size()) throw nb::index_error("no such text");
            return to_str(column.text(index));
          },
          "index"_a, nb::sig("def text(self, index: int) -> str"), "The text of one segment, before its tokens.")
      .def("keep_texts_of", &cocarde::Column::keep_texts_of, "other"_a,
           "Keeps the texts behind tokens that were cut from them.");
  module.def(
      "join_sentences",
      [](const cocarde::Column& sentences, Integers offsets, const cocarde::Column* whole, const cocarde::Column* texts,
         bool keep_blank, std::size_t threads) {
        if (offsets.size() == 0) throw nb::value_error("offsets are empty");
        const std::size_t count = whole == nullptr ? offsets.size() - 1 : whole->size();
        const auto bounds = offsets_of(offsets, count, sentences.size());
        cocarde::Column result;
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          result = cocarde::Column::of_sentences(sentences, bounds, whole, texts, keep_blank, parallel);
        });
        return result;
      },
      "sentences"_a, "offsets"_a, "whole"_a.none(), "texts"_a.none(), "keep_blank"_a, "threads"_a,
      "Segments with the tokens of their sentences, which were cut on their own, and of the whole text; the texts "
      "of `texts` are kept.");
  module.def(
      "rouge_statistics",
      [](const cocarde::Column& hypotheses, const cocarde::Column& references, Integers offsets,
         const Values<std::int64_t>& types, const std::string& several, const std::string& subsequence,
         bool distinct, double beta, double epsilon, bool marked, Row out, std::size_t threads) {
        const auto options = rouge_options(types, several, subsequence, distinct, beta, epsilon, marked);
        check_size(out, hypotheses.size(), options.width());
        const auto bounds = offsets_of(offsets, hypotheses.size(), references.size());
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::rouge_statistics(hypotheses, {references, bounds}, options, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "references"_a, "reference_offsets"_a, "types"_a, "several"_a, "subsequence"_a, "distinct"_a,
      "beta"_a, "epsilon"_a, "marked"_a, "out"_a, "threads"_a,
      "Rows of 1, then precision, recall and F of each type, one a hypothesis, written into out.");
  module.def(
      "rouge_pairwise",
      [](const cocarde::Column& hypotheses, std::size_t first, std::size_t last, const cocarde::Column& references,
         const Values<std::int64_t>& types, const std::string& subsequence, bool distinct, double beta,
         double epsilon, bool marked, Row out, std::size_t threads) {
        const auto options = rouge_options(types, "best", subsequence, distinct, beta, epsilon, marked);
        if (first > last || last > hypotheses.size()) throw nb::value_error("no such hypotheses");
        check_size(out, (last - first) * references.size(), options.width());
        run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
          cocarde::rouge_pairwise(hypotheses, first, last, references, options, span_of(out), parallel);
        });
      },
      "hypotheses"_a, "first"_a, "last"_a, "references"_a, "types"_a, "subsequence"_a, "distinct"_a, "beta"_a,
      "epsilon"_a, "marked"_a, "out"_a, "threads"_a, "Rows for every hypothesis in [first, last) against every single reference.");
  nb::class_<Rouge155>(module, "Rouge155", "ROUGE as ROUGE-1.5.5 counts it.")
      .def(
          "__init__",
          [](Rouge155* self, const Values<std::size_t>& orders, bool lcs, double weight, bool skip,
             bool skip_unigrams, std::int64_t maximum_skip, double alpha, bool best, bool jackknife, bool rounded,
             std::size_t word_limit, std::size_t byte_limit, const Values<std::string>& stop_words,
             const std::string& stemmer) {
            cocarde::rouge155::Options options;
            options.orders = values_of(orders);
            for (const std::size_t order : options.orders) {
              if (order == 0) throw nb::value_error("an order is 0");
            }
            options.lcs = lcs;
            options.weighted_lcs = weight > 0.0;
            options.weight = weight;
            options.skip = skip;
            options.skip_unigrams = skip_unigrams;
            if (maximum_skip >= 0) options.maximum_skip = static_cast<std::size_t>(maximum_skip);
            options.alpha = alpha;
            options.best = best;
            options.jackknife = jackknife;
            options.rounded = rounded;
            options.limits = {word_limit, byte_limit};
            cocarde::rouge155::Lexicon lexicon;
            lexicon.stop_words = values_of(stop_words);
            if (!stemmer.empty()) {
              const cocarde::StemmerEntry* const entry = cocarde::find_stemmer(stemmer);
              if (entry == nullptr) throw nb::value_error(("no native stemmer is called " + stemmer).c_str());
              lexicon.stem = entry->stem;
            }
            new (self) Rouge155{std::move(options), std::move(lexicon)};
          },
          "orders"_a, "lcs"_a, "weight"_a, "skip"_a, "skip_unigrams"_a, "maximum_skip"_a, "alpha"_a, "best"_a,
          "jackknife"_a, "rounded"_a, "word_limit"_a, "byte_limit"_a, "stop_words"_a, "stemmer"_a,
          "A weight of 0: no ROUGE-W. A negative maximum_skip, limits of 0, no name of a stemmer: none.")
      .def(
          "rows",
          [](const Rouge155& self, nb::list hypotheses, nb::list references, Integers offsets, Row out,
             std::size_t threads) {
            Keep keep;
            const auto hypothesis_views = views_of(hypotheses, "hypothesis", keep);
            const auto reference_views = views_of(references, "reference", keep);
            const auto bounds = offsets_of(offsets, hypothesis_views.size(), reference_views.size());
            check_size(out, hypothesis_views.size(), self.options.types() * cocarde::rouge155::kFieldsPerType);
            run_parallel(threads, [&](const cocarde::ParallelOptions& parallel) {
              cocarde::rouge155::rows(hypothesis_views, reference_views, bounds, self.options, self.lexicon,
                                      span_of(out), parallel);
            });
          },
          "hypotheses"_a, "references"_a, "reference_offsets"_a, "out"_a, "threads"_a,
          "For each type precision, recall, F and the counts of the references, the hypothesis and both.")
      .def(
          "sentences",
          [](const Rouge155& self, nb::str text) {
            Keep keep;
            const std::string_view view = utf8_view(text, keep);
            return cocarde::rouge155::sentences(view, self.options.limits, self.lexicon);
          },
          "text"_a, nb::sig("def sentences(self, text: str) -> list[list[str]]"),
          "The words that count, sentence by sentence.");
  bind_meteor(module);
  bind_wordnet(module);

  bind_paraphrases(module);
  bind_meteor_nltk(module);
  bind_chrf(module);
  bind_gleu(module);
  bind_ter(module);
  bind_diagnostics(module);
}
