#include "engine/record/word_scores.h"

#include "engine/machine/parallel.h"
#include "engine/record/evaluate.h"
#include "engine/record/evaluate_tokens.h"
#include "kernels/problems/skipgram.h"
#include "tests/random_text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace hogwild;

namespace {

/// By counting: a value's rank is 1 + how many are smaller + half of how many others are equal.
double by_counting(const std::vector<double>& a, const std::vector<double>& b) {
    const auto rank = [](const std::vector<double>& of, std::size_t i) {
        double rank = 1;
        for (std::size_t j = 0; j < of.size(); ++j) {
            if (j != i) rank += of[j] < of[i] ? 1 : of[j] == of[i] ? 0.5 : 0;
        }
        return rank;
    };
    const double mean = (static_cast<double>(a.size()) + 1) / 2;
    double products = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        products += (rank(a, i) - mean) * (rank(b, i) - mean);
        x += std::pow(rank(a, i) - mean, 2);
        y += std::pow(rank(b, i) - mean, 2);
    }
    return products / std::sqrt(x * y);
}

} // namespace

TEST_CASE("Spearman's correlation is that of ranks, the average one for ties") {
    CHECK(spearman(std::vector<double>{1, 2, 3}, std::vector<double>{10, 200, 3000}) == doctest::Approx(1));
    CHECK(spearman(std::vector<double>{1, 2, 3}, std::vector<double>{3, 2, 1}) == doctest::Approx(-1));
    CHECK(std::isnan(spearman(std::vector<double>{1, 1, 1}, std::vector<double>{3, 2, 1})));
    CHECK(std::isnan(spearman({}, {})));
    CHECK(std::isnan(spearman(std::vector<double>{1}, std::vector<double>{1})));
    TestNumbers numbers(1);
    for (int round = 0; round < 50; ++round) {
        std::vector<double> a, b;
        for (int i = 0; i < 40; ++i) { // few values: many ties
            a.push_back(numbers.bits() % (round < 25 ? 5 : 1000));
            b.push_back(numbers.bits() % 7 + a.back() / 2);
        }
        CHECK(spearman(a, b) == doctest::Approx(by_counting(a, b)));
    }
}

TEST_CASE("similarity ranks pairs by their cosines, whatever the vectors' lengths") {
    const std::vector<float> vectors{1, 0, 2, 0.1f, 0, 30, 0, 0}; // words 0 and 1 alike, 2 across, 3 nothing
    const std::vector<WordPair> agreed{{0, 1, 9}, {0, 2, 1}, {1, 2, 2}}, turned{{0, 1, 1}, {0, 2, 9}, {1, 2, 5}};
    CHECK(similarity_score(vectors.data(), 2, agreed) == doctest::Approx(1));
    CHECK(similarity_score(vectors.data(), 2, turned) == doctest::Approx(-1));
    const std::vector<WordPair> nothing{{0, 3, 1}, {0, 2, 1}, {0, 1, 2}};
    CHECK(similarity_score(vectors.data(), 2, nothing) == doctest::Approx(1));
    CHECK(std::isnan(similarity_score(vectors.data(), 2, {})));
}

TEST_CASE("an analogy is solved by the largest cosine among words that it does not name") {
    TestNumbers numbers(3);
    constexpr std::uint32_t kWords = 2'500, kDim = 19; // more than one block of words
    const std::vector<float> vectors = numbers.vector<float>(kWords * kDim);
    std::vector<Analogy> questions;
    std::uint64_t right = 0;
    for (int i = 0; i < 60; ++i) {
        const std::uint32_t a = numbers.bits() % kWords, b = numbers.bits() % kWords, c = numbers.bits() % kWords;
        const auto at = [&](std::uint32_t w, std::uint32_t k) {
            double square = 0;
            for (std::uint32_t j = 0; j < kDim; ++j) square += std::pow(double{vectors[w * kDim + j]}, 2);
            return vectors[w * kDim + k] / std::sqrt(square);
        };
        std::uint32_t best = 0;
        double most = -1e9;
        for (std::uint32_t w = 0; w < kWords; ++w) {
            if (w == a || w == b || w == c) continue;
            double score = 0;
            for (std::uint32_t k = 0; k < kDim; ++k) score += at(w, k) * (at(b, k) - at(a, k) + at(c, k));
            if (score > most) {
                most = score;
                best = w;
            }
        }
        const bool solvable = i % 3 != 0;
        questions.push_back({a, b, c, solvable ? best : (best + 1) % kWords});
        right += solvable ? 1 : 0;
    }
    const double expected = static_cast<double>(right) / 60;
    const unsigned before = parallelism();
    for (const unsigned threads : {1u, 3u}) {
        set_parallelism(threads);
        CHECK(analogy_accuracy(vectors.data(), kWords, kDim, questions) == expected);
    }
    set_parallelism(before);
    CHECK(std::isnan(analogy_accuracy(vectors.data(), kWords, kDim, {})));
}

TEST_CASE("the loss of a text is the mean over its positions' usual windows, the same at any thread count") {
    const TestText text = random_text(700, 30, 20, 4);
    TokensView data = text.view({9, 5, 5, 1e-2, 1});
    const std::vector<WordPair> pairs{{0, 1, 3}, {2, 3, 1}, {4, 5, 2}};
    data.pairs[1] = pairs.data();
    data.pair_count[1] = 3;
    const std::vector<float> weights = TestNumbers(1).vector<float>(data.coordinates());
    std::vector<std::uint32_t> all(700);
    for (std::uint32_t i = 0; i < 700; ++i) all[i] = i;
    const double expected = TokenWindows::mean_loss<SkipGram>(data, all.data(), 700, weights.data(), 1, nullptr);
    const unsigned before = parallelism();
    const float* const snapshot = weights.data();
    std::vector<double> losses;
    for (const unsigned threads : {1u, 2u, 5u}) {
        set_parallelism(threads);
        const Losses found = evaluate("skipgram", data, {&snapshot, 1})[0];
        losses.push_back(found.mean_loss);
        CHECK(found.mean_loss == doctest::Approx(expected).epsilon(1e-5));
        CHECK(std::isnan(found.scores[0]));
        CHECK(found.scores[1] == similarity_score(weights.data(), 9, pairs));
        CHECK(std::isnan(found.scores[2]));
    }
    set_parallelism(before);
    CHECK(losses[0] == losses[1]);
    CHECK(losses[0] == losses[2]);
}

TEST_CASE("weights that are not finite score an infinite loss, also where no window looks") {
    const TestText text = random_text(50, 10, 20, 4);
    const TokensView data = text.view({3, 5, 5, 0, 1});
    std::vector<float> weights(data.coordinates());
    weights.back() = NAN;
    const float* const snapshot = weights.data();
    CHECK(std::isinf(evaluate("skipgram", data, {&snapshot, 1})[0].mean_loss));
}
