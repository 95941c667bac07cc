// METEOR 1.5 (Denkowski and Lavie, 2014): candidate matches by stage, the beam search that picks an
// alignment among them, and the row of statistics of that alignment.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
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
  bool function = false;
};

struct Lexicon {
  std::vector<Word> words;

  // Words of other keys that share a synset with a word.
  std::span<const std::uint32_t> synonyms_of(std::uint32_t word) const {
    if (synonym_ends_.empty()) return {};
    const std::size_t begin = word == 0 ? 0 : synonym_ends_[word - 1];
    return {synonyms_.data() + begin, synonym_ends_[word] - begin};
  }

  // Finds what the words themselves tell, and what the tables (null where there is none) tell of them.
  void look_up(std::span<const Token> tokens, const WordNet* wordnet, const Paraphrases* paraphrases,
               ParallelOptions parallel) {
    constexpr std::size_t kBlock = 256;
    std::vector<Members> found((tokens.size() + kBlock - 1) / kBlock);
    parallel.cost = 64 * tokens.size();
    parallel_for(
        found.size(), parallel, [] { return std::vector<std::uint32_t>(); },
        [&](std::vector<std::uint32_t>& synsets, std::size_t b, const StopFlag&) {
          for (std::size_t i = b * kBlock; i < std::min(tokens.size(), (b + 1) * kBlock); ++i) {
            Word& word = words[i];
            if (tokens[i].is_integer()) {
              word.key = static_cast<std::uint32_t>(i);
              word.length = 1;
              continue;
            }
            const JavaHash hash = java_hash(tokens[i].text());
            word.key = hash.value;
            word.length = hash.units;
            if (paraphrases != nullptr) word.paraphrase = paraphrases->word(tokens[i].text());
            if (wordnet == nullptr) continue;
            wordnet->meteor_synsets(tokens[i].text(), synsets);
            for (const std::uint32_t synset : synsets) found[b].emplace_back(synset, static_cast<std::uint32_t>(i));
          }
        });
    if (wordnet == nullptr) return;
    Members members;
    for (const Members& some : found) members.insert(members.end(), some.begin(), some.end());
    relate(members);
  }

 private:
  using Members = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // a synset and a word that is in it

  // Finds the synonyms of every word.
  void relate(Members& members) {
    std::sort(members.begin(), members.end());
    // Each word's groups of members, as places where they begin.
    std::vector<std::size_t> ends(words.size() + 1, 0);
    for (const auto& [synset, word] : members) ++ends[word + 1];
    for (std::size_t word = 0; word < words.size(); ++word) ends[word + 1] += ends[word];
    std::vector<std::uint32_t> groups(members.size());
    std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
    std::uint32_t begin = 0;
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (members[i].first != members[begin].first) begin = i;
      groups[next[members[i].second]++] = begin;
    }
    std::vector<std::uint32_t> met_by(words.size(), UINT32_MAX);
    synonym_ends_.reserve(words.size());
    for (std::uint32_t word = 0; word < words.size(); ++word) {
      for (std::size_t k = ends[word]; k < ends[word + 1]; ++k) {
        const std::uint32_t synset = members[groups[k]].first;
        for (std::size_t i = groups[k]; i < members.size() && members[i].first == synset; ++i) {
          const std::uint32_t other = members[i].second;
          if (std::exchange(met_by[other], word) != word && words[other].key != words[word].key) {
            synonyms_.push_back(other);
          }
        }
      }
      synonym_ends_.push_back(synonyms_.size());
    }
  }

  std::vector<std::uint32_t> synonyms_;
  std::vector<std::size_t> synonym_ends_;
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

// A search keeps this many candidates in mind; beyond, a text is refused. Two texts of 5,000 equal
// words have as many.
inline constexpr std::size_t kMostCandidates = 25'000'000;

// Aligns one hypothesis with one reference; keeps its memory from pair to pair.
class Aligner {
 public:
  Aligner(const Lexicon& lexicon, const Options& options) : lexicon_(lexicon), options_(options) {}

