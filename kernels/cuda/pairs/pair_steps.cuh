// Steps over ratings on a GPU. Some lanes of a warp (a part) hold the two factor rows of a rating. A warp holds as many
// ratings at a time as it has parts.
//
//   p_u <- p_u - step (s q_i + lambda p_u),  q_i <- q_i - step (s p_u + lambda q_i),  the biases in the same way
//
// The same step as kernels/patterns/factor_pairs.h: both increments from one reading of both rows. The order of additions within a
// product differs, so one warp agrees with one CPU thread up to rounding.
#pragma once

#include "kernels/cuda/pairs/held_pair.cuh"
#include "kernels/cuda/rows/hot_block.cuh"
#include "kernels/cuda/rows/hot_group_weights.cuh"
#include "kernels/cuda/step_through.cuh"

namespace hogwild::device {

template <class Places>
__device__ PairSample pair_at(const PassOver<RatingsView>& pass, const Places& places, const EpochOrder& epoch,
                              std::uint32_t position, std::uint64_t count) {
    const Rating rating = pass.data.ratings[sample_number(epoch, position)];
    const auto step = static_cast<float>(pace_at(pass.clock, count).step);
    const PairDamping damping = pass.data.damping(rating.user, rating.item);
    return {places.of(rating.user), places.of(pass.data.users + rating.item), rating.value, damping.user * step,
            damping.item * step};
}

template <class Element, unsigned kLanes, unsigned kHeld, class Problem, class Weights, class Counts, class Places,
          class Probe>
__device__ void step_on_pairs(const PassOver<RatingsView>& pass, const Weights& weights, const Counts& counts,
                              const Places& places, Probe& probe) {
    constexpr unsigned kParts = kWarp / kLanes;
    const FactorModel& model = pass.data.model;
    for_each_piece(pass, [&](const EpochOrder& epoch, std::uint32_t first, unsigned samples, std::uint64_t now) {
        PairSample own;
        if (lane() < samples)
            own = pair_at(pass, places, epoch, first + lane(), now + std::uint64_t{lane()} * pass.clock.warps);
        for (unsigned i = 0; i < samples; i += kParts) {
            const unsigned mine = i + lane() / kLanes;
            const PairSample sample = broadcast(own, min(mine, samples - 1));
            probe.read(first + i);
            const HeldPair<Element, kLanes, kHeld> pair(model, weights, places, sample, mine < samples);
            const float slope = Problem::slope(pair.prediction(model.mean), sample.rating);
            pair.add(weights, {-sample.user_step * slope, -sample.user_step * model.l2},
                     {-sample.item_step * slope, -sample.item_step * model.l2});
            probe.wrote(pair, counts);
        }
        weights.stepped(samples);
    });
}

/// Every warp steps on the one buffer, or on copies of the hottest groups. `Counts`: the shadow buffer of the lost-update meter, of
/// floats under the same policy.
template <class Element, unsigned kLanes, unsigned kHeld, class Problem, class Weights, class Counts, class Probe>
__global__ void __launch_bounds__(Weights::kCopies ? 288 : 256)
    pair_steps(const __grid_constant__ PassOver<RatingsView> pass) {
    const auto step = [&](const Weights& weights, const auto& places) {
        Probe probe(pass.telemetry);
        step_on_pairs<Element, kLanes, kHeld, Problem>(pass, weights, Counts(pass.telemetry.shadow), places, probe);
    };
    if constexpr (Weights::kCopies) {
        step_on_copies<Weights>(pass,
                                [&](const Weights& weights) { step(weights, HotPlaces(pass.data, pass.exchange)); });
    } else {
        step(Weights(pass), BufferPlaces(pass.data));
    }
}

} // namespace hogwild::device
