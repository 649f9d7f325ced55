// Borrowed memory: a view of a text as the ids of its words, and of the vectors that a skip-gram model gives to words.
//
// A sample is one position of the text. Its word, the centre, is kept with probability x + x^2, x = sqrt(t / f). Here f
// is the word's share of the text and t the model's `subsample`. A centre that is not kept is a sample without anything
// to learn. The kept words up to b places to the left and right of it are its contexts, b uniform in 1 .. window.
// Windows end where sentences do, and after kFarthest places. Each list of negatives holds `negatives` words drawn with
// probability proportional to count^0.75, without those that are the centre. There is one list for the window, or one
// for each context. What is drawn is a pure function of (seed, epoch, position): see TokenDraws.
//
// The parameter buffer holds the input vectors of all words, `dim` floats each, then their output vectors; each vector is one
// group of coordinates. A window touches the inputs of its contexts, the outputs of its centre and of its negatives.
//
// A view owns nothing, is copied by value, and lives no longer than its owner (engine/data/dataset.h).
// Any number of threads may read through a view at the same time; nobody may write meanwhile.
// Sources: Mikolov, Sutskever, Chen, Corrado, Dean, "Distributed representations of words and phrases", NIPS 2013, and
// their word2vec.c. One list for a window: Ji, Satish, Li, Dubey, "Parallelizing word2vec in shared and distributed
// memory", 2016.
#pragma once

#include "kernels/annotate.h"
#include "kernels/numbers/alias_slot.h"
#include "kernels/numbers/random.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hogwild {

/// What of a model its samples do not say.
struct SkipGramModel {
    static constexpr std::uint32_t kMostNegatives = 32, kMostWindow = 16;

    std::uint32_t dim = 0;       // floats of a vector
    std::uint32_t negatives = 5; // of a list, at most kMostNegatives
    std::uint32_t window = 5;    // at most kMostWindow
    float root_subsample = 0;    // sqrt(t); 0: every word is kept
    bool shared = true;          // one list for the window; false: one for each context
    double kept = 0;             // positions whose word is kept, on average
};

/// A question for trained vectors: how alike are two words? People said `score`.
struct WordPair {
    std::uint32_t a, b;
    float score;
};

/// Another: a is to b as c is to d.
struct Analogy {
    std::uint32_t a, b, c, d;
};

/// Random bits of the positions of one epoch: outputs of two SplitMix64 generators, whose keys are one Philox call of
/// (seed, epoch). Output number n is a function of key and n alone.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
class TokenDraws {
public:
    HOGWILD_HOST_DEVICE TokenDraws(std::uint64_t seed, std::uint32_t epoch) {
        constexpr std::uint32_t kStream = 0x776F7264; // sets these words apart from those of other uses of the seed
        const PhiloxCounter words = philox({epoch, kStream, 0, 0}, philox_key(seed));
        positions_ = (std::uint64_t{words[0]} << 32) | words[1];
        negatives_ = (std::uint64_t{words[2]} << 32) | words[3];
    }

    /// The upper half decides whether the word is kept, the lower one how wide its window is.
    HOGWILD_HOST_DEVICE std::uint64_t of(std::uint64_t position) const { return output(positions_, position); }

    /// For negative number i of all lists of the position: the upper half chooses the slot, the lower one is its coin.
    HOGWILD_HOST_DEVICE std::uint64_t negative(std::uint64_t position, std::uint32_t i) const {
        return output(negatives_, position * kMost + i);
    }

private:
    static constexpr std::uint64_t kMost = 2ull * SkipGramModel::kMostWindow * SkipGramModel::kMostNegatives;

    HOGWILD_HOST_DEVICE static std::uint64_t output(std::uint64_t key, std::uint64_t n) {
        std::uint64_t z = key + (n + 1) * 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    std::uint64_t positions_, negatives_;
};

/// A position's window: words by their ids. Words may occur more than once.
struct TokenWindow {
    static constexpr std::uint32_t kMostContexts = 2 * SkipGramModel::kMostWindow;