  // The matches of the best alignment, by position in the reference.
  std::span<const PlacedMatch> align(std::span<const std::uint32_t> hypothesis,
                                     std::span<const std::uint32_t> reference, const StopFlag& stop) {
    find_candidates(hypothesis, reference, stop);
    place_candidates(reference.size(), stop);
    fix_certain(hypothesis.size(), reference.size(), stop);
    search(reference.size(), stop);
    return chosen_;
  }

 private:
  // What decides between two paths: more matched words (a pair of non-exact ones counts nothing), then
  // fewer chunks, then less distance; of equals, the earlier path is better.
  struct Rank {
    std::uint32_t matches = 0;
    std::uint32_t chunks = 0;
    std::uint64_t distance = 0;
  };
  // A path through the reference, left to right. It has chosen among the candidates of all places
  // before `index`.
  struct Path {
    Rank rank;
    std::uint32_t index = 0;
    std::uint32_t last_end = kNone;  // where the last match ends in the hypothesis
    std::uint32_t choice = kNone;    // the last of its choices
    std::uint32_t slot = 0;          // where its bits are
  };
  // A path one step further, not yet made: only the best of them will be.
  struct Step {
    std::uint32_t path;
    std::uint32_t candidate;  // kNone where none is chosen
  };
  // A candidate of the place at hand, ready to be tried by many paths.
  struct Trial {
    std::uint32_t candidate;
    std::uint32_t gain;
    std::uint32_t hypothesis_start;
    std::uint32_t word;  // which 64 words of the hypothesis, and which of them: of one word for one
    std::uint64_t bit;   // 0 where there are more
    std::uint64_t apart;
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
      throw std::length_error("its words repeat so often that METEOR has more than 25 million possible matches");
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
      if (j % 16 == 0) stop.check();
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
    // Where each word of the hypothesis stands: the last place, and from each place the one before.
    places_.resize(lexicon_.words.size(), kNone);
    before_.resize(hypothesis.size());
    for (std::uint32_t i = 0; i < hypothesis.size(); ++i) before_[i] = std::exchange(places_[hypothesis[i]], i);
    for (std::size_t j = 0; j < reference.size(); ++j) {
      positions_.clear();
      for (const std::uint32_t word : lexicon_.synonyms_of(reference[j])) {
        for (std::uint32_t i = places_[word]; i != kNone; i = before_[i]) positions_.push_back(i);
      }
      if (j % 16 == 0) stop.check();
      std::sort(positions_.begin(), positions_.end());
      for (const std::uint32_t i : positions_) add(j, 1, i, 1, stage);
    }
    for (const std::uint32_t word : hypothesis) places_[word] = kNone;
  }

