#include "engine/plan/plan.h"
#include "experiments/inputs/placements.h"

#include "engine/run.h"
#include "tests/engine/toys/toy_ratings.h"

#include <doctest/doctest.h>

#include <cstring>
#include <optional>
#include <utility>

using namespace hogwild;

namespace {

constexpr std::uint32_t kPlacedRows = 200'000;

Plan ordered(const std::string& scheme, const std::string& order) {
    Plan plan = ratings_plan(scheme);
    plan.order = order;
    plan.epochs = 2;
    return plan;
}

} // namespace

TEST_CASE("ratings that all runs want in tiles are held once, and trained on as a copy in tiles is") {
    const TestRatings ratings = random_ratings(kPlacedRows, 3'000, 900, {.mean = 2}, 6);
    const Plan serial = ordered("serial", "permutation"), hogwild = ordered("hogwild", "permutation");
    const Dataset shared = counted_dataset(ratings);
    Dataset given = counted_dataset(ratings);
    const std::uint64_t before = Pages::held();
    Pages::watch();
    const Placements placements(std::move(given), {}, {serial, hogwild});
    CHECK(Pages::most_held() < before + kPlacedRows); // the tiles' table, and less than a tenth of the ratings
    CHECK_FALSE(placements.of(hogwild).shuffled);
    const Outcome in_place = run(serial, {.train = placements.of(serial).train}),
                  copied = run(serial, {.train = shared});
    CHECK(in_place.weights == copied.weights);
    REQUIRE(in_place.observations.size() == copied.observations.size());
    for (std::size_t i = 0; i < copied.observations.size(); ++i)
        CHECK(in_place.observations[i].train_loss == copied.observations[i].train_loss);
}

TEST_CASE("where some run wants ratings as they are stored, they stay so beside the tiles") {
    const TestRatings ratings = random_ratings(kPlacedRows, 3'000, 900, {.mean = 2}, 6);
    for (const std::string order : {"stored", "replacement"}) {
        const Plan tiles = ordered("serial", "permutation"), other = ordered("serial", order);
        const Placements placements(counted_dataset(ratings), {}, {tiles, other});
        const PlacedSamples& samples = placements.of(other);
        CHECK(std::memcmp(samples.train.view().as<RatingsView>().ratings, ratings.ratings.data(),
                          kPlacedRows * sizeof(Rating)) == 0);
        REQUIRE(samples.shuffled);
        CHECK(samples.shuffled->view().tiles().side > 1);
        const Outcome both = run(other, {.train = samples.train, .shuffled = &*samples.shuffled}),
                      alone = run(other, {.train = counted_dataset(ratings)});
        CHECK(both.weights == alone.weights);
    }
}

TEST_CASE("a run may leave its weights behind") {
    const Dataset data = counted_dataset(random_ratings(2'000, 30, 20, {.mean = 2}, 6));
    const Plan plan = ordered("serial", "permutation");
    const Outcome with = run(plan, {.train = data}), without = run(plan, {.train = data, .keeps_weights = false});
    CHECK(with.weights.size() == 50 * 9);
    CHECK(without.weights.empty());
    CHECK(without.observations.back().train_loss == with.observations.back().train_loss);
}
