// METEOR 1.5 (Denkowski and Lavie, 2014): candidate matches by stage, the beam search that picks an
// alignment among them, and the row of statistics of that alignment.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "column.hpp"
#include "parallel.hpp"
#include "paraphrases.hpp"
#include "wordnet.hpp"
#include "unicode.hpp"
#include "words.hpp"

namespace cocarde::meteor {

enum class Stage : std::uint8_t { exact, stem, synonym, paraphrase };

// The reference implementation compares words and stems by Java's String.hashCode alone: two words with
// one hash are one word to it ("Aa" and "BB").
struct JavaHash {
  std::uint32_t value = 0;
  std::uint32_t units = 0;  // length in UTF-16
  void add(std::uint32_t unit) {
    value = 31 * value + unit;
    ++units;
  }
};

inline JavaHash java_hash(std::string_view text) {
  JavaHash hash;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    i += point.size;
    const auto value = static_cast<std::uint32_t>(point.value);
    if (value >= 0x10000) {
      hash.add(0xD800 + ((value - 0x10000) >> 10));
      hash.add(0xDC00 + ((value - 0x10000) & 0x3FF));
    } else {
      hash.add(value);
    }
  }
  return hash;
}

// What matters of a distinct word.
struct Word {
  std::uint32_t key = 0;
  std::uint32_t stem_key = 0;
  std::uint32_t paraphrase = 0;  // its number in the paraphrase table
  std::uint32_t length = 0;      // in UTF-16 units
  std::uint32_t synsets_end = 0;
  bool function = false;
};

struct Lexicon {
  std::vector<Word> words;
  std::vector<std::uint32_t> synsets;  // of word w: [words[w - 1].synsets_end, words[w].synsets_end)

  std::span<const std::uint32_t> synsets_of(std::uint32_t word) const {
    const std::size_t begin = word == 0 ? 0 : words[word - 1].synsets_end;
    return {synsets.data() + begin, words[word].synsets_end - begin};
  }
};

struct Options {
  std::vector<Stage> stages;
  std::vector<double> weights;  // one a stage
  double alpha = 0;
  double beta = 0;
  double gamma = 0;
  double delta = 0;
  std::size_t beam = 40;
  bool characters = false;                    // lengths and matches in characters
  const Paraphrases* paraphrases = nullptr;  // where there is that stage

  // Four lengths, four counts a stage, chunks, whole segments, matched words on both sides.
  std::size_t width() const { return 8 + 4 * stages.size(); }
};

// Words [start, start + length) of the reference with [hypothesis_start, ...) of the hypothesis.
struct Match {
  std::uint32_t hypothesis_start;
  std::uint16_t hypothesis_length;
  std::uint16_t length;
  std::uint32_t stage;  // index into the options' stages
};

struct PlacedMatch {
  std::uint32_t start;
  Match match;
};

// A search keeps this many candidates in mind; beyond, a text is refused. Two texts of 10,000 equal
// words have as many.
inline constexpr std::size_t kMostCandidates = 100'000'000;

// Aligns one hypothesis with one reference; keeps its memory from pair to pair.
class Aligner {
 public:
  Aligner(const Lexicon& lexicon, const Options& options) : lexicon_(lexicon), options_(options) {}

  // The matches of the best alignment, by position in the reference.
  std::span<const PlacedMatch> align(std::span<const std::uint32_t> hypothesis,
                                     std::span<const std::uint32_t> reference, const StopFlag& stop) {
    find_candidates(hypothesis, reference, stop);
    place_candidates(reference.size());
    fix_certain(hypothesis.size(), reference.size());
    search(hypothesis.size(), reference.size(), stop);
    return chosen_;
  }

