// The only file that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <vector>

#include "tokenizers.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// UTF-8 of a Python string; lone surrogates come as three bytes each. `keep` holds what the view needs.
std::string_view utf8_view(nb::handle text, nb::object& keep) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) {
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
    PyErr_Clear();
    keep = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
    if (!keep.is_valid()) throw nb::python_error();
    char* bytes = nullptr;
    if (PyBytes_AsStringAndSize(keep.ptr(), &bytes, &size) != 0) throw nb::python_error();
    data = bytes;
  } else {
    keep = nb::borrow(text);
  }
  return {data, static_cast<std::size_t>(size)};
}

nb::object to_str(std::string_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
}

cocarde::TokenizeFunction tokenizer_named(const std::string& name) {
  const cocarde::TokenizeFunction function = cocarde::find_tokenizer(name);
  if (function == nullptr) throw nb::value_error(("no native tokenizer is called " + name).c_str());
  return function;
}

}  // namespace

NB_MODULE(_native, module) {
  module.def("tokenizer_names", [] {
    std::vector<std::string> names;
    for (const auto& entry : cocarde::kTokenizers) names.emplace_back(entry.name);
    return names;
  });
  module.def(
      "tokenize",
      [](const std::string& name, nb::str text) {
        nb::object keep;
        cocarde::TokenBuffer buffer;
        tokenizer_named(name)(utf8_view(text, keep), buffer);
        nb::list tokens;
        for (const cocarde::Token& token : buffer.tokens) tokens.append(to_str(token.text()));
        return tokens;
      },
      "name"_a, "text"_a);
}
