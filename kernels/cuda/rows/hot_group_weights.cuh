// The parameter buffer as the warps of one block see it when the block's shared memory holds its hottest groups
// (kernels/cuda/rows/hot_copies.cuh). They are the factors and biases of the users and items with most ratings.
//
// Copies have numbers behind those of the buffer's coordinates: first the factors of all hot groups, then their biases.
#pragma once

#include "kernels/cuda/memory/quad.cuh"
#include "kernels/cuda/rows/hot_copies.cuh"
#include "kernels/views/ratings_view.h"

#include <cstdint>

namespace hogwild::device {

/// Where groups' coordinates lie: a hot one's place comes behind those of all groups.
class HotPlaces {
public:
    __device__ HotPlaces(const RatingsView& data, const HotExchange& exchange)
        : slots_(exchange.slots),
          groups_(data.groups()),
          rank_(data.model.rank),
          biased_(data.model.biased),
          hot_groups_(exchange.hot / (rank_ + biased_)) {}

    __device__ std::uint32_t of(std::uint32_t group) const {
        const std::uint32_t slot = __ldg(slots_ + group);
        return slot == HotExchange::kCold ? group : groups_ + slot;
    }

    __device__ std::uint32_t row(std::uint32_t place) const {
        return place * rank_ + (place < groups_ ? 0 : groups_ * biased_);
    }

    __device__ std::uint32_t bias(std::uint32_t place) const {
        return groups_ * rank_ + place + (place < groups_ ? 0 : hot_groups_ * rank_);
    }

private:
    const std::uint32_t* slots_;
    std::uint32_t groups_, rank_, biased_, hot_groups_;
};

/// Where copy k's coordinate is.
struct ListedPlace {
    const std::uint32_t* coordinates;
    __device__ std::uint32_t operator()(std::uint32_t k) const { return __ldg(coordinates + k); }
};

template <Scope S, class Update>
class HotGroupWeights : public HotCopies<S, ListedPlace> {
public:
    static constexpr bool kCopies = true;

    __device__ HotGroupWeights(const PassOver<RatingsView>& pass, float* shared, unsigned* steps)
        : Copies(static_cast<float*>(pass.weights), shared, steps, pass.exchange.hot, {pass.exchange.coordinates}),
          weights_(static_cast<float*>(pass.weights)),
          size_(pass.data.coordinates()) {}

    __device__ float load(std::uint32_t j) const {
        return j < size_ ? relaxed_load<S>(weights_[j]) : *static_cast<const volatile float*>(Copies::at(j - size_));
    }

    /// Coordinates j to j + 3 of the buffer, or copies j - size_ to j - size_ + 3: j, or j - size_, is a multiple of 4.
    __device__ float4 load_four(std::uint32_t j) const {
        return j < size_ ? relaxed_load_four<S>(weights_ + j) : load_four_of_block(Copies::at(j - size_));
    }

    /// Adds to a coordinate that the step has read.
    __device__ void add_to(std::uint32_t j, float, float by) const {
        if (j < size_) {
            Update::add(weights_[j], by);
        } else {
            Copies::add(j - size_, by);
        }
    }

    __device__ void add_four_to(std::uint32_t j, float4, float4 by) const {
        if (j < size_) {
            Update::add_four(weights_ + j, by);
        } else {
            const std::uint32_t k = j - size_;
            Copies::add(k, by.x);
            Copies::add(k + 1, by.y);
            Copies::add(k + 2, by.z);
            Copies::add(k + 3, by.w);
        }
    }

private:
    using Copies = HotCopies<S, ListedPlace>;

    float* weights_;
    std::uint32_t size_;
};

} // namespace hogwild::device