    std::uint32_t words; // of the vocabulary: the group of word w's output is words + w
    std::uint32_t dim;
    std::uint32_t centre;
    std::uint32_t contexts = 0; // 0: nothing to learn
    std::uint32_t lists = 0;    // of negatives: 1, or `contexts`
    std::uint32_t stride = 0;   // where list l begins: at negative[l * stride]
    std::uint32_t context[kMostContexts];
    std::uint32_t count[kMostContexts]; // of the list's negatives
    std::uint32_t negative[kMostContexts * SkipGramModel::kMostNegatives];

    /// visit(g) for every vector that a step on it increments, as often as it does, in the order of its increments.
    void for_each_increment(const auto& visit) const {
        for (std::uint32_t n = 0; n < contexts; ++n) visit(context[n]);
        if (contexts > 0) visit(words + centre);
        for (std::uint32_t l = 0; l < lists; ++l) {
            for (std::uint32_t k = 0; k < count[l]; ++k) visit(words + negative[l * stride + k]);
        }
    }

    /// visit(j) for every coordinate that a step on it increments, as often as it does.
    void for_each_coordinate(const auto& visit) const {
        for_each_increment([&](std::uint32_t group) {
            for (std::uint32_t k = 0; k < dim; ++k) visit(group * dim + k);
        });
    }

    /// visit(g) for every group of coordinates that it touches, rising, each once.
    void for_each_group(const auto& visit) const {
        std::uint32_t groups[kMostContexts + 1 + kMostContexts * SkipGramModel::kMostNegatives];
        std::uint32_t* end = groups;
        for_each_increment([&](std::uint32_t group) {
            std::uint32_t* const at = std::lower_bound(groups, end, group);
            if (at != end && *at == group) return;
            std::copy_backward(at, end, end + 1);
            *at = group;
            ++end;
        });
        for (const std::uint32_t* group = groups; group != end; ++group) visit(*group);
    }
};

struct TokensView {
    static constexpr std::string_view kSamples = "text";
    static constexpr bool kMovable = false;
    static constexpr std::uint32_t kFirst = 1u << 31; // of an id: the word is the first of a sentence
    static constexpr std::uint32_t kFarthest = 1024;  // places to either side that a window may reach
    static constexpr std::uint32_t kSets = 2;         // of pairs

    static constexpr std::uint32_t together(std::uint64_t) { return 256; }

    const std::uint32_t* tokens = nullptr; // `rows` ids below `words`, some with kFirst
    const float* rarity = nullptr;         // of each word 1 / sqrt(its share of the text)
    const AliasSlot* noise = nullptr;      // `words` of them
    std::uint64_t rows = 0;
    std::uint32_t words = 0;
    std::uint32_t pair_count[kSets] = {};  // whose words the vocabulary has
    std::uint32_t pairs_asked[kSets] = {}; // all
    std::uint32_t analogy_count = 0;
    std::uint32_t analogies_asked = 0;
    const WordPair* pairs[kSets] = {};
    const Analogy* analogies = nullptr;
    SkipGramModel model;

    HOGWILD_HOST_DEVICE std::uint32_t groups() const { return 2 * words; }
    HOGWILD_HOST_DEVICE std::uint32_t coordinates() const { return groups() * model.dim; }
    HOGWILD_HOST_DEVICE std::uint64_t bytes() const { return rows * sizeof(std::uint32_t); }
    HOGWILD_HOST_DEVICE bool dense() const { return false; }

    /// On average, of windows that no sentence's end cuts.
    HOGWILD_HOST_DEVICE std::uint64_t nonzeros() const {
        const double contexts = model.window + 1.0, lists = model.shared ? 1 : contexts;
        return static_cast<std::uint64_t>(model.kept * model.dim * (contexts + 1 + lists * model.negatives));
    }

    /// Scores are one of each set of pairs, then the analogies'.
    std::string_view why_unscored(std::size_t score) const {
        if ((score < kSets ? pair_count[score] : analogy_count) > 0) return "";
        return score < kSets ? "no pairs of its words (--similarity FILE)"
                             : "no analogies of its words (--analogies FILE)";
    }

