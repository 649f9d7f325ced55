#include "engine/data/ratings/ratings.h"

#include "engine/data/ratings/ratings_text.h"
#include "engine/error.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

struct Total {
    std::uint64_t rows = 0;
    IdRange users, items;
};

Total total_of(const std::vector<RatingsBlock>& blocks) {
    Total total;
    for (const RatingsBlock& block : blocks) {
        total.rows += block.rows;
        total.users.add(block.users);
        total.items.add(block.items);
    }
    return total;
}

void check(const std::string& name, const Total& total, const RatingsBase& base,
           const std::optional<MatrixHead>& matrix) {
    if (total.rows == 0)
        throw Error(name + " holds no rating", "it is empty, or comments only", "check that it is the file you mean");
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    const auto numbers = [](const IdRange& ids, std::uint32_t first) { return std::uint64_t{ids.most} - first + 1; };
    const std::uint64_t users = matrix ? matrix->rows : numbers(total.users, base.user),
                        items = matrix ? matrix->columns : numbers(total.items, base.item);
    if (users > kMost || items > kMost || users + items > kMost) {
        throw Error(fmt::format("{} has {} users and {} items", name, users, items),
                    fmt::format("{} together are the most", kMost), "number users and items one after the other");
    }
    if (!matrix) return;
    if (total.rows != matrix->entries) {
        throw Error(fmt::format("{} has {} entries", name, total.rows),
                    fmt::format("its size line says {}", matrix->entries), "check that the file is complete");
    }
}

} // namespace

void RatingsArray::count() {
    constexpr std::uint64_t kMost = 0x7FFFFFFF; // a run takes no model of more groups
    if (std::uint64_t{users} + items > kMost || ids_far_apart(view())) return;
    const auto rarities = [&](std::uint32_t ids, std::uint32_t Rating::*id) {
        PageArray<std::uint32_t> counts(ids); // pages of ids that nobody has stay untouched
        PageArray<float> of(ids);
        for (const Rating& rating : ratings.span()) ++counts[rating.*id];
        for (std::uint32_t i = 0; i < ids; ++i) {
            if (counts[i] > 0) of[i] = 1 / std::sqrt(static_cast<float>(counts[i]));
        }
        return of;
    };
    user_rarities = rarities(users, &Rating::user);
    item_rarities = rarities(items, &Rating::item);
}

bool ids_far_apart(const RatingsView& ratings) {
    constexpr std::uint64_t kFewIds = 1 << 20, kIdsOfRating = 100;
    const std::uint64_t ids = std::uint64_t{ratings.users} + ratings.items;
    return ids > kFewIds && ids / kIdsOfRating > ratings.rows;
}

std::string far_id(const RatingsView& ratings, const RatingsBase& base) {
    if (!ids_far_apart(ratings)) return "";
    const bool user = ratings.users > ratings.items;
    const std::uint64_t last =
        user ? std::uint64_t{ratings.users} - 1 + base.user : std::uint64_t{ratings.items} - 1 + base.item;
    return fmt::format(
        "{0}s are numbered up to {1}, and {2} rating{3} name few of them: no run takes factors of all, so "
        "number users and items one after the other",
        user ? "user" : "item", last, ratings.rows, ratings.rows == 1 ? "" : "s");
}

RatingsView RatingsArray::view() const {
    return {.ratings = ratings.data(),
            .rows = ratings.size(),
            .users = users,
            .items = items,
            .model = {.mean = mean},
            .user_rarities = {user_rarities.data(), static_cast<std::uint32_t>(user_rarities.size())},
            .item_rarities = {item_rarities.data(), static_cast<std::uint32_t>(item_rarities.size())}};
}

