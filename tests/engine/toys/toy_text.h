// Small runs over text for the laws of schemes.
#pragma once

#include "engine/plan/plan.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/random_text.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hogwild {

struct TextStorage : DatasetStorage {
    TestText text;
    std::vector<WordPair> pairs;
};

/// Asked about these pairs, the first set.
inline Dataset text_dataset(TestText text, std::vector<WordPair> pairs = {}) {
    auto storage = std::make_shared<TextStorage>();
    storage->text = std::move(text);
    storage->pairs = std::move(pairs);
    TokensView view = storage->text.view();
    view.pairs[0] = storage->pairs.data();
    view.pair_count[0] = view.pairs_asked[0] = static_cast<std::uint32_t>(storage->pairs.size());
    return {"text", 1, view, storage};
}

inline Plan text_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan = toy_plan(scheme, threads);
    plan.problem = "skipgram";
    plan.parameters = {8, 5, 5, 1e-2, 1};
    plan.step = {.kind = "linear", .size = 0.05};
    plan.l2 = 0;
    return plan;
}

/// 6,000 words of a vocabulary of 20: a sentence has even words only, or odd ones.
inline TestText two_topics() {
    TestText text;
    TestNumbers numbers(9);
    for (std::uint32_t i = 0; i < 6'000; ++i) {
        const std::uint32_t word = 2 * (numbers.bits() % 10) + i / 20 % 2;
        text.tokens.push_back(word | (i % 20 == 0 ? TokensView::kFirst : 0));
    }
    text.count(20);
    return text;
}

/// The cosine of the inputs of words a and b.
inline double cosine(const std::vector<float>& weights, std::size_t dim, std::size_t a, std::size_t b) {
    double products = 0, squares_a = 0, squares_b = 0;
    for (std::size_t k = 0; k < dim; ++k) {
        const double x = weights[a * dim + k], y = weights[b * dim + k];
        products += x * y;
        squares_a += x * x;
        squares_b += y * y;
    }
    return products / std::sqrt(squares_a * squares_b);
}

} // namespace hogwild
