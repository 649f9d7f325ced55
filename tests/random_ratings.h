// Small random ratings for tests.
#pragma once

#include "kernels/views/ratings_view.h"
#include "tests/random_samples.h"

#include <cstdint>
#include <vector>

namespace hogwild {

/// Owns the ratings it views.
struct TestRatings {
    std::vector<Rating> ratings;
    std::uint32_t users = 0;
    std::uint32_t items = 0;
    FactorModel model;

    RatingsView view() const { return {ratings.data(), ratings.size(), users, items, model}; }
};

/// Ratings of users and items drawn uniformly, between -2 and 2, around `model.mean`.
inline TestRatings random_ratings(std::uint64_t rows, std::uint32_t users, std::uint32_t items, FactorModel model,
                                  std::uint64_t seed) {
    TestNumbers numbers(seed);
    TestRatings ratings{{}, users, items, model};
    for (std::uint64_t i = 0; i < rows; ++i) {
        const std::uint32_t user = numbers.bits() % users, item = numbers.bits() % items;
        ratings.ratings.push_back({user, item, model.mean + 2 * numbers.number()});
    }
    return ratings;
}

} // namespace hogwild