std::shared_ptr<RatingsArray> own_ratings(Dataset source) {
    const auto view = source.view().as<RatingsView>();
    std::shared_ptr<RatingsArray> array = source.take_storage<RatingsArray>();
    if (array == nullptr) {
        array = std::make_shared<RatingsArray>();
        const auto copied = [](const auto* from, std::uint64_t size) {
            PageArray<std::remove_const_t<std::remove_pointer_t<decltype(from)>>> copy(size);
            parallel_for(size, 1 << 16, [&](std::uint64_t begin, std::uint64_t end) {
                std::copy(from + begin, from + end, copy.data() + begin);
            });
            return copy;
        };
        array->ratings = copied(view.ratings, view.rows);
        array->user_rarities = copied(view.user_rarities.of, view.user_rarities.count);
        array->item_rarities = copied(view.item_rarities.of, view.item_rarities.count);
    }
    array->users = view.users;
    array->items = view.items;
    array->mean = view.model.mean;
    array->tiles = {};
    return array;
}

float mean_rating(std::span<const Rating> ratings) {
    constexpr std::uint64_t kGrain = 1 << 16;
    const auto blocks = parallel_map<double>(ratings.size(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        double sum = 0;
        for (std::uint64_t i = begin; i < end; ++i) sum += static_cast<double>(ratings[i].value);
        return sum;
    });
    const double sum = std::accumulate(blocks.begin(), blocks.end(), 0.0);
    return ratings.empty() ? 0 : static_cast<float>(sum / static_cast<double>(ratings.size()));
}

std::string outlier(std::span<const Rating> ratings) {
    constexpr std::size_t kFewest = 20, kMost = 100'000; // looked at for the middle
    if (ratings.size() < kFewest) return "";
    std::vector<float> values;
    const std::size_t apart = std::max<std::size_t>(ratings.size() / kMost, 1);
    for (std::size_t i = 0; i < ratings.size(); i += apart) values.push_back(ratings[i].value);
    std::ranges::sort(values);
    const float low = values[values.size() / 20], high = values[values.size() - 1 - values.size() / 20];
    const double far = 20 * (double{high} - double{low});
    const auto [least, most] = std::ranges::minmax(ratings, {}, &Rating::value);
    const double below = double{low} - double{least.value}, above = double{most.value} - double{high};
    if (far == 0 || std::max(below, above) <= far) return "";
    const float farthest = below > above ? least.value : most.value; // a float's text has no more digits than it needs
    return fmt::format("rating {} is far from the others, of which nine tenths lie between {} and {}: if it is a slip, "
                       "remove it",
                       farthest, low, high);
}

RatingsData read_ratings(std::string_view stored, const std::string& name, const TextLimits& limits,
                         const RatingsBase* train) {
    RatingsText text(name, limits.max_array_bytes, train);
    RatingsData data;
    data.text_bytes = read_text(stored, limits, text);
    data.note = text.note();
    std::vector<RatingsBlock>& blocks = text.blocks();
    const Total total = total_of(blocks);
    if (train != nullptr) {
        data.base = *train;
    } else if (!text.matrix()) {
        data.base = {std::min(total.users.least, 1u), std::min(total.items.least, 1u), 0};
    }
    check(name, total, data.base, text.matrix());
    data.array = std::make_shared<RatingsArray>();
    data.array->ratings = PageArray<Rating>::unfilled(total.rows);
    data.array->users =
        text.matrix() ? static_cast<std::uint32_t>(text.matrix()->rows) : total.users.most - data.base.user + 1;
    data.array->items =
        text.matrix() ? static_cast<std::uint32_t>(text.matrix()->columns) : total.items.most - data.base.item + 1;
    std::vector<std::uint64_t> places{0};
    for (const RatingsBlock& block : blocks) places.push_back(places.back() + block.rows);
    // In order, whatever the split: neighbouring pages are filled while blocks behind them are freed.
    std::atomic<std::size_t> next{0};
    parallel_for(blocks.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t turn = begin; turn < end; ++turn) {
            const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
            const RatingsBlock block = std::move(blocks[i]); // freed at the end of this turn
            data.array->ratings.hold(places[i + 1]);
            Rating* const out = data.array->ratings.data() + places[i];
            for (std::uint64_t k = 0; k < block.rows; ++k) {
                const Rating& rating = block.ratings[k];
                out[k] = {rating.user - data.base.user, rating.item - data.base.item, rating.value};
            }
        }
    });
    if (train == nullptr) data.base.mean = mean_rating(data.array->ratings.span());
    data.array->mean = data.base.mean;
    data.array->count();
    return data;
}

} // namespace hogwild