 private:
  // A path through the reference, left to right. It has chosen among the candidates of all places
  // before `index`. The better path has more matched words (a pair of non-exact ones counts nothing),
  // then fewer chunks, then less distance; of equals, the earlier one.
  struct Path {
    std::uint32_t matches = 0;
    std::uint32_t chunks = 0;
    std::uint64_t distance = 0;
    std::uint32_t index = 0;
    std::uint32_t last_end = kNone;  // where the last match ends in the hypothesis
    std::uint32_t choice = kNone;    // the last of its choices
    std::uint32_t slot = 0;          // where its bits are
  };
  // How paths compare: less is better. Nearly all texts are short enough for one integer.
  struct NarrowKey {
    std::uint64_t value;

    static constexpr std::uint64_t kMostWords = (1 << 11) - 1, kMostOrders = 1 << 16, kMostDistance = 1 << 25;
    NarrowKey() = default;
    NarrowKey(std::uint32_t matches, std::uint32_t chunks, std::uint64_t distance, std::uint32_t order)
        : value((2 * kMostWords - matches) << 52 | std::uint64_t{chunks} << 41 | distance << 16 | order) {}
    std::uint32_t order() const { return value & (kMostOrders - 1); }
    bool operator<(const NarrowKey& other) const { return value < other.value; }
  };
  struct WideKey {
    std::uint64_t matches_and_chunks, distance;
    std::uint32_t place;

    WideKey() = default;
    WideKey(std::uint32_t matches, std::uint32_t chunks, std::uint64_t distance, std::uint32_t order)
        : matches_and_chunks(std::uint64_t{UINT32_MAX - matches} << 32 | chunks), distance(distance), place(order) {}
    std::uint32_t order() const { return place; }
    bool operator<(const WideKey& other) const {
      if (matches_and_chunks != other.matches_and_chunks) return matches_and_chunks < other.matches_and_chunks;
      return distance != other.distance ? distance < other.distance : place < other.place;
    }
  };
  // A path one step further, not yet made: only the best of them will be.
  struct Step {
    std::uint32_t path;
    std::uint32_t candidate;  // kNone where none is chosen
    std::uint64_t distance;
  };
  struct Choice {
    std::uint32_t before;
    std::uint32_t candidate;
    std::uint32_t start;
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // -- candidates

  void add(std::size_t start, std::size_t length, std::size_t hypothesis_start, std::size_t hypothesis_length,
           std::size_t stage) {
    if (found_.size() >= kMostCandidates) {
      throw std::length_error("its words repeat so often that METEOR has more than 100 million possible matches");
    }
    found_.push_back({static_cast<std::uint32_t>(start),
                      {static_cast<std::uint32_t>(hypothesis_start), static_cast<std::uint16_t>(hypothesis_length),
                       static_cast<std::uint16_t>(length), static_cast<std::uint32_t>(stage)}});
  }

  template <class Key>
  void match_keys(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                  std::size_t stage, Key&& key, const StopFlag& stop) {
    index_.clear();
    for (std::uint32_t i = 0; i < hypothesis.size(); ++i) {
      index_.emplace_back(key(lexicon_.words[hypothesis[i]]), i);
    }
    std::sort(index_.begin(), index_.end());
    for (std::size_t j = 0; j < reference.size(); ++j) {
      const Word& word = lexicon_.words[reference[j]];
      const std::uint32_t wanted = key(word);
      auto entry = std::lower_bound(index_.begin(), index_.end(), std::pair{wanted, std::uint32_t{0}});
      if (entry != index_.end() && entry->first == wanted) stop.check();
      for (; entry != index_.end() && entry->first == wanted; ++entry) {
        // Beyond the first stage of its kind, only different words.
        if (options_.stages[stage] == Stage::exact || lexicon_.words[hypothesis[entry->second]].key != word.key) {
          add(j, 1, entry->second, 1, stage);
        }
      }
    }
  }

