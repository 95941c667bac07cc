// Resources that Python holds and that metrics look words up in.
#pragma once

#include "python.hpp"

#include <utility>

#include "../paraphrases.hpp"
#include "../wordnet.hpp"

namespace cocarde::bindings {

// A table and what keeps its bytes.
struct HeldWordNet {
  explicit HeldWordNet(Bytes table) : bytes(std::move(table)), view(span_of(bytes)) {}

  Bytes bytes;
  WordNet view;
};

// A paraphrase table, the memory it lies in kept.
struct LoadedParaphrases {
  Bytes image;
  Paraphrases table;
};

}  // namespace cocarde::bindings
