// What all bindings share. The files of this folder alone know Python.
//
// Nothing that Python hands over stands still: while the GIL is free, and while user code runs (an
// `__index__`, a `__del__` that the garbage collector calls), lists and arrays can change. So what is
// trusted after a check is copied before it (offsets, numbers that are looked up), lists are walked as
// tuples or with their size asked for anew, and arrays that stay views hold nothing that is trusted.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../column.hpp"
#include "../parallel.hpp"
#include "../tokens.hpp"
#include "../unicode.hpp"

namespace cocarde {
struct StemmerEntry;
}

namespace cocarde::bindings {

namespace nb = nanobind;
using namespace nb::literals;

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
inline std::vector<std::int64_t> offsets_of(const Integers& given, std::size_t count, std::size_t size) {
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
inline std::shared_ptr<const void> owner_of(Keep keep) {
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
  return keep.written(units.size() * kMostBytes<Unit>,
                      [units](char* to) { return encode_utf8(units, to); });
}
#endif

// UTF-8 of a Python string; lone surrogates come as three bytes each. `keep` gets what the view needs.
inline std::string_view utf8_view(nb::handle text, Keep& keep) {
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

inline nb::object to_str(std::string_view text) {
  nb::object result =
      nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
  if (!result.is_valid()) throw nb::python_error();
  return result;
}

inline nb::object to_object(const Token& token) {
  if (token.is_integer()) return nb::int_(static_cast<std::int64_t>(token.prefix));
  return to_str(token.text());
}

[[noreturn]] inline void raise_type_error(const std::string& message) { throw nb::type_error(message.c_str()); }

inline std::string name_of_type(nb::handle object) {
  return nb::cast<std::string>(nb::str(object.type().attr("__name__")));
}

inline std::vector<std::string_view> views_of(nb::list texts, const char* what, Keep& keep) {
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

// A block of text that is known to be well-formed UTF-8, which a loop over it takes for granted.
struct Lines {
  nb::bytes block;

  std::string_view text() const { return {block.c_str(), block.size()}; }
};

// Raise ValueError for a name that there is not.
TokenizeFunction tokenizer_named(const std::string& name);
const StemmerEntry& stemmer_named(const std::string& name);

// Runs native work without the GIL; a pending Ctrl-C comes out as KeyboardInterrupt.
template <class Work>
void run_parallel(std::size_t threads, Work&& work) {
  ParallelOptions options;
  options.threads = threads;
  options.interrupted = [] {
    const nb::gil_scoped_acquire guard;
    return PyErr_CheckSignals() != 0;
  };
  try {
    const nb::gil_scoped_release guard;
    work(options);
  } catch (const Interrupted&) {
    throw nb::python_error();
  }
}

// The same for work that one thread does: calls work(stop).
template <class Work>
void run_alone(Work&& work) {
  run_parallel(1, [&work](const ParallelOptions& options) {
    std::atomic<bool> requested{false};
    work(StopFlag(requested, options.interrupted));
  });
}

// Divides, since a product of sizes that make no sense could be any number.
inline void check_size(const Row& out, std::size_t rows, std::size_t width) {
  if (rows == 0 || width == 0 ? out.size() != 0 : out.size() % rows != 0 || out.size() / rows != width) {
    throw nb::value_error("out has the wrong size");
  }
}

// Rows of `width`, one a hypothesis, written into out by kernel(bounds, rows, parallel): the references of
// hypothesis i are those in [bounds[i], bounds[i + 1]).
template <class Segments, class Kernel>
void fill_rows(const Segments& hypotheses, const Segments& references, const Integers& offsets, std::size_t width,
               const Row& out, std::size_t threads, Kernel&& kernel) {
  check_size(out, hypotheses.size(), width);
  const std::vector<std::int64_t> bounds = offsets_of(offsets, hypotheses.size(), references.size());
  run_parallel(threads, [&](const ParallelOptions& parallel) {
    kernel(std::span<const std::int64_t>(bounds), span_of(out), parallel);
  });
}

// Rows of `width` of the hypotheses in [first, last) against every single reference, written into out by
// kernel(rows, parallel).
template <class Segments, class Kernel>
void fill_pairs(const Segments& hypotheses, std::size_t first, std::size_t last, const Segments& references,
                std::size_t width, const Row& out, std::size_t threads, Kernel&& kernel) {
  if (first > last || last > hypotheses.size()) throw nb::value_error("no such hypotheses");
  check_size(out, (last - first) * references.size(), width);
  run_parallel(threads, [&](const ParallelOptions& parallel) { kernel(span_of(out), parallel); });
}

}  // namespace cocarde::bindings
