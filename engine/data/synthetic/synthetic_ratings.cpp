#include "engine/data/synthetic/synthetic_ratings.h"

#include "engine/data/synthetic/item_counter.h"
#include "engine/data/synthetic/normal_bits.h"
#include "engine/data/synthetic/zipf.h"
#include "engine/data/text/memory_limit.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "kernels/numbers/permutation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 4096;

// What a counter's random bits are for; no two uses share a counter.
enum class Use : std::uint32_t { kPair = 16, kNoise = 17, kFactor = 18 };

void check_memory(const RatingsRecipe& recipe, std::uint64_t ratings) {
    const double groups = static_cast<double>(recipe.users) + recipe.items;
    const double bytes = static_cast<double>(ratings) * sizeof(Rating) + groups * (4.0 * (recipe.rank + 1) + 24);
    const auto limit = static_cast<double>(default_array_limit());
    if (bytes <= limit) return;
    throw Error(Failure::kUsage, fmt::format("ratings of {:.1f} GiB do not fit", bytes / 0x1p30),
                fmt::format("{:.1f} GiB of memory may be used", limit / 0x1p30), "lower ratings, users, items or rank");
}

/// The factors of all users, then of all items, each with its bias in front.
std::vector<float> planted_factors(const RatingsRecipe& recipe, PhiloxKey key) {
    const std::uint64_t size = recipe.rank + 1;
    const double bias = 0.3, factor = std::sqrt(0.7 / std::sqrt(static_cast<double>(recipe.rank)));
    std::vector<float> factors((std::uint64_t{recipe.users} + recipe.items) * size);
    parallel_for(factors.size(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t k = begin; k < end; ++k) {
            const double number = bell(philox(counter_of(k, false, Use::kFactor, 0), key),
                                       philox(counter_of(k, false, Use::kFactor, 1), key));
            factors[k] = static_cast<float>((k % size == 0 ? bias : factor) * number);
        }
    });
    return factors;
}

class Drawing {
public:
    explicit Drawing(const RatingsRecipe& recipe)
        : recipe_(recipe),
          key_(philox_key(recipe.seed)),
          users_(recipe.users, recipe.user_zipf),
          items_(recipe.items, recipe.item_zipf),
          user_ids_(recipe.users, recipe.seed, 0),
          item_ids_(recipe.items, recipe.seed, 1),
          factors_(planted_factors(recipe, key_)) {}

    Rating operator()(std::uint64_t i) const {
        const PhiloxCounter pair = philox(counter_of(i, recipe_.held_out, Use::kPair, 0), key_);
        const std::uint32_t user = user_ids_(users_(pair[0], pair[1])), item = item_ids_(items_(pair[2], pair[3]));
        const std::uint64_t size = recipe_.rank + 1;
        const float *p = &factors_[user * size], *q = &factors_[(std::uint64_t{recipe_.users} + item) * size];
        double value = recipe_.mean + (static_cast<double>(p[0]) + static_cast<double>(q[0]));
        for (std::uint64_t k = 1; k < size; ++k) value += static_cast<double>(p[k]) * static_cast<double>(q[k]);
        value += recipe_.noise * bell(philox(counter_of(i, recipe_.held_out, Use::kNoise, 0), key_),
                                      philox(counter_of(i, recipe_.held_out, Use::kNoise, 1), key_));
        if (recipe_.stars > 0) value = std::clamp(std::floor(value + 0.5), 1.0, static_cast<double>(recipe_.stars));
        return {user, item, static_cast<float>(value)};
    }

private:
    RatingsRecipe recipe_;
    PhiloxKey key_;
    Zipf users_, items_;
    Permutation user_ids_, item_ids_; // of ranks
    std::vector<float> factors_;
};

} // namespace

std::shared_ptr<RatingsArray> generate(const RatingsRecipe& recipe) {
    const std::uint64_t ratings = recipe.held_out ? (recipe.ratings - 1) / 10 + 1 : recipe.ratings;
    check_memory(recipe, ratings);
    const Drawing drawing(recipe);
    auto array = std::make_shared<RatingsArray>();
    array->ratings = PageArray<Rating>(ratings);
    array->users = recipe.users;
    array->items = recipe.items;
    parallel_for(ratings, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) array->ratings[i] = drawing(i);
    });
    array->mean = mean_rating(array->ratings.span());
    array->count();
    return array;
}

} // namespace hogwild
