#include "engine/data/synthetic/planted_model.h"

#include "engine/data/synthetic/item_counter.h"
#include "engine/data/synthetic/normal_bits.h"
#include "engine/data/synthetic/portable_math.h"
#include "kernels/numbers/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace hogwild {
namespace {

// What a counter's random bits are for; no two uses share a counter.
enum class Use : std::uint32_t { kWords = 0, kLength = 1, kNoise = 2, kWeights = 3, kShuffle = 4 };

} // namespace

PlantedModel::PlantedModel(const SyntheticRecipe& recipe)
    : recipe_(recipe),
      popularity_(recipe.features, recipe.zipf),
      ids_(recipe.features),
      rarity_(recipe.features),
      weights_(recipe.features) {
    const PhiloxKey key = philox_key(recipe.seed);
    std::iota(ids_.begin(), ids_.end(), 0U);
    if (recipe.shuffled) {
        for (std::uint32_t i = recipe.features - 1; i > 0; --i) {
            const PhiloxCounter words = philox(counter_of(i, false, Use::kShuffle, 0), key);
            std::swap(ids_[i], ids_[below(std::uint64_t{i} + 1, std::uint64_t{words[0]} << 32 | words[1])]);
        }
    }
    for (std::uint32_t rank = 0; rank < recipe.features; ++rank) {
        const double expected =
            recipe.nonzeros * popularity_.probability(rank); // times that a row draws the word, about
        rarity_[rank] = static_cast<float>(portable::log(1 + 1 / expected));
        // Rare words weigh less, so that what a learner can see of the model decides most labels.
        const double strength = std::sqrt(std::min(1.0, expected));
        weights_[ids_[rank]] =
            static_cast<float>(strength * bell(philox(counter_of(rank, false, Use::kWeights, 0), key),
                                               philox(counter_of(rank, false, Use::kWeights, 1), key)));
    }
    for (std::size_t times = 0; times < repetition_.size(); ++times) {
        repetition_[times] =
            static_cast<float>(1 + portable::log(static_cast<double>(std::max<std::size_t>(times, 1))));
    }
}

std::uint32_t PlantedModel::length(std::uint64_t row) const {
    const PhiloxKey key = philox_key(recipe_.seed);
    const PhiloxCounter first = philox(counter_of(row, recipe_.held_out, Use::kLength, 0), key);
    const PhiloxCounter second = philox(counter_of(row, recipe_.held_out, Use::kLength, 1), key);
    const double spread = recipe_.spread;
    const double mean = recipe_.nonzeros * portable::exp(spread * bell(first, second) - spread * spread / 2);
    const double rounded = mean + static_cast<double>(unit_float(second[2])); // truncated below: right on average
    return static_cast<std::uint32_t>(std::clamp(rounded, 1.0, static_cast<double>(recipe_.features)));
}

void PlantedModel::draw_words(std::uint64_t row, std::uint32_t length, RowWords& words) const {
    words.clear(length);
    const PhiloxKey key = philox_key(recipe_.seed);
    constexpr std::uint32_t kBatch = 8; // independent counters side by side keep the multiplier busy
    const std::uint64_t most_blocks =
        std::uint64_t{8} * length + 256; // a row that wants nearly all words would draw for ever
    for (std::uint64_t block = 0; block < most_blocks; block += kBatch) {
        std::array<PhiloxCounter, kBatch> bits;
        for (std::uint32_t i = 0; i < kBatch; ++i)
            bits[i] =
                philox(counter_of(row, recipe_.held_out, Use::kWords, static_cast<std::uint32_t>(block) + i), key);
        for (const PhiloxCounter& four : bits) {
            words.add(popularity_(four[0], four[1]));
            if (words.size() == length) return;
            words.add(popularity_(four[2], four[3]));
            if (words.size() == length) return;
        }
    }
    for (std::uint32_t rank = 0; words.size() < length; ++rank) words.add(rank); // the most popular of the missing
}

float PlantedModel::label(std::uint64_t row, double margin) const {
    const PhiloxCounter bits = philox(counter_of(row, recipe_.held_out, Use::kNoise, 0), philox_key(recipe_.seed));
    const bool flipped = unit_double(std::uint64_t{bits[0]} << 32 | bits[1]) < recipe_.noise;
    return (margin >= 0) != flipped ? 1.0F : -1.0F;
}

float PlantedModel::fill_row(std::uint64_t row, std::uint32_t length, RowWords& scratch, std::uint32_t* indices,
                             float* values) const {
    draw_words(row, length, scratch);
    std::vector<std::uint64_t>& order = scratch.order();
    order.clear();
    for (std::uint32_t i = 0; i < length; ++i) order.push_back(std::uint64_t{ids_[scratch.words()[i].rank]} << 32 | i);
    std::sort(order.begin(), order.end());
    double square = 0;
    for (std::uint32_t k = 0; k < length; ++k) {
        const RowWords::Word word = scratch.words()[static_cast<std::uint32_t>(order[k])];
        const std::size_t times = std::min<std::size_t>(word.count, repetition_.size() - 1);
        indices[k] = static_cast<std::uint32_t>(order[k] >> 32);
        values[k] = repetition_[times] * rarity_[word.rank];
        square += static_cast<double>(values[k]) * static_cast<double>(values[k]);
    }
    const double scale = 1 / std::sqrt(square);
    double margin = 0;
    for (std::uint32_t k = 0; k < length; ++k) {
        values[k] = static_cast<float>(values[k] * scale);
        margin += static_cast<double>(values[k]) * static_cast<double>(weights_[indices[k]]);
    }
    return this->label(row, margin);
}

} // namespace hogwild