  void match_paraphrases(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                         std::size_t stage, const StopFlag& stop) {
    const auto numbers = [this](std::span<const std::uint32_t> words, std::vector<std::uint32_t>& out) {
      out.clear();
      for (const std::uint32_t word : words) out.push_back(lexicon_.words[word].paraphrase);
    };
    numbers(hypothesis, hypothesis_numbers_);
    numbers(reference, reference_numbers_);
    options_.paraphrases->match(hypothesis_numbers_, reference_numbers_, scratch_, stop, [&](const ParaphraseMatch& match) {
      add(match.reference_start, match.reference_length, match.hypothesis_start, match.hypothesis_length, stage);
    });
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
        case Stage::paraphrase: match_paraphrases(hypothesis, reference, stage, stop); break;
      }
    }
  }

  // Candidates by their place in the reference, those of one place in the order in which they were found.
  void place_candidates(std::size_t reference_size, const StopFlag& stop) {
    first_.assign(reference_size + 1, 0);
    for (const PlacedMatch& candidate : found_) ++first_[candidate.start + 1];
    stop.check();
    for (std::size_t j = 0; j < reference_size; ++j) first_[j + 1] += first_[j];
    candidates_.resize(found_.size());
    next_.assign(first_.begin(), first_.end());
    for (std::size_t i = 0; i < found_.size(); ++i) {
      pause(i, stop);
      candidates_[next_[found_[i].start]++] = found_[i].match;
    }
  }

  // A match that is alone at its place and whose words no other candidate covers is certain.
  void fix_certain(std::size_t hypothesis_size, std::size_t reference_size, const StopFlag& stop) {
    hypothesis_cover_.assign(hypothesis_size, 0);
    reference_cover_.assign(reference_size, 0);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      pause(i, stop);
      const PlacedMatch& candidate = found_[i];
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

  // Asks once in 65,536 steps.
  void spend(std::size_t steps, const StopFlag& stop) {
    spent_ += steps;
    if (spent_ <= 0xFFFF) return;
    spent_ = 0;
    stop.check();
  }

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

  static bool starts_chunk(const Path& path, std::uint32_t hypothesis_start) {
    return path.last_end != kNone && hypothesis_start != path.last_end;
  }

  // Takes a match, at the index of the path.
  void follow(Path& path, std::size_t start, const Match& match) const {
    path.rank.matches += gain(match);
    path.rank.chunks += starts_chunk(path, match.hypothesis_start);
    path.index = static_cast<std::uint32_t>(start + match.length);
    path.last_end = match.hypothesis_start + match.hypothesis_length;
  }

  // Matches nothing, at the index of the path.
  static void skip(Path& path) {
    close(path);
    ++path.index;
  }
  static void close(Path& path) {
    path.rank.chunks += path.last_end != kNone;
    path.last_end = kNone;
  }

  // The ranks from the best to the worst, as places in `order_`. What differs between them is mostly
  // a few bits, which are sorted digit by digit: no processor can guess the outcome of a comparison here.
  template <class RankOf>
  void sort_ranks(std::size_t count, const StopFlag& stop, RankOf&& rank_of) {
    spend(count, stop);
    Rank least = rank_of(0), most = least;
    for (std::size_t i = 1; i < count; ++i) {
      const Rank rank = rank_of(i);
      least = {std::min(least.matches, rank.matches), std::min(least.chunks, rank.chunks),
               std::min(least.distance, rank.distance)};
      most = {std::max(most.matches, rank.matches), std::max(most.chunks, rank.chunks),
              std::max(most.distance, rank.distance)};
    }
    const int chunk_bits = std::bit_width(most.chunks - least.chunks);
    const int distance_bits = std::bit_width(most.distance - least.distance);
    const int bits = std::bit_width(most.matches - least.matches) + chunk_bits + distance_bits;
    order_.resize(count);
    if (bits > 32) {
      for (std::uint32_t i = 0; i < count; ++i) order_[i] = i;
      std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t k) {
        const Rank a = rank_of(i), b = rank_of(k);
        if (a.matches != b.matches) return a.matches > b.matches;
        return a.chunks != b.chunks ? a.chunks < b.chunks : a.distance < b.distance;
      });
      return;
    }
    spend(count, stop);
    keys_.resize(2 * count);
    std::uint64_t* keys = keys_.data();
    for (std::size_t i = 0; i < count; ++i) {
      const Rank rank = rank_of(i);
      std::uint64_t key = most.matches - rank.matches;
      key = key << chunk_bits | (rank.chunks - least.chunks);
      key = key << distance_bits | (rank.distance - least.distance);
      keys[i] = key << 32 | i;
    }
    if (count < 16) {
      std::sort(keys, keys + count);
    } else {
      std::uint64_t* other = keys + count;
      for (int shift = 32; shift < 32 + bits; shift += kDigit) {
        spend(count, stop);
        std::array<std::uint32_t, 1 << kDigit> counts{};
        for (std::size_t i = 0; i < count; ++i) ++counts[keys[i] >> shift & ((1 << kDigit) - 1)];
        std::uint32_t before = 0;
        for (std::uint32_t& place : counts) before += std::exchange(place, before);
        for (std::size_t i = 0; i < count; ++i) other[counts[keys[i] >> shift & ((1 << kDigit) - 1)]++] = keys[i];
        std::swap(keys, other);
      }
    }
    for (std::size_t i = 0; i < count; ++i) order_[i] = static_cast<std::uint32_t>(keys[i]);
  }
  static constexpr int kDigit = 6;

  // A place where no path has a choice: a certain match, a word inside a match, or no candidate.
  void pass(std::size_t place, const StopFlag& stop) {
    for (Path& path : paths_) {
      if (place < path.index) continue;
      if (certain_[place] != kNone) {
        const Match& match = candidates_[certain_[place]];
        follow(path, place, match);
        path.rank.distance += apart(place, match);
      } else {
        skip(path);
      }
    }
    sort_paths(stop);
  }

  void sort_paths(const StopFlag& stop) {
    const auto later = [](const Path& a, const Path& b) {
      if (a.rank.matches != b.rank.matches) return a.rank.matches < b.rank.matches;
      return a.rank.chunks != b.rank.chunks ? a.rank.chunks > b.rank.chunks : a.rank.distance > b.rank.distance;
    };
    if (std::adjacent_find(paths_.begin(), paths_.end(), later) == paths_.end()) return;
    sort_ranks(paths_.size(), stop, [this](std::size_t i) -> const Rank& { return paths_[i].rank; });
    next_paths_.resize(paths_.size());
    for (std::size_t i = 0; i < paths_.size(); ++i) next_paths_[i] = paths_[order_[i]];
    std::swap(paths_, next_paths_);
  }

  // All ways on from each path, of which the best are kept.
  void choose(std::size_t place, const StopFlag& stop) {
    trials_.clear();
    for (std::uint32_t c = first_[place]; c < first_[place + 1]; ++c) {
      const Match& match = candidates_[c];
      const std::uint64_t bit = std::uint64_t{match.length == 1 && match.hypothesis_length == 1};
      trials_.push_back({c, gain(match), match.hypothesis_start, match.hypothesis_start / 64,
                         bit << match.hypothesis_start % 64, apart(place, match)});
    }
    steps_.resize(paths_.size() * (trials_.size() + 1));
    ranks_.resize(steps_.size());
    std::size_t count = 0;
    const std::uint32_t enough = try_all(place, stop);
    const std::uint8_t* tried = used_.data();
    for (std::uint32_t number = 0; number < paths_.size(); ++number) {
      const Path& path = paths_[number];
      Rank rank = path.rank;
      const auto keep = [&] {
        steps_[count] = {number, kNone};
        ranks_[count] = rank;
        count += rank.matches >= enough;
      };
      if (place < path.index) {
        keep();
        continue;
      }
      spend(trials_.size(), stop);
      for (const Trial& trial : trials_) {
        // Written in any case, counted if its words are free.
        const bool used = *tried++ != 0;
        steps_[count] = {number, trial.candidate};
        ranks_[count] = {rank.matches + trial.gain, rank.chunks + starts_chunk(path, trial.hypothesis_start),
                         rank.distance};
        count += !used && rank.matches + trial.gain >= enough;
        // The distance of a choice counts for the choices that follow it, and for choosing none; not
        // for the path that made it.
        rank.distance += used ? 0 : trial.apart;
      }
      rank.chunks += path.last_end != kNone;
      keep();
    }
    sort_ranks(count, stop, [this](std::size_t i) -> const Rank& { return ranks_[i]; });
    make_paths(place, std::min(options_.beam, count));
  }

  // Fills `used_`: whether a word of a trial is in use, for each path that is to choose. Returns the most
  // matched words with which there are as many steps as the beam keeps, or 0: none with fewer is kept.
  std::uint32_t try_all(std::size_t place, const StopFlag& stop) {
    used_.resize(paths_.size() * trials_.size());
    std::uint32_t most = 0;
    for (const Trial& trial : trials_) most = std::max(most, trial.gain);
    most += paths_.front().rank.matches;
    // By how many fewer they are than could be; those with far fewer are as one.
    std::array<std::uint32_t, 16> counts{};
    const auto count = [&](std::uint32_t matches, std::uint32_t steps) {
      counts[std::min<std::uint32_t>(most - matches, counts.size() - 1)] += steps;
    };
    std::uint8_t* used = used_.data();
    for (const Path& path : paths_) {
      count(path.rank.matches, 1);
      if (place < path.index) continue;
      spend(trials_.size(), stop);
      const std::uint64_t* const bits = bits_.data() + path.slot * words_;
      for (const Trial& trial : trials_) {
        *used = trial.bit != 0 ? (bits[trial.word] & trial.bit) != 0
                               : is_used(bits, place, candidates_[trial.candidate]);
        count(path.rank.matches + trial.gain, !*used++);
      }
    }
    std::size_t sum = 0;
    for (std::uint32_t fewer = 0; fewer + 1 < counts.size(); ++fewer) {
      sum += counts[fewer];
      if (sum >= options_.beam) return most - fewer;
    }
    return 0;
  }

  // Makes the best steps paths.
  void make_paths(std::size_t place, std::size_t count) {
    next_paths_.resize(count);
    next_bits_.resize(count * words_);
    for (std::size_t k = 0; k < count; ++k) {
      const Step& step = steps_[order_[k]];
      Path& path = next_paths_[k];
      path = paths_[step.path];
      std::uint64_t* const bits = next_bits_.data() + k * words_;
      const std::uint64_t* const before = bits_.data() + path.slot * words_;
      for (std::size_t w = 0; w < words_; ++w) bits[w] = before[w];
      path.slot = static_cast<std::uint32_t>(k);
      if (step.candidate != kNone) {
        const Match& match = candidates_[step.candidate];
        follow(path, place, match);
        use(bits, place, match);
        choices_.push_back({path.choice, step.candidate, static_cast<std::uint32_t>(place)});
        path.choice = static_cast<std::uint32_t>(choices_.size() - 1);
      } else if (place >= path.index) {
        skip(path);
      }
      path.rank = ranks_[order_[k]];
    }
    std::swap(paths_, next_paths_);
    std::swap(bits_, next_bits_);
  }

  void search(std::size_t reference_size, const StopFlag& stop) {
    chosen_.clear();
    for (std::uint32_t j = 0; j < reference_size; ++j) {
      if (certain_[j] != kNone) chosen_.push_back({j, candidates_[certain_[j]]});
    }
    if (chosen_.size() == found_.size()) return;  // nothing to decide
    choices_.clear();
    paths_.assign(1, {});
    bits_ = start_bits_;
    for (std::size_t place = 0; place < reference_size; ++place) {
      spend(4096, stop);
      if (certain_[place] != kNone || first_[place] == first_[place + 1]) {
        pass(place, stop);
      } else {
        choose(place, stop);
      }
    }
    // Paths that tie are decided once the last chunk is closed.
    for (Path& path : paths_) close(path);
    sort_paths(stop);
    for (std::uint32_t c = paths_.front().choice; c != kNone; c = choices_[c].before) {
      chosen_.push_back({choices_[c].start, candidates_[choices_[c].candidate]});
    }
    std::sort(chosen_.begin(), chosen_.end(),
              [](const PlacedMatch& a, const PlacedMatch& b) { return a.start < b.start; });
  }

  const Lexicon& lexicon_;
  const Options& options_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> index_;
  std::vector<std::uint32_t> places_, before_, positions_;
  std::vector<std::uint32_t> hypothesis_numbers_, reference_numbers_;
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
  std::vector<Rank> ranks_;
  std::vector<Trial> trials_;
  std::vector<std::uint8_t> used_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> order_;
  std::vector<Choice> choices_;
  std::vector<PlacedMatch> chosen_;
  std::size_t spent_ = 0;  // steps since the caller was last asked
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

// One worker's memory. The row is that of the best reference, the first of those.
class Worker {
 public:
  Worker(const DistinctWords& words, const Lexicon& lexicon, const Options& options)
      : words_(words), scorer_(lexicon, options), row_(options.width()) {}

  void read(std::size_t hypothesis) { hypothesis_ = hypothesis; }

  void row(std::size_t begin, std::size_t end, std::span<double> best, const StopFlag& stop) {
    double highest = -1;
    try {
      for (std::size_t r = begin; r < end; ++r) {
        const double score =
            scorer_.score(words_.hypotheses().segment(hypothesis_), words_.references().segment(r), row_, stop);
        if (score <= highest) continue;
        highest = score;
        std::copy(row_.begin(), row_.end(), best.begin());
      }
    } catch (const std::length_error& error) {
      // Says which segment cannot be aligned.
      throw std::length_error("segment " + std::to_string(hypothesis_) + ": " + error.what());
    }
  }

 private:
  const DistinctWords& words_;
  Scorer scorer_;
  std::vector<double> row_;
  std::size_t hypothesis_ = 0;
};

}  // namespace cocarde::meteor