    /// A window may hold one word in all of its places, and draw it again and again.
    std::uint64_t most_repeats() const {
        const std::uint64_t contexts = 2 * std::uint64_t{model.window}, lists = model.shared ? 1 : contexts;
        return std::max(contexts, 1 + lists * model.negatives);
    }

    std::string_view why_idle() const {
        return model.kept < 1 ? "subsampling keeps no word of so short a text (--subsample 0 keeps all)" : "";
    }

    /// visit(array, entries) for every array of a view; each may be moved by the visit.
    static void for_each_array(auto& view, const auto& visit) {
        visit(view.tokens, view.rows);
        visit(view.rarity, std::uint64_t{view.words});
        visit(view.noise, std::uint64_t{view.words});
        for (std::uint32_t s = 0; s < kSets; ++s) visit(view.pairs[s], std::uint64_t{view.pair_count[s]});
        visit(view.analogies, std::uint64_t{view.analogy_count});
    }

    /// One vocabulary has one size.
    TokensView widened(const TokensView&) const { return *this; }

    /// visit(begin, end) for every range of coordinates that a group has.
    void for_each_range(std::uint32_t group, const auto& visit) const {
        visit(group * model.dim, (group + 1) * model.dim);
    }

    HOGWILD_HOST_DEVICE std::uint32_t word(std::uint64_t i) const { return tokens[i] & ~kFirst; }

    /// The probability that an occurrence of the word is kept; above 1 it surely is.
    HOGWILD_HOST_DEVICE float keep(std::uint32_t word) const {
        const float x = model.root_subsample * rarity[word];
        return model.root_subsample == 0 ? 1.0f : x + x * x;
    }

    HOGWILD_HOST_DEVICE bool kept(std::uint64_t i, std::uint64_t bits) const {
        return unit_float(static_cast<std::uint32_t>(bits >> 32)) < keep(word(i));
    }

    /// The most contexts to either side.
    HOGWILD_HOST_DEVICE std::uint32_t reach(std::uint64_t bits) const {
        return 1 + static_cast<std::uint32_t>(((bits & 0xFFFFFFFF) * std::uint64_t{model.window}) >> 32);
    }

    HOGWILD_HOST_DEVICE std::uint32_t draw_negative(std::uint64_t bits) const {
        return draw(noise, words, static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits));
    }

    HOGWILD_HOST_DEVICE TokenWindow window(std::uint64_t i, const TokenDraws& draws) const {
        TokenWindow window;
        window.words = words;
        window.dim = model.dim;
        window.centre = word(i);
        const std::uint64_t bits = draws.of(i);
        if (!kept(i, bits)) return window;
        const std::uint64_t first = i < kFarthest ? 0 : i - kFarthest,
                            last = i + kFarthest < rows ? i + kFarthest : rows - 1;
        const auto take = [&](std::uint64_t j, std::uint32_t& left) {
            if (!kept(j, draws.of(j))) return;
            window.context[window.contexts++] = word(j);
            --left;
        };
        std::uint32_t left = reach(bits);
        for (std::uint64_t j = i; left > 0 && j > first && tokens[j] < kFirst;) take(--j, left);
        left = reach(bits);
        for (std::uint64_t j = i; left > 0 && j < last && tokens[j + 1] < kFirst;) take(++j, left);
        window.lists = window.contexts == 0 ? 0 : model.shared ? 1 : window.contexts;
        window.stride = model.negatives;
        for (std::uint32_t l = 0; l < window.lists; ++l) {
            window.count[l] = 0;
            for (std::uint32_t k = 0; k < model.negatives; ++k) {
                const std::uint32_t at = l * model.negatives, drawn = draw_negative(draws.negative(i, at + k));
                window.negative[at + window.count[l]] = drawn;
                window.count[l] += drawn != window.centre ? 1 : 0;
            }
        }
        return window;
    }

    HOGWILD_HOST_DEVICE TokenWindow drawn(std::uint64_t i, std::uint64_t seed, std::uint32_t epoch) const {
        return window(i, TokenDraws(seed, epoch));
    }

    /// What stands for the position's window where no run is at hand.
    HOGWILD_HOST_DEVICE TokenWindow row(std::uint64_t i) const { return drawn(i, 0, 0); }
};

} // namespace hogwild