  void match_synonyms(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                      std::size_t stage, const StopFlag& stop) {
    index_.clear();
    for (std::uint32_t i = 0; i < hypothesis.size(); ++i) {
      for (const std::uint32_t synset : lexicon_.synsets_of(hypothesis[i])) index_.emplace_back(synset, i);
    }
    std::sort(index_.begin(), index_.end());
    for (std::size_t j = 0; j < reference.size(); ++j) {
      positions_.clear();
      for (const std::uint32_t synset : lexicon_.synsets_of(reference[j])) {
        auto entry = std::lower_bound(index_.begin(), index_.end(), std::pair{synset, std::uint32_t{0}});
        for (; entry != index_.end() && entry->first == synset; ++entry) positions_.push_back(entry->second);
      }
      if (positions_.empty()) continue;
      stop.check();
      std::sort(positions_.begin(), positions_.end());
      positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
      const std::uint32_t key = lexicon_.words[reference[j]].key;
      for (const std::uint32_t i : positions_) {
        if (lexicon_.words[hypothesis[i]].key != key) add(j, 1, i, 1, stage);
      }
    }
  }

  void match_paraphrases(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                         std::size_t stage) {
    const auto numbers = [this](std::span<const std::uint32_t> words, std::vector<std::uint32_t>& out) {
      out.clear();
      for (const std::uint32_t word : words) out.push_back(lexicon_.words[word].paraphrase);
    };
    numbers(hypothesis, hypothesis_numbers_);
    numbers(reference, reference_numbers_);
    paraphrases_.clear();
    options_.paraphrases->match(hypothesis_numbers_, reference_numbers_, scratch_, paraphrases_);
    for (const ParaphraseMatch& match : paraphrases_) {
      add(match.reference_start, match.reference_length, match.hypothesis_start, match.hypothesis_length, stage);
    }
  }

