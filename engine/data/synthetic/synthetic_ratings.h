// Planted ratings: users, items and factors are known, so that there is something to find.
//
//   r = mean + b_u + c_i + p_u . q_i + noise,   rounded to whole stars from 1 to `stars` where there are any
//
// Users and items are drawn from Zipf distributions, P(rank) ~ 1 / rank^zipf, their ids in random order. Biases and
// factors are bell-shaped: biases have deviation 0.3, the product of factors 0.7 at any rank. A pair may be drawn more
// than once, as rarely as chance has it.
//
// The same bits on every machine and at any number of threads: every rating has its own Philox counters, and everything
// is IEEE arithmetic. Held-out ratings use a disjoint range of counters and the same planted factors.
#pragma once

#include "engine/data/ratings/ratings.h"

#include <cstdint>
#include <memory>
#include <string>

namespace hogwild {

struct RatingsRecipe {
    std::uint64_t ratings = 100'000;
    std::uint32_t users = 1'000;
    std::uint32_t items = 500;
    std::uint32_t rank = 10; // of the planted factors
    double user_zipf = 0.4, item_zipf = 0.5;
    double noise = 0.5; // deviation
    double mean = 3.5;
    std::uint32_t stars = 0; // 0: ratings are any number
    bool held_out = false;   // a tenth as many ratings (rounded up)
    std::uint64_t seed = 1;
};

/// Reads "synthetic:netflix", "synthetic:netflix/100" (users and ratings divided), "synthetic:jumbo/1000" (users, items and ratings
/// divided), "synthetic:tiny", or "synthetic:ratings=100000,users=1000,items=500,rank=10,user-zipf=0.4,item-zipf=0.5,noise=0.5,
/// mean=3.5,stars=5,held-out", or a preset followed by such keys. Throws Error (Failure::kUsage) that names the known keys.
RatingsRecipe parse_synthetic_ratings(const std::string& name, std::uint64_t seed);

/// Every field in a fixed order; two recipes generate the same bits if and only if these texts are equal.
std::string to_string(const RatingsRecipe& recipe);

/// Draws them in parallel. The array's mean is that of these ratings. Throws Error where the memory does not suffice.
std::shared_ptr<RatingsArray> generate(const RatingsRecipe& recipe);

} // namespace hogwild
