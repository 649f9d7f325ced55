// Small data sets of ratings for the laws of schemes.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/ratings/ratings.h"
#include "tests/random_ratings.h"

#include <algorithm>
#include <memory>
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

} // namespace hogwild
