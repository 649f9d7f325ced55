// The rows of a pair of factors and its biases: asked for ahead, read, and what they predict (kernels/patterns/factor_pairs.h).
//
// Thread-safety: weights may be read and written by others meanwhile; each access is a relaxed atomic.
#pragma once

#include "kernels/atomic.h"
#include "kernels/steps/steps.h"
#include "kernels/views/prefetch.h"
#include "kernels/views/ratings_view.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

/// visit(address) of each line of the factors and biases of a pair of groups, whose factors lie in `weights`.
[[gnu::always_inline]] inline void for_each_line(const float* weights, const float* biases, std::uint32_t user,
                                                 std::uint32_t item, std::uint32_t rank, bool biased,
                                                 const auto& visit) {
    constexpr std::uint32_t kPerLine = 64 / sizeof(float);
    for (std::uint32_t k = 0; k < rank; k += kPerLine) {
        visit(weights + user * rank + k);
        visit(weights + item * rank + k);
    }
    if (!biased) return;
    visit(biases + user);
    visit(biases + item);
}

/// How many pairs before it is stepped on a pair is asked for: as long as 128 lines take, which is more than memory does.
constexpr std::uint32_t pairs_ahead(std::uint32_t rank) { return rank <= 64 ? 16 : rank <= 128 ? 8 : 4; }

/// A pair's biases, as a step has read them; 0 where the model has none.
struct PairBiases {
    float user = 0, item = 0;
};

[[gnu::always_inline]] inline PairBiases read_biases(bool biased, const float* user, const float* item) {
    return biased ? PairBiases{relaxed_load(*user), relaxed_load(*item)} : PairBiases{};
}

template <class Lanes>
[[gnu::always_inline]] inline float predict(const float* p, const float* q, std::uint32_t rank, bool biased, float mean,
                                            const PairBiases& biases) {
    const float product = Lanes::dot(p, q, rank);
    return biased ? product + (mean + (biases.user + biases.item)) : product;
}

/// Runs ahead of a loop over ratings: first for where a pair lies, later for its factors.
class PairPrefetch {
public:
    PairPrefetch(const RatingsView& data, const Chunk& chunk)
        : data_(data), weights_(chunk.weights), samples_(chunk.samples), count_(chunk.count + chunk.ahead) {}

    /// Before the loop.
    void prime() const {
        for (std::uint32_t i = 0; i < Chunk::kMostAhead && i < count_; ++i) rating(samples_[i]);
        for (std::uint32_t i = 0; i < pairs_ahead(data_.model.rank) && i < count_; ++i) factors(samples_[i]);
    }

    /// At the loop's i-th sample.
    void at(std::uint32_t i) const {
        if (i + Chunk::kMostAhead < count_) rating(samples_[i + Chunk::kMostAhead]);
        const std::uint32_t ahead = pairs_ahead(data_.model.rank);
        if (i + ahead < count_) factors(samples_[i + ahead]);
    }

private:
    void rating(std::uint64_t i) const { prefetch_to_read(data_.ratings + i); }

    void factors(std::uint64_t i) const {
        const Rating& rating = data_.ratings[i];
        const FactorModel& model = data_.model;
        for_each_line(weights_, weights_ + std::size_t{data_.groups()} * model.rank, rating.user,
                      data_.users + rating.item, model.rank, model.biased, prefetch_to_write);
    }

    const RatingsView& data_;
    const float* weights_;
    const std::uint32_t* samples_;
    std::uint32_t count_;
};

} // namespace hogwild
