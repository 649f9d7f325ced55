// Steps over ratings on a GPU: the two factor rows of a rating in the hands of some lanes of a warp, which holds as many ratings at
// a time as it has such parts.
//
//   p_u <- p_u - step (s q_i + lambda p_u),  q_i <- q_i - step (s p_u + lambda q_i),  likewise the biases
//
// The same step as kernels/patterns/factor_pairs.h: both increments from one reading of both rows. The order of additions within a product
// differs, so one warp agrees with one CPU thread up to rounding.
#pragma once

#include "kernels/cuda/held_pair.cuh"
#include "kernels/cuda/step_through.cuh"

namespace hogwild::device {

__device__ inline PairSample pair_at(const PassOver<RatingsView>& pass, const EpochOrder& epoch, std::uint32_t position,
                                     std::uint64_t count) {
    const Rating rating = pass.data.ratings[sample_number(epoch, position)];
    const auto step = static_cast<float>(pace_at(pass.clock, count).step);
    const PairDamping damping = pass.data.damping(rating.user, rating.item);
    return {rating.user, rating.item, rating.value, damping.user * step, damping.item * step};
}

/// `Counts`: the shadow buffer of the lost-update meter, of floats under the same policy.
template <class Element, unsigned kLanes, unsigned kHeld, class Problem, class Weights, class Counts, class Probe>
__global__ void __launch_bounds__(256) pair_steps(const __grid_constant__ PassOver<RatingsView> pass) {
    constexpr unsigned kParts = kWarp / kLanes;
    const Weights weights(pass);
    const Counts counts(pass.telemetry.shadow);
    const FactorModel& model = pass.data.model;
    Probe probe(pass.telemetry);
    for_each_piece(pass, [&](const EpochOrder& epoch, std::uint32_t first, unsigned samples, std::uint64_t now) {
        PairSample own;
        if (lane() < samples)
            own = pair_at(pass, epoch, first + lane(), now + std::uint64_t{lane()} * pass.clock.warps);
        for (unsigned i = 0; i < samples; i += kParts) {
            const unsigned mine = i + lane() / kLanes;
            const PairSample sample = broadcast(own, min(mine, samples - 1));
            probe.read(first + i);
            const HeldPair<Element, kLanes, kHeld> pair(pass.data, weights, sample, mine < samples);
            const float slope = Problem::slope(pair.prediction(model.mean), sample.rating);
            pair.add(weights, {-sample.user_step * slope, -sample.user_step * model.l2},
                     {-sample.item_step * slope, -sample.item_step * model.l2});
            probe.wrote(pair, counts);
        }
    });
}

} // namespace hogwild::device