  void find_candidates(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                       const StopFlag& stop) {
    found_.clear();
    // Of two equal texts the first stage alone is looked at.
    const auto key = [this](std::uint32_t word) { return lexicon_.words[word].key; };
    const bool equal = std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end(),
                                  [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); });
    const std::size_t used = std::min<std::size_t>(equal ? 1 : options_.stages.size(), options_.stages.size());
    for (std::size_t stage = 0; stage < used; ++stage) {
      switch (options_.stages[stage]) {
        case Stage::exact:
          match_keys(hypothesis, reference, stage, [](const Word& word) { return word.key; }, stop);
          break;
        case Stage::stem:
          match_keys(hypothesis, reference, stage, [](const Word& word) { return word.stem_key; }, stop);
          break;
        case Stage::synonym: match_synonyms(hypothesis, reference, stage, stop); break;
        case Stage::paraphrase: match_paraphrases(hypothesis, reference, stage); break;
      }
    }
  }

  // Candidates by their place in the reference, those of one place in the order in which they were found.
  void place_candidates(std::size_t reference_size) {
    first_.assign(reference_size + 1, 0);
    for (const PlacedMatch& candidate : found_) ++first_[candidate.start + 1];
    for (std::size_t j = 0; j < reference_size; ++j) first_[j + 1] += first_[j];
    candidates_.resize(found_.size());
    next_.assign(first_.begin(), first_.end());
    for (const PlacedMatch& candidate : found_) candidates_[next_[candidate.start]++] = candidate.match;
  }

  // A match that is alone at its place and whose words no other candidate covers is certain.
  void fix_certain(std::size_t hypothesis_size, std::size_t reference_size) {
    hypothesis_cover_.assign(hypothesis_size, 0);
    reference_cover_.assign(reference_size, 0);
    for (const PlacedMatch& candidate : found_) {
      for (std::size_t k = 0; k < candidate.match.hypothesis_length; ++k) {
        ++hypothesis_cover_[candidate.match.hypothesis_start + k];
      }
      for (std::size_t k = 0; k < candidate.match.length; ++k) ++reference_cover_[candidate.start + k];
    }
    certain_.assign(reference_size, kNone);
    words_ = (hypothesis_size + 63) / 64 + (reference_size + 63) / 64;
    reference_bits_ = (hypothesis_size + 63) / 64 * 64;
    start_bits_.assign(words_, 0);
    for (std::uint32_t j = 0; j < reference_size; ++j) {
      if (first_[j + 1] - first_[j] != 1) continue;
      const Match& match = candidates_[first_[j]];
      bool alone = true;
      for (std::size_t k = 0; k < match.length; ++k) alone &= reference_cover_[j + k] == 1;
      for (std::size_t k = 0; k < match.hypothesis_length; ++k) {
        alone &= hypothesis_cover_[match.hypothesis_start + k] == 1;
      }
      if (!alone) continue;
      certain_[j] = first_[j];
      use(start_bits_.data(), j, match);
    }
  }

  // -- search

  bool is_used(const std::uint64_t* bits, std::size_t bit) const { return (bits[bit / 64] >> (bit % 64) & 1) != 0; }
  bool is_used(const std::uint64_t* bits, std::size_t start, const Match& match) const {
    for (std::size_t k = 0; k < match.length; ++k) {
      if (is_used(bits, reference_bits_ + start + k)) return true;
    }
    for (std::size_t k = 0; k < match.hypothesis_length; ++k) {
      if (is_used(bits, match.hypothesis_start + k)) return true;
    }
    return false;
  }
  void use(std::uint64_t* bits, std::size_t start, const Match& match) const {
    const auto set = [bits](std::size_t bit) { bits[bit / 64] |= std::uint64_t{1} << (bit % 64); };
    for (std::size_t k = 0; k < match.length; ++k) set(reference_bits_ + start + k);
    for (std::size_t k = 0; k < match.hypothesis_length; ++k) set(match.hypothesis_start + k);
  }

  // What a match adds to the matched words of a path. The reference implementation adds length times
  // weight to an int, on each side: a pair of words that is not exact, weighing one half, adds nothing.
  std::uint32_t gain(const Match& match) const {
    if (options_.stages[match.stage] == Stage::exact) return match.length + match.hypothesis_length;
    return match.length / 2 + match.hypothesis_length / 2;
  }

  static std::uint64_t apart(std::size_t start, const Match& match) {
    return start < match.hypothesis_start ? match.hypothesis_start - start : start - match.hypothesis_start;
  }

  static bool starts_chunk(const Path& path, const Match& match) {
    return path.last_end != kNone && match.hypothesis_start != path.last_end;
  }

  // Takes a match, at the index of the path.
  void follow(Path& path, std::size_t start, const Match& match) const {
    path.matches += gain(match);
    path.chunks += starts_chunk(path, match);
    path.index = static_cast<std::uint32_t>(start + match.length);
    path.last_end = match.hypothesis_start + match.hypothesis_length;
  }

  // Matches nothing, at the index of the path.
  static void skip(Path& path) {
    close(path);
    ++path.index;
  }
  static void close(Path& path) {
    path.chunks += path.last_end != kNone;
    path.last_end = kNone;
  }

  template <class Key>
  std::vector<Key>& keys() {
    if constexpr (std::is_same_v<Key, NarrowKey>) {
      return narrow_keys_;
    } else {
      return wide_keys_;
    }
  }

  // A place where no path has a choice: a certain match, a word inside a match, or no candidate.
  template <class Key>
  void pass(std::size_t place) {
    for (Path& path : paths_) {
      if (place < path.index) continue;
      if (certain_[place] != kNone) {
        const Match& match = candidates_[certain_[place]];
        follow(path, place, match);
        path.distance += apart(place, match);
      } else {
        skip(path);
      }
    }
    sort_paths<Key>();
  }

  template <class Key>
  void sort_paths() {
    std::vector<Key>& keys = this->keys<Key>();
    keys.clear();
    bool sorted = true;
    for (std::uint32_t i = 0; i < paths_.size(); ++i) {
      keys.emplace_back(paths_[i].matches, paths_[i].chunks, paths_[i].distance, i);
      sorted &= i == 0 || keys[i - 1] < keys[i];
    }
    if (sorted) return;
    std::sort(keys.begin(), keys.end());
    next_paths_.resize(paths_.size());
    for (std::size_t i = 0; i < keys.size(); ++i) next_paths_[i] = paths_[keys[i].order()];
    std::swap(paths_, next_paths_);
  }

  // All ways on from each path, of which the best are kept.
  template <class Key>
  void choose(std::size_t place) {
    std::vector<Key>& keys = this->keys<Key>();
    keys.clear();
    steps_.clear();
    const auto add_step = [&](std::uint32_t matches, std::uint32_t chunks, std::uint64_t distance, std::size_t path,
                              std::uint32_t candidate) {
      keys.emplace_back(matches, chunks, distance, static_cast<std::uint32_t>(steps_.size()));
      steps_.push_back({static_cast<std::uint32_t>(path), candidate, distance});
    };
    for (std::size_t number = 0; number < paths_.size(); ++number) {
      const Path& path = paths_[number];
      if (place < path.index) {
        add_step(path.matches, path.chunks, path.distance, number, kNone);
        continue;
      }
      const std::uint64_t* const bits = bits_.data() + path.slot * words_;
      std::uint64_t distance = path.distance;
      for (std::uint32_t c = first_[place]; c < first_[place + 1]; ++c) {
        const Match& match = candidates_[c];
        if (is_used(bits, place, match)) continue;
        add_step(path.matches + gain(match), path.chunks + starts_chunk(path, match), distance, number, c);
        // The distance of a choice counts for the choices that follow it, and for choosing none; not
        // for the path that made it.
        distance += apart(place, match);
      }
      add_step(path.matches, path.chunks + (path.last_end != kNone), distance, number, kNone);
    }
    const auto end = keys.begin() + static_cast<std::ptrdiff_t>(std::min(options_.beam, keys.size()));
    if (end != keys.end()) std::nth_element(keys.begin(), end - 1, keys.end());
    std::sort(keys.begin(), end);
    keys.erase(end, keys.end());
    make_paths(place, keys);
  }

  // Makes the chosen steps paths.
  template <class Key>
  void make_paths(std::size_t place, const std::vector<Key>& keys) {
    next_paths_.resize(keys.size());
    next_bits_.resize(keys.size() * words_);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const Step& step = steps_[keys[k].order()];
      Path& path = next_paths_[k];
      path = paths_[step.path];
      std::uint64_t* const bits = next_bits_.data() + k * words_;
      std::copy_n(bits_.data() + path.slot * words_, words_, bits);
      path.slot = static_cast<std::uint32_t>(k);
      path.distance = step.distance;
      if (step.candidate != kNone) {
        const Match& match = candidates_[step.candidate];
        follow(path, place, match);
        use(bits, place, match);
        choices_.push_back({path.choice, step.candidate, static_cast<std::uint32_t>(place)});
        path.choice = static_cast<std::uint32_t>(choices_.size() - 1);
      } else if (place >= path.index) {
        skip(path);
      }
    }
    std::swap(paths_, next_paths_);
    std::swap(bits_, next_bits_);
  }

  void search(std::size_t hypothesis_size, std::size_t reference_size, const StopFlag& stop) {
    chosen_.clear();
    for (std::uint32_t j = 0; j < reference_size; ++j) {
      if (certain_[j] != kNone) chosen_.push_back({j, candidates_[certain_[j]]});
    }
    if (chosen_.size() == found_.size()) return;  // nothing to decide
    std::size_t most = 0;  // candidates of one place
    for (std::size_t j = 0; j < reference_size; ++j) most = std::max<std::size_t>(most, first_[j + 1] - first_[j]);
    const std::size_t longest = std::max(hypothesis_size, reference_size);
    const bool narrow = longest <= NarrowKey::kMostWords && found_.size() * longest < NarrowKey::kMostDistance &&
                        (most + 1) * std::min(options_.beam, NarrowKey::kMostOrders) < NarrowKey::kMostOrders;
    narrow ? search_with<NarrowKey>(reference_size, stop) : search_with<WideKey>(reference_size, stop);
    for (std::uint32_t c = paths_.front().choice; c != kNone; c = choices_[c].before) {
      chosen_.push_back({choices_[c].start, candidates_[choices_[c].candidate]});
    }
    std::sort(chosen_.begin(), chosen_.end(),
              [](const PlacedMatch& a, const PlacedMatch& b) { return a.start < b.start; });
  }

  template <class Key>
  void search_with(std::size_t reference_size, const StopFlag& stop) {
    choices_.clear();
    paths_.assign(1, {});
    bits_ = start_bits_;
    for (std::size_t place = 0; place < reference_size; ++place) {
      if (place % 16 == 0) stop.check();
      if (certain_[place] != kNone || first_[place] == first_[place + 1]) {
        pass<Key>(place);
      } else {
        choose<Key>(place);
      }
    }
    // Paths that tie are decided once the last chunk is closed.
    for (Path& path : paths_) close(path);
    sort_paths<Key>();
  }

  const Lexicon& lexicon_;
  const Options& options_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> index_;
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> hypothesis_numbers_, reference_numbers_;
  std::vector<ParaphraseMatch> paraphrases_;
  Paraphrases::Scratch scratch_;
  std::vector<PlacedMatch> found_;
  std::vector<std::uint32_t> first_, next_;
  std::vector<Match> candidates_;
  std::vector<std::uint32_t> hypothesis_cover_, reference_cover_;
  std::vector<std::uint32_t> certain_;
  std::size_t words_ = 0;           // of 64 bits: which words of the hypothesis are in use, then of the reference
  std::size_t reference_bits_ = 0;  // where the latter begin
  std::vector<std::uint64_t> start_bits_, bits_, next_bits_;
  std::vector<Path> paths_, next_paths_;
  std::vector<Step> steps_;
  std::vector<NarrowKey> narrow_keys_;
  std::vector<WideKey> wide_keys_;
  std::vector<Choice> choices_;
  std::vector<PlacedMatch> chosen_;
};

