#include "engine/order/hot_ranges.h"
#include "engine/plan/plan.h"

#include "engine/data/ratings/group_use.h"
#include "engine/memory/viewed_pages.h"
#include "engine/run.h"
#include "tests/engine/toys/toy_graph.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs pairs(const std::vector<CoordinateRange>& ranges) {
    Pairs pairs;
    for (const auto& [begin, end] : ranges) pairs.push_back({begin, end});
    return pairs;
}

Pairs hottest(const std::vector<float>& lines, std::uint32_t pages) { return pairs(hottest_pages(lines, 2, pages)); }

Plan replicated(Plan plan, std::uint32_t hot) {
    plan.hot.updates = "replicated";
    plan.hot.count = hot;
    return plan;
}

/// How many lines of each page samples touch, counted coordinate by coordinate, where lines are of one group but for biases.
std::vector<std::uint64_t> visits(const AnyView& data, std::uint32_t page) {
    std::vector<std::uint64_t> visits(data.coordinates() / page + 1);
    data.visit([&](const auto& view) {
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            std::set<std::uint32_t> lines;
            view.row(i).for_each_coordinate([&](std::uint32_t j) { lines.insert(j / 16); });
            for (const std::uint32_t line : lines) ++visits[line * 16 / page];
        }
    });
    return visits;
}

} // namespace

TEST_CASE("the hottest pages are those whose lines are touched most, neighbours make one range, the first of two alike "
          "comes first") {
    const std::vector<float> lines{0, 1, 5, 0, 3, 3, 1, 0, 2}; // pages of 1, 5, 6, 1, 2
    CHECK(hottest(lines, 0) == Pairs{});
    CHECK(hottest(lines, 1) == Pairs{{64, 96}});
    CHECK(hottest(lines, 2) == Pairs{{32, 96}});
    CHECK(hottest(lines, 3) == Pairs{{32, 96}, {128, 144}}); // the last page is half a one
    CHECK(hottest(lines, 4) == Pairs{{0, 96}, {128, 144}});
    CHECK(hottest(lines, 5) == Pairs{{0, 144}});
    CHECK(hottest(lines, 9) == Pairs{{0, 144}});
}

TEST_CASE("hot pages make no more ranges than a system maps, and go on beside them") {
    std::vector<float> lines(8 * kMostRanges, 1.0f);
    for (std::size_t page = 0; page < lines.size() / 2; page += 2) lines[2 * page] = 2; // every second page is hotter
    const auto most = static_cast<std::uint32_t>(kMostRanges);
    CHECK(hottest(lines, most).size() == kMostRanges);
    CHECK(hottest(lines, most + 1).size() == kMostRanges - 1); // a page between two
    std::uint64_t held = 0;
    for (const auto& [begin, end] : hottest(lines, most + 40)) held += end - begin;
    CHECK(held == (most + 40) * 32);
}

TEST_CASE("a group's use is the share of the samples that touch it, and a line's that of all groups with some of it") {
    const Dataset ratings = ratings_dataset(random_ratings(500, 30, 7, {}, 3));
    Plan plan = ratings_plan("hogwild", 2);
    plan.parameters = {24, 1}; // a line and a half
    const AnyView data = bound(ratings.view(), plan);
    const GroupUse use = group_use(data);
    std::vector<double> touched(data.coordinates()), lines(use.lines.size());
    for (std::uint64_t i = 0; i < data.rows(); ++i) {
        const FactorPair pair = data.as<RatingsView>().row(i);
        pair.for_each_coordinate([&](std::uint32_t j) { touched[j] += 1.0 / 500; });
        for (const std::uint32_t begin : {pair.user, pair.item}) {
            for (std::uint32_t line = begin / 16; line * 16 < begin + 24; ++line) lines[line] += 1.0 / 500;
        }
        for (const std::uint32_t bias : {pair.user_bias, pair.item_bias}) lines[bias / 16] += 1.0 / 500;
    }
    for (std::uint32_t j = 0; j < touched.size(); ++j) CHECK(use.touched[j] == doctest::Approx(touched[j]));
    for (std::uint32_t line = 0; line < lines.size(); ++line) CHECK(use.lines[line] == doctest::Approx(lines[line]));
}

TEST_CASE("hot pages of ratings are those of popular items and biases, of texts those of frequent words, of graphs "
          "those of hubs") {
    const auto page = static_cast<std::uint32_t>(page_size() / sizeof(float));
    // Items come behind users, and each is rated a hundred times as often.
    const std::uint32_t users = 1'000, items = 10;
    const Dataset ratings = ratings_dataset(random_ratings(20'000, users, items, {}, 4));
    Plan factorization = ratings_plan("hogwild", 2);
    factorization.parameters = {64, 1};
    // Words are numbered by how rare they are; a node in two thousand has every third edge.
    TestText text;
    for (std::uint32_t i = 0; i < 6'000; ++i)
        text.tokens.push_back((i % 3 == 0 ? 1'999 : i % 2'000) | (i % 20 == 0 ? TokensView::kFirst : 0));
    text.count(2'000);
    const Dataset words = text_dataset(text);
    Plan skipgram = text_plan("hogwild", 2);
    skipgram.parameters[0] = 16;
    TestGraph graph = random_graph(20'000, 2'000, 16, 5);
    for (std::size_t i = 0; i < graph.edges.size(); i += 3)
        graph.edges[i] = {700, 701 + static_cast<std::uint32_t>(i) % 1'000, 1};
    const Dataset edges = graph_dataset(std::move(graph));
    const Plan cut = cut_plan("hogwild", 2);

    for (const auto& [plan, samples, hub] :
         {std::tuple{factorization, ratings, users * 64}, {skipgram, words, 1'999u * 16}, {cut, edges, 700u * 16}}) {
        const std::string& problem = plan.problem;
        CAPTURE(problem);
        const AnyView data = bound(samples.view(), plan);
        const std::vector<std::uint64_t> heat = visits(data, page);
        for (const std::uint32_t pages : {1u, 3u}) {
            const auto ranges = hot_ranges(replicated(plan, (pages - 1) * page + 1), data); // rounded up to whole pages
            std::vector<bool> hot(heat.size());
            std::uint32_t held = 0;
            for (const auto& [begin, end] : ranges) {
                CHECK(begin % page == 0);
                CHECK((end % page == 0 || end == data.coordinates()));
                for (std::uint32_t p = begin / page; p * page < end; ++p, ++held) hot[p] = true;
            }
            CHECK(held == pages);
            std::uint64_t coldest = ~std::uint64_t{0}, warmest = 0;
            for (std::size_t p = 0; p < heat.size(); ++p) {
                if (hot[p])
                    coldest = std::min(coldest, heat[p]);
                else
                    warmest = std::max(warmest, heat[p]);
            }
            CHECK(static_cast<double>(coldest) > 0.99 * static_cast<double>(warmest)); // two biases may share a line
            if (pages == 3) CHECK(hot[hub / page]);
        }
    }
}

TEST_CASE("hot columns of sparse rows come first, in whole cache lines, and plans that own none have no hot ranges") {
    const Dataset data = crowded();
    Plan plan = toy_plan("hogwild", 2);
    plan.hot.updates = "delayed";
    plan.hot.count = 20;
    CHECK(pairs(hot_ranges(plan, data.view())) == Pairs{{0, 32}});
    plan.hot.count = 40;
    CHECK(pairs(hot_ranges(plan, data.view())) == Pairs{{0, 40}});
    for (const std::string updates : {"direct", "thinned"}) {
        plan.hot.updates = updates;
        CHECK(hot_ranges(plan, data.view()).empty());
    }
}
