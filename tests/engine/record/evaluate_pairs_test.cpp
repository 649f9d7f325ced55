#include "engine/record/evaluate.h"

#include "engine/machine/parallel.h"
#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace hogwild;

namespace {

Losses evaluated(const RatingsView& data, const std::vector<float>& weights) {
    const float* const snapshot = weights.data();
    return evaluate("factorization", data, {&snapshot, 1})[0];
}

} // namespace

TEST_CASE("losses of ratings are their means, in double") {
    for (const FactorModel& model : {FactorModel{8, true, 3.5f, 0.1f}, {13, false, 3.5f, 0.1f}, {1, true, 0, 0}}) {
        const TestRatings ratings = random_ratings(10'000, 50, 30, model, 4);
        const RatingsView data = ratings.view();
        const std::vector<float> weights = TestNumbers(5).vector<float>(data.coordinates());
        long double value = 0, norm = 0;
        for (std::uint64_t i = 0; i < data.rows; ++i) {
            const FactorPair pair = data.row(i);
            long double prediction =
                model.biased ? model.mean + static_cast<long double>(weights[pair.user_bias]) + weights[pair.item_bias]
                             : 0;
            for (std::uint32_t k = 0; k < model.rank; ++k)
                prediction += static_cast<long double>(weights[pair.user + k]) * weights[pair.item + k];
            value += (prediction - pair.rating) * (prediction - pair.rating) / 2;
            pair.for_each_coordinate(
                [&](std::uint32_t j) { norm += static_cast<long double>(weights[j]) * weights[j]; });
        }
        const Losses found = evaluated(data, weights);
        CHECK(found.mean_loss == doctest::Approx(static_cast<double>(value / data.rows)).epsilon(1e-13));
        CHECK(found.squared_norm == doctest::Approx(static_cast<double>(norm / data.rows)).epsilon(1e-13));
        CHECK(found.scores[0] == doctest::Approx(std::sqrt(2 * found.mean_loss)).epsilon(1e-14));
    }
}

TEST_CASE("losses of ratings have the same bits at any number of threads, alone or among others") {
    const TestRatings ratings = random_ratings(30'000, 50, 30, {19, true, 3.5f, 0.1f}, 4);
    const RatingsView data = ratings.view();
    const std::vector<float> weights = TestNumbers(5).vector<float>(data.coordinates());
    const unsigned before = parallelism();
    set_parallelism(1);
    const Losses one = evaluated(data, weights);
    for (const unsigned threads : {2u, 5u}) {
        set_parallelism(threads);
        const Losses many = evaluated(data, weights);
        CHECK(std::memcmp(&one, &many, sizeof one) == 0);
    }
    set_parallelism(before);
    const float* const snapshots[] = {weights.data(), weights.data(), weights.data()};
    for (const Losses& each : evaluate("factorization", data, snapshots))
        CHECK(std::memcmp(&one, &each, sizeof one) == 0);
}

TEST_CASE("a factor that is not finite is a loss of infinity, also where no rating looks") {
    TestRatings ratings = random_ratings(10, 5, 4, {3, true, 0, 0}, 4);
    ratings.users = 6; // the last has rated nothing
    std::vector<float> weights(ratings.view().coordinates(), 0.5f);
    CHECK(std::isfinite(evaluated(ratings.view(), weights).mean_loss));
    weights[5 * 3 + 1] = std::numeric_limits<float>::infinity();
    CHECK(evaluated(ratings.view(), weights).mean_loss == std::numeric_limits<double>::infinity());
}

TEST_CASE("no ratings have no loss") {
    const TestRatings none{{}, 2, 2, {3, true, 0, 0}};
    const std::vector<float> weights(none.view().coordinates());
    CHECK(std::isnan(evaluated(none.view(), weights).mean_loss));
}