// One hypothesis against one reference: its row, and the score that decides between references.
class Scorer {
 public:
  Scorer(const Lexicon& lexicon, const Options& options)
      : lexicon_(lexicon), options_(options), aligner_(lexicon, options) {}

  // Writes the row and returns the score, 0 to 1.
  double score(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
               std::span<double> row, const StopFlag& stop) {
    const std::span<const PlacedMatch> matches = aligner_.align(hypothesis, reference, stop);
    std::fill(row.begin(), row.end(), 0.0);
    count_words(hypothesis, row[0], row[2]);
    count_words(reference, row[1], row[3]);
    std::uint32_t chunks = 0;
    std::uint32_t index = UINT32_MAX;
    std::uint32_t last_end = 0;
    const std::size_t tail = 4 + 4 * options_.stages.size();
    for (const PlacedMatch& placed : matches) {
      const Match& match = placed.match;
      double* const counts = &row[4 + 4 * match.stage];
      count_matches(hypothesis.subspan(match.hypothesis_start, match.hypothesis_length), counts[0], counts[2]);
      count_matches(reference.subspan(placed.start, match.length), counts[1], counts[3]);
      row[tail + 2] += match.hypothesis_length;
      row[tail + 3] += match.length;
      if (placed.start != index || match.hypothesis_start != last_end) ++chunks;
      index = placed.start + match.length;
      last_end = match.hypothesis_start + match.hypothesis_length;
    }
    row[tail] = chunks;
    double matched[2] = {0, 0};
    for (std::size_t k = 4; k < tail; ++k) matched[k % 2] += row[k];
    row[tail + 1] = matched[0] == row[0] && matched[1] == row[1] && chunks == 1 ? 1 : 0;
    return formula(row);
  }

