// How ratings take part in a synchronous step on a GPU (kernels/cuda/batches/group_batches.cuh): the gradients and rows of
// kernels/patterns/factor_pairs.h.
//
// A lane holds single factors, not four neighbours. So the lanes of a warp add to neighbouring sums of eight bytes
// each, and 32 increments are eight sectors.
#pragma once

#include "kernels/cuda/batches/batch_member.cuh"
#include "kernels/cuda/pairs/held_pair.cuh"

#include <cstdint>

namespace hogwild::device {

template <class Problem, unsigned kInLanes, unsigned kHeld>
struct PairBatch {
    using View = RatingsView;
    static constexpr unsigned kLanes = kInLanes, kRowLanes = kInLanes;

    HOGWILD_HOST_DEVICE static std::uint32_t memory(const RatingsView&) { return 0; }
    static std::uint64_t most_groups(const RatingsView&) { return 2; }

    class Gradient {
    public:
        __device__ Gradient(const RatingsView& data, const BatchMember& member, float*)
            : data_(data), steps_(member.steps) {
            const Rating rating = data.ratings[member.number];
            const PairDamping damping = data.damping(rating.user, rating.item);
            sample_ = {rating.user, data.users + rating.item, rating.value, damping.user, damping.item};
        }

        template <class Weights, class Sums, class Marks>
        __device__ void add(const Weights& weights, const Sums& sums, const Marks& marks) const {
            const HeldPair<OneFloat, kLanes, kHeld> pair(data_.model, weights, BufferPlaces(data_), sample_, steps_);
            const float slope = Problem::slope(pair.prediction(data_.model.mean), sample_.rating);
            const PairStep by(slope, data_.model.l2, {sample_.user_step, sample_.item_step});
            pair.add(sums, by.user, by.item);
            if (!steps_) return;
            if (part_lane<kLanes>() == 0) marks.touch(sample_.user);
            if (part_lane<kLanes>() == 1) marks.touch(sample_.item);
        }

    private:
        const RatingsView& data_;
        bool steps_;
        PairSample sample_; // steps of size 1
    };

    template <class Sums>
    __device__ static void apply(const RatingsView& data, const Sums& sums, std::uint32_t group, bool steps) {
        if (!steps) return;
        const std::uint32_t rank = data.model.rank;
        for (std::uint32_t k = part_lane<kRowLanes>(); k < rank; k += kRowLanes) sums.apply(group * rank + k);
        if (data.model.biased && part_lane<kRowLanes>() == 0) sums.apply(data.groups() * rank + group);
    }
};

} // namespace hogwild::device
