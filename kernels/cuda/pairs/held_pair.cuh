// A rating in the hands of some lanes of a warp: both of its factor rows and their biases, as a step has read them.
//
// A lane holds elements l, l + kLanes, ... of both rows, kHeld of them at most. An element is one factor, or four neighbours, or
// eight where coordinates have 16 bits (kernels/cuda/rows/element.cuh).
#pragma once

#include "kernels/cuda/rows/element.cuh"
#include "kernels/cuda/warp_part.cuh"
#include "kernels/views/ratings_view.h"
#include "kernels/views/row_step.h"

#include <cstdint>

namespace hogwild::device {

/// Where the factors and biases of groups, which users and items are, lie in the buffer.
class BufferPlaces {
public:
    __device__ explicit BufferPlaces(const RatingsView& data)
        : rank_(data.model.rank), biases_(data.groups() * data.model.rank) {}

    /// A group's number here.
    __device__ std::uint32_t of(std::uint32_t group) const { return group; }

    __device__ std::uint32_t row(std::uint32_t place) const { return place * rank_; }
    __device__ std::uint32_t bias(std::uint32_t place) const { return biases_ + place; }

private:
    std::uint32_t rank_, biases_;
};

/// What one lane knows of a rating, for its part of the warp to step on.
struct PairSample {
    std::uint32_t user = 0, item = 0; // places
    float rating = 0;
    float user_step = 0, item_step = 0;
};

__device__ inline PairSample broadcast(const PairSample& own, unsigned from) {
    return {__shfl_sync(kAllLanes, own.user, from), __shfl_sync(kAllLanes, own.item, from),
            __shfl_sync(kAllLanes, own.rating, from), __shfl_sync(kAllLanes, own.user_step, from),
            __shfl_sync(kAllLanes, own.item_step, from)};
}

/// A rating's rows and biases in the hands of a part of the warp.
template <class Element, unsigned kLanes, unsigned kHeld>
class HeldPair {
public:
    /// Asks for both rows; nothing waits yet. `steps`: this part has a rating.
    template <class Weights, class Places>
    __device__ HeldPair(const FactorModel& model, const Weights& weights, const Places& places,
                        const PairSample& sample, bool steps)
        : rank_(steps ? model.rank : 0),
          biased_(steps && model.biased),
          user_(places.row(sample.user)),
          item_(places.row(sample.item)),
          user_bias_(places.bias(sample.user)),
          item_bias_(places.bias(sample.item)) {
        visit([&](unsigned h, std::uint32_t k) {
            p_[h] = Element::load(weights, user_ + k);
            q_[h] = Element::load(weights, item_ + k);
        });
        if (biased_) {
            b_ = weights.load(user_bias_);
            c_ = weights.load(item_bias_);
        }
    }

    /// In all lanes of the part.
    __device__ float prediction(float mean) const {
        float sum = 0;
        visit([&](unsigned h, std::uint32_t) { sum += Element::times(p_[h], q_[h]); });
        const float product = part_sum<kLanes>(sum);
        return biased_ ? product + (mean + (b_ + c_)) : product;
    }

    template <class Weights>
    __device__ void add(const Weights& weights, const RowStep& user, const RowStep& item) const {
        visit([&](unsigned h, std::uint32_t k) {
            Element::add_to(weights, user_ + k, p_[h], moved(user.across, q_[h], user.along, p_[h]));
            Element::add_to(weights, item_ + k, q_[h], moved(item.across, p_[h], item.along, q_[h]));
        });
        if (!biased_) return;
        if (part_lane<kLanes>() == 0) weights.add_to(user_bias_, b_, user.of(1, b_));
        if (part_lane<kLanes>() == 1) weights.add_to(item_bias_, c_, item.of(1, c_));
    }

    /// counts[j] += 1 for every coordinate of the pair.
    template <class Counts>
    __device__ void count_in(const Counts& counts) const {
        for (std::uint32_t k = part_lane<kLanes>(); k < rank_; k += kLanes) {
            counts.add(user_ + k, 1.0f);
            counts.add(item_ + k, 1.0f);
        }
        if (!biased_) return;
        if (part_lane<kLanes>() == 0) counts.add(user_bias_, 1.0f);
        if (part_lane<kLanes>() == 1) counts.add(item_bias_, 1.0f);
    }

    __device__ std::uint32_t size() const { return 2 * (rank_ + (biased_ ? 1 : 0)); }

private:
    using Values = typename Element::Values;

    __device__ static Values moved(float across, const Values& other, float along, const Values& own) {
        return Element::sum(Element::multiple(across, other), Element::multiple(along, own));
    }

    /// one(h, k): the lane's element number h begins at factor k.
    template <class One>
    __device__ void visit(const One& one) const {
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            const std::uint32_t k = Element::kFloats * (part_lane<kLanes>() + kLanes * h);
            if (k < rank_) one(h, k);
        }
    }

    std::uint32_t rank_;
    bool biased_;
    std::uint32_t user_, item_, user_bias_, item_bias_;
    Values p_[kHeld], q_[kHeld];
    float b_ = 0, c_ = 0;
};

} // namespace hogwild::device