  std::span<const PlacedMatch> align(std::span<const std::uint32_t> hypothesis,
                                     std::span<const std::uint32_t> reference, const StopFlag& stop) {
    return aligner_.align(hypothesis, reference, stop);
  }

 private:
  double size_of(const Word& word) const { return options_.characters ? word.length : 1; }

  void count_words(std::span<const std::uint32_t> words, double& all, double& function) const {
    for (const std::uint32_t number : words) {
      const Word& word = lexicon_.words[number];
      all += size_of(word);
      if (word.function) function += size_of(word);
    }
  }
  void count_matches(std::span<const std::uint32_t> words, double& content, double& function) const {
    for (const std::uint32_t number : words) {
      const Word& word = lexicon_.words[number];
      (word.function ? function : content) += size_of(word);
    }
  }

  // The same steps as in METEOR's own code, so that two references tie here where they tie there. The
  // scores that users see come from the rows, in Python.
  double formula(std::span<const double> row) const {
    const double delta = options_.delta;
    const std::size_t tail = 4 + 4 * options_.stages.size();
    double side[2];
    for (std::size_t s = 0; s < 2; ++s) {
      double weighted = 0;
      for (std::size_t k = 0; k < options_.stages.size(); ++k) weighted += row[4 + 4 * k + s] * options_.weights[k] * delta;
      for (std::size_t k = 0; k < options_.stages.size(); ++k) {
        weighted += row[6 + 4 * k + s] * options_.weights[k] * (1.0 - delta);
      }
      side[s] = weighted / ((delta * (row[s] - row[2 + s])) + ((1.0 - delta) * row[2 + s]));
    }
    const double mean = 1.0 / (((1.0 - options_.alpha) / side[0]) + (options_.alpha / side[1]));
    const double fragmentation =
        row[tail + 1] == 1 ? 0 : row[tail] / ((row[tail + 2] + row[tail + 3]) / 2);
    const double score = mean * (1.0 - options_.gamma * std::pow(fragmentation, options_.beta));
    return std::isnan(score) ? 0 : std::max(score, 0.0);
  }

