// Reads ratings, plain or compressed, in parallel, with the same result at any number of threads.
//
// Text is of triples (engine/data/ratings/ratings_block.h), or a coordinate matrix of the Matrix Market with users as
// rows and items as columns. A first line of triples that begins with a letter, or with a quote and no number, is a
// header. In a matrix ids start at 1. In triples a column of ids with a 0 starts at 0, any other at 1. A test set's
// columns start as the training set's do. A user or item without ratings is kept, with the factors that it began with.
// Every line is a sample, also where a pair occurs twice. So is a line whose rating lies far outside the others'
// (`outlier`).
//
// Errors: throws Error `name:line:column: what (why); try`, for the first fault of the text. Reentrant.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/text/text_source.h"
#include "engine/memory/pages.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hogwild {

/// Owns the ratings that a RatingsView borrows. Written by one producer, then shared as const.
struct RatingsArray final : DatasetStorage {
    PageArray<Rating> ratings;
    PageArray<std::uint32_t> tiles; // where they begin, of ratings stored in tiles
    PageArray<float> user_rarities, item_rarities;
    std::uint32_t users = 0;
    std::uint32_t items = 0;
    float mean = 0; // of the training set

    /// Rarities of the ratings that it holds, unless ids_far_apart: to be called once they are whole.
    void count();

    RatingsView view() const;
};

/// Whether nearly all ids up to the largest have no rating: more than 99 in 100 of more than a million. No run takes such
/// ratings, since each id has factors, so they have no rarities.
bool ids_far_apart(const RatingsView& ratings);

/// The ratings of a dataset, with what its view says of them, as an array that nobody shares. It is the dataset's own
/// where that was given away and nobody else has a share in it (engine/data/dataset.h), else a copy. It has no tiles.
/// Precondition: the samples are ratings.
std::shared_ptr<RatingsArray> own_ratings(Dataset source);

/// Summed in double, block by block: the same bits at any number of threads. 0 of none.
float mean_rating(std::span<const Rating> ratings);

/// Says which rating lies farther from the middle nine tenths of all than twenty times their range; empty where none does. Such
/// a rating is often a slip, and default steps and losses are by the ratings' deviation.
std::string outlier(std::span<const Rating> ratings);

/// What a test set takes over from its training set.
struct RatingsBase {
    std::uint32_t user = 1; // the first id
    std::uint32_t item = 1; // the first id
    float mean = 0;
};

/// Says which id makes ids_far_apart so; empty where it is not.
std::string far_id(const RatingsView& ratings, const RatingsBase& base);

struct RatingsData {
    std::shared_ptr<RatingsArray> array;
    RatingsBase base;
    std::uint64_t text_bytes = 0;
    std::string note; // about the text's header; empty: none
};

/// `stored` is the file's content; `name` is for messages. `train`: of the training set that these belong to, else null.
RatingsData read_ratings(std::string_view stored, const std::string& name, const TextLimits& limits = {},
                         const RatingsBase* train = nullptr);

} // namespace hogwild
