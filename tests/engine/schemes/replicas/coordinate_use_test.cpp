#include "engine/plan/plan.h"
#include "engine/schemes/replicas/coordinate_use.h"

#include "engine/run.h"
#include "tests/engine/toys/toy_graph.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

using namespace hogwild;

TEST_CASE(
    "losses of ratings are as steep along a factor as partners' factors are large, along a bias as it is rated often") {
    // Four ratings of deviation 2: user 0 has three of them, and item 1 has three.
    const TestRatings ratings{{{0, 1, 3}, {0, 1, -1}, {0, 0, 3}, {1, 1, -1}}, 2, 2, {.mean = 1}};
    Plan plan = ratings_plan("hogwild", 2);
    plan.parameters = {4, 1, 0};
    const double deviation = 2;
    for (const bool damped : {false, true}) {
        plan.parameters[2] = damped ? 1 : 0;
        const CoordinateUse use = coordinate_use(plan, bound(counted_dataset(ratings).view(), plan));
        CHECK(!use.over_step);
        const double shares[] = {0.75, 0.25, 0.25, 0.75}, dampings[] = {1 / std::sqrt(3), 1, 1, 1 / std::sqrt(3)};
        for (std::uint32_t group = 0; group < 4; ++group) {
            const double by = damped ? dampings[group] : 1;
            for (std::uint32_t k = 0; k < 4; ++k) {
                CHECK(use.touched[group * 4 + k] == doctest::Approx(shares[group]));
                CHECK(use.steepness[group * 4 + k] == doctest::Approx(by * shares[group] * deviation / 2));
            }
            CHECK(use.steepness[16 + group] == doctest::Approx(by * shares[group]));
        }
    }
}

TEST_CASE("a cut's nodes may go all the way in a step of any size, and words' vectors are of length one") {
    const TestGraph graph{{{0, 1, 5}, {0, 2, 1}}, 2, 3};
    const CoordinateUse nodes = coordinate_use(cut_plan("hogwild", 2), graph.view());
    CHECK(nodes.over_step);
    CHECK(nodes.steepness == std::vector<float>{1, 1, 1, 0.5f, 0.5f, 0.5f});

    Plan plan = text_plan("hogwild", 2);
    plan.parameters[0] = 6;
    const CoordinateUse words = coordinate_use(plan, bound(text_dataset(two_topics()).view(), plan));
    CHECK(!words.over_step);
    for (std::size_t j = 0; j < words.touched.size(); ++j)
        CHECK(words.steepness[j] == doctest::Approx(words.touched[j] / 4));
}
