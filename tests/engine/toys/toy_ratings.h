// Small runs over ratings for the laws of schemes.
#pragma once

#include "engine/data/ratings/ratings.h"
#include "engine/plan/plan.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/random_ratings.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace hogwild {

struct RatingsStorage : DatasetStorage {
    TestRatings ratings;
};

inline Dataset ratings_dataset(TestRatings ratings) {
    auto storage = std::make_shared<RatingsStorage>();
    storage->ratings = std::move(ratings);
    const RatingsView view = storage->ratings.view();
    return {"ratings", 1, view, storage};
}

/// With the rarities of its users and items.
inline Dataset counted_dataset(const TestRatings& ratings) {
    auto array = std::make_shared<RatingsArray>();
    array->ratings = PageArray<Rating>(ratings.ratings.size());
    std::ranges::copy(ratings.ratings, array->ratings.data());
    array->users = ratings.users;
    array->items = ratings.items;
    array->mean = ratings.model.mean;
    array->count();
    const RatingsView view = array->view();
    return {"ratings", 1, view, std::move(array)};
}

inline Plan ratings_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan = toy_plan(scheme, threads);
    plan.problem = "factorization";
    plan.parameters = {8, 1};
    plan.step.size = 0.05;
    plan.l2 = 0.02;
    return plan;
}

} // namespace hogwild
