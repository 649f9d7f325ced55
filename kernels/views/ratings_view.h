// Borrowed memory: a view of ratings, and of the factors that a model gives to users and items.
//
//   r(u, i) is predicted by mean + b_u + c_i + p_u . q_i,   p_u and q_i of `rank` factors each
//
// The parameter buffer holds p of all users, then q of all items. That of a biased model goes on with b of all users
// and c of all items. A user's factors with its bias are one group of coordinates, and so are an item's: a rating
// touches two groups.
//
// A group with n ratings may take smaller steps than others, times min(1, sqrt(N / n)), where N is the model's
// `damp_above`. What is rated often moves less each time. Source: Li, Choudhary, Wei, Yuan, Hall, Ren, "Frequency-aware
// SGD for efficient embedding learning with provable benefits", ICLR 2022, who take sqrt(N / n) for all.
//
// A view owns nothing, is copied by value, and lives no longer than its owner (engine/data/dataset.h).
// Any number of threads may read through a view at the same time; nobody may write meanwhile.
#pragma once

#include "kernels/annotate.h"
#include "kernels/views/row_step.h"
#include "kernels/views/sample_order.h"

#include <cstdint>
#include <string_view>

namespace hogwild {

/// One sample.
struct Rating {
    std::uint32_t user; // 0-based
    std::uint32_t item; // 0-based
    float value;
};

/// What of a model its samples do not say.
struct FactorModel {
    std::uint32_t rank = 0; // factors of a user, of an item
    bool biased = true;
    float mean = 0;      // what an unbiased pair without factors in common is predicted
    float l2 = 0;        // lambda: a rating's loss has (lambda / 2) (|p_u|^2 + |q_i|^2 + b_u^2 + c_i^2)
    float root_damp = 0; // sqrt(N), N > 0; 0: all groups take the same steps
};

/// 1 / sqrt(n) of ids below `count`, n their ratings; no rating has another id.
struct Rarities {
    const float* of = nullptr;
    std::uint32_t count = 0;
};

/// A rating, and where its factors lie in the buffer.
struct FactorPair {
    std::uint32_t user_group, item_group; // the former is below the latter
    std::uint32_t user, item;             // where p_u and q_i begin
    std::uint32_t user_bias, item_bias;   // of a biased model
    std::uint32_t rank;
    bool biased;
    float rating;

    /// visit(j) for every coordinate that a step on it increments.
    void for_each_coordinate(const auto& visit) const {
        for (std::uint32_t k = 0; k < rank; ++k) visit(user + k);
        for (std::uint32_t k = 0; k < rank; ++k) visit(item + k);
        if (!biased) return;
        visit(user_bias);
        visit(item_bias);
    }

    /// visit(g) for every group of coordinates that it touches, rising.
    void for_each_group(const auto& visit) const {
        visit(user_group);
        visit(item_group);
    }
};

struct RatingsView {
    static constexpr std::string_view kSamples = "ratings";
    static constexpr bool kMovable = true;

    static constexpr std::uint32_t together(std::uint64_t) { return 256; }

    /// The side of the grid of tiles (engine/data/ratings/tiles.h) that so many ratings are stored in, a power of two. A tile has
    /// 512 ratings or more on average, and up to 4 times as many but in the largest grid.
    static constexpr std::uint32_t tile_side(std::uint64_t rows) {
        std::uint32_t side = 1;
        while (side < 256 && rows / (4 * side * side) >= 512) side *= 2;
        return side;
    }

    const Rating* ratings = nullptr; // `rows` of them
    std::uint64_t rows = 0;
    std::uint32_t users = 0;
    std::uint32_t items = 0;
    FactorModel model{};
    TileGrid tiles{}; // of ratings stored in tiles
    Rarities user_rarities{}, item_rarities{};

    HOGWILD_HOST_DEVICE std::uint32_t groups() const { return users + items; }
    HOGWILD_HOST_DEVICE std::uint32_t coordinates() const { return groups() * (model.rank + (model.biased ? 1 : 0)); }
    HOGWILD_HOST_DEVICE std::uint64_t nonzeros() const { return rows * 2 * (model.rank + (model.biased ? 1 : 0)); }
    HOGWILD_HOST_DEVICE std::uint64_t bytes() const { return rows * sizeof(Rating); }
    HOGWILD_HOST_DEVICE bool dense() const { return false; }

    /// visit(array, entries) for every array of a view; each may be moved by the visit.
    static void for_each_array(auto& view, const auto& visit) {
        visit(view.ratings, view.rows);
        if (view.tiles.side > 0) visit(view.tiles.begins, std::uint64_t{view.tiles.side} * view.tiles.side + 1);
        if (view.user_rarities.count > 0) visit(view.user_rarities.of, std::uint64_t{view.user_rarities.count});
        if (view.item_rarities.count > 0) visit(view.item_rarities.of, std::uint64_t{view.item_rarities.count});
    }

    /// In the larger dimensions of the two.
    RatingsView widened(const RatingsView& other) const {
        RatingsView wide = *this;
        wide.users = other.users > users ? other.users : users;
        wide.items = other.items > items ? other.items : items;
        return wide;
    }

    HOGWILD_HOST_DEVICE PairDamping damping(std::uint32_t user, std::uint32_t item) const {
        const float root = model.root_damp;
        if (root == 0) return {};
        const float by_user = root * user_rarities.of[user], by_item = root * item_rarities.of[item];
        return {by_user < 1 ? by_user : 1, by_item < 1 ? by_item : 1};
    }

    /// visit(begin, end) for every range of coordinates that a group has.
    void for_each_range(std::uint32_t group, const auto& visit) const {
        visit(group * model.rank, (group + 1) * model.rank);
        if (model.biased) visit(groups() * model.rank + group, groups() * model.rank + group + 1);
    }

    HOGWILD_HOST_DEVICE FactorPair row(std::uint64_t i) const {
        const Rating& rating = ratings[i];
        const std::uint32_t item_group = users + rating.item, biases = groups() * model.rank;
        return {rating.user,
                item_group,
                rating.user * model.rank,
                item_group * model.rank,
                biases + rating.user,
                biases + item_group,
                model.rank,
                model.biased,
                rating.value};
    }
    HOGWILD_HOST_DEVICE FactorPair drawn(std::uint64_t i, std::uint64_t, std::uint32_t) const { return row(i); }
};

} // namespace hogwild
