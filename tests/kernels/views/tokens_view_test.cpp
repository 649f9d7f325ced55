#include "kernels/views/any_view.h"
#include "tests/random_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

using namespace hogwild;

namespace {

std::vector<std::uint32_t> groups_of(const TokenWindow& window) {
    std::vector<std::uint32_t> groups;
    window.for_each_group([&](std::uint32_t group) { groups.push_back(group); });
    return groups;
}

std::vector<std::uint32_t> contexts_of(const TokenWindow& window) {
    return {window.context, window.context + window.contexts};
}

/// One sentence of the words 0, 1, ..., each once.
TestText counting(std::uint32_t words) {
    TestText text;
    for (std::uint32_t w = 0; w < words; ++w) text.tokens.push_back(w | (w == 0 ? TokensView::kFirst : 0));
    text.count(words);
    return text;
}

} // namespace

TEST_CASE("a window holds neighbours up to a reach between 1 and `window`, all reaches equally often") {
    const TestText text = counting(10'000);
    const TokensView view = text.view({4, 1, 4, 0, 1});
    std::map<std::uint32_t, int> reaches;
    for (std::uint32_t i = 10; i < 9'990; ++i) {
        const TokenWindow window = view.row(i);
        std::vector<std::uint32_t> contexts = contexts_of(window);
        std::ranges::sort(contexts);
        REQUIRE(contexts.size() % 2 == 0);
        const auto reach = static_cast<std::uint32_t>(contexts.size() / 2);
        ++reaches[reach];
        for (std::uint32_t d = 1; d <= reach; ++d) {
            CHECK(contexts[reach - d] == i - d);
            CHECK(contexts[reach + d - 1] == i + d);
        }
    }
    CHECK(reaches.size() == 4);
    for (const auto& [reach, times] : reaches) {
        CHECK(reach >= 1);
        CHECK(std::abs(times - 9'980 / 4) < 5 * std::sqrt(9'980.0 * 0.25 * 0.75));
    }
}

TEST_CASE("no window reaches beyond its sentence, or the text's ends") {
    TestText text = counting(400);
    for (std::uint32_t i = 0; i < 400; i += 7) text.tokens[i] |= TokensView::kFirst;
    const TokensView view = text.view({4, 1, 16, 0, 1});
    for (std::uint32_t i = 0; i < 400; ++i) {
        const TokenWindow window = view.row(i);
        CHECK(window.contexts >= (i == 399 ? 0 : 1)); // the last word is a sentence by itself
        for (const std::uint32_t context : contexts_of(window)) CHECK(context / 7 == i / 7);
    }
}

TEST_CASE("a word is kept with probability x + x^2, x the root of subsample over its share, as centre and as context") {
    const TestText text = random_text(200'000, 20, 1'000'000, 3);
    const double subsample = 1e-2;
    const TokensView view = text.view({4, 1, 1, subsample, 1});
    std::vector<double> counts(20), centres(20);
    for (std::uint32_t i = 0; i < view.rows; ++i) {
        ++counts[view.word(i)];
        centres[view.word(i)] += view.row(i).contexts > 0 ? 1 : 0;
    }
    double kept = 0;
    for (std::uint32_t w = 0; w < 20; ++w) {
        const double share = counts[w] / static_cast<double>(view.rows), x = std::sqrt(subsample / share);
        const double keep = std::min(1.0, x + x * x);
        kept += keep * counts[w];
        CHECK(view.keep(w) == doctest::Approx(x + x * x).epsilon(1e-5));
        CHECK(std::abs(centres[w] - keep * counts[w]) <= 5 * std::sqrt(counts[w] * keep * (1 - keep)) + 1);
    }
    CHECK(view.model.kept == doctest::Approx(kept).epsilon(1e-5));
}

TEST_CASE("words that are not kept are skipped: contexts lie further away") {
    TestText text = counting(64); // every word a 64th: kept with probability 1/4 + 1/16
    const TokensView view = text.view({4, 1, 1, 1.0 / 64 / 16, 1});
    bool further = false;
    for (std::uint32_t i = 0; i < 64; ++i) {
        for (const std::uint32_t context : contexts_of(view.row(i))) further |= context + 1 < i || context > i + 1;
    }
    CHECK(further);
}

TEST_CASE("a list of negatives has words other than the centre; there is one list, or one for each context") {
    const TestText text = random_text(3'000, 30, 50, 4);
    for (const double shared : {1.0, 0.0}) {
        const TokensView view = text.view({4, 6, 3, 0, shared});
        std::vector<double> drawn(30);
        double lists = 0;
        for (std::uint32_t i = 0; i < view.rows; ++i) {
            const TokenWindow window = view.row(i);
            CHECK(window.lists == (window.contexts == 0 ? 0 : shared != 0 ? 1 : window.contexts));
            lists += window.lists;
            for (std::uint32_t l = 0; l < window.lists; ++l) {
                CHECK(window.count[l] <= 6);
                for (std::uint32_t k = 0; k < window.count[l]; ++k) {
                    CHECK(window.negative[l * window.stride + k] != window.centre);
                    ++drawn[window.negative[l * window.stride + k]];
                }
            }
        }
        const double each = lists * 6 / 30; // less where the word is the centre
        for (const double times : drawn) CHECK(times == doctest::Approx(each).epsilon(0.2));
    }
}

TEST_CASE("a window is a function of seed, epoch and position alone, and differs with each") {
    const TestText text = random_text(500, 40, 20, 5);
    const TokensView view = text.view({4, 5, 5, 1e-1, 1});
    const auto same = [&](const TokenDraws& a, const TokenDraws& b) {
        std::uint32_t equal = 0;
        for (std::uint32_t i = 0; i < view.rows; ++i)
            equal += groups_of(view.window(i, a)) == groups_of(view.window(i, b)) ? 1 : 0;
        return equal;
    };
    CHECK(same({1, 0}, {1, 0}) == 500);
    CHECK(same({1, 0}, {1, 1}) < 400);
    CHECK(same({1, 0}, {2, 0}) < 400);
}

TEST_CASE("a window's groups rise, each once; its coordinates are theirs, as often as they are incremented") {
    const TestText text = random_text(400, 12, 30, 6); // few words: the same ones occur in one window
    for (const double shared : {1.0, 0.0}) {
        const TokensView view = text.view({3, 4, 5, 0, shared});
        for (std::uint32_t i = 0; i < view.rows; ++i) {
            const TokenWindow window = view.row(i);
            std::vector<std::uint32_t> all;
            window.for_each_increment([&](std::uint32_t group) { all.push_back(group); });
            std::vector<std::uint32_t> coordinates;
            window.for_each_coordinate([&](std::uint32_t j) { coordinates.push_back(j); });
            REQUIRE(coordinates.size() == 3 * all.size());
            for (std::size_t k = 0; k < coordinates.size(); ++k) CHECK(coordinates[k] == 3 * all[k / 3] + k % 3);
            std::ranges::sort(all);
            all.erase(std::unique(all.begin(), all.end()), all.end());
            CHECK(groups_of(window) == all);
            if (!all.empty()) CHECK(all.back() < view.groups());
        }
    }
}

TEST_CASE("a text says its shape, and has one vocabulary") {
    const TestText text = random_text(1'000, 40, 20, 7);
    const AnyView view = text.view({8, 5, 5, 0, 1});
    CHECK(view.is<TokensView>());
    CHECK(view.groups() == 80);
    CHECK(view.coordinates() == 640);
    CHECK(view.rows() == 1'000);
    CHECK(view.bytes() == 4'000);
    CHECK(view.nonzeros() ==
          doctest::Approx(1'000 * 8 * (6 + 6)).epsilon(1e-3)); // 6 contexts on average, and 1 + 5 outputs
    CHECK_FALSE(view.dense());
    CHECK_FALSE(view.movable());
    CHECK(AnyView(text.view({8, 5, 5, 0, 0})).nonzeros() == doctest::Approx(1'000 * 8 * (6 + 1 + 30)).epsilon(1e-3));
}
