// Small random texts for tests.
#pragma once

#include "kernels/patterns/token_windows.h"
#include "tests/random_samples.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace hogwild {

/// Owns the text it views. Negatives are drawn uniformly.
struct TestText {
    std::vector<std::uint32_t> tokens;
    std::vector<float> rarity;
    std::vector<AliasSlot> noise;

    /// With a model: dim, negatives, window, subsample, shared negatives.
    TokensView view(const std::vector<double>& parameters) const { return TokenWindows::bound(view(), {parameters}); }

    TokensView view() const {
        TokensView view;
        view.tokens = tokens.data();
        view.rarity = rarity.data();
        view.noise = noise.data();
        view.rows = tokens.size();
        view.words = static_cast<std::uint32_t>(rarity.size());
        return view;
    }

    /// Fills the tables; every word must occur.
    void count(std::uint32_t words) {
        std::vector<double> counts(words);
        for (const std::uint32_t token : tokens) ++counts[token & ~TokensView::kFirst];
        for (std::uint32_t w = 0; w < words; ++w) {
            rarity.push_back(static_cast<float>(std::sqrt(static_cast<double>(tokens.size()) / counts[w])));
            noise.push_back({~0u, w});
        }
    }
};

/// Sentences of about `sentence` words, low ids more frequent.
inline TestText random_text(std::uint64_t tokens, std::uint32_t words, std::uint32_t sentence, std::uint64_t seed) {
    TestNumbers numbers(seed);
    TestText text;
    for (std::uint64_t i = 0; i < tokens; ++i) {
        const std::uint32_t a = numbers.bits() % words, b = numbers.bits() % words; // the smaller of the two
        const std::uint32_t word = i < words ? static_cast<std::uint32_t>(i) : a < b ? a : b;
        text.tokens.push_back(word | (i == 0 || numbers.bits() % sentence == 0 ? TokensView::kFirst : 0));
    }
    text.count(words);
    return text;
}

} // namespace hogwild