  const Lexicon& lexicon_;
  const Options& options_;
  Aligner aligner_;
};

// Says which segment cannot be aligned.
[[noreturn]] inline void rethrow_for(std::size_t segment, const std::length_error& error) {
  throw std::length_error("segment " + std::to_string(segment) + ": " + error.what());
}

// Rows of each hypothesis with the best of its references, the first of the best.
inline void statistics(const DistinctWords& words, std::span<const std::int64_t> offsets, const Lexicon& lexicon,
                       const Options& options, std::span<double> out, ParallelOptions parallel) {
  struct State {
    Scorer scorer;
    std::vector<double> row;
  };
  const std::size_t width = options.width();
  const std::size_t count = words.hypotheses().size();
  parallel_for(
      count, parallel, [&] { return State{Scorer(lexicon, options), std::vector<double>(width)}; },
      [&](State& state, std::size_t i, const StopFlag& stop) {
        const std::span<double> best = out.subspan(i * width, width);
        double highest = -1;
        try {
          for (auto r = static_cast<std::size_t>(offsets[i]); r < static_cast<std::size_t>(offsets[i + 1]); ++r) {
            const double score =
                state.scorer.score(words.hypotheses().segment(i), words.references().segment(r), state.row, stop);
            if (score > highest) {
              highest = score;
              std::copy(state.row.begin(), state.row.end(), best.begin());
            }
          }
        } catch (const std::length_error& error) {
          rethrow_for(i, error);
        }
      });
}

// Rows of hypotheses [first, last) against every single reference.
inline void pairwise(const DistinctWords& words, std::size_t first, std::size_t last, const Lexicon& lexicon,
                     const Options& options, std::span<double> out, ParallelOptions parallel) {
  const std::size_t width = options.width();
  const std::size_t count = words.references().size();
  parallel_for(
      (last - first) * count, parallel, [&] { return Scorer(lexicon, options); },
      [&](Scorer& scorer, std::size_t pair, const StopFlag& stop) {
        const std::size_t i = first + pair / count;
        try {
          scorer.score(words.hypotheses().segment(i), words.references().segment(pair % count),
                       out.subspan(pair * width, width), stop);
        } catch (const std::length_error& error) {
          rethrow_for(i, error);
        }
      });
}

}  // namespace cocarde::meteor
