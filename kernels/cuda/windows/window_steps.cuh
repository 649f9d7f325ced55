// Steps over windows of a text on a GPU: a warp per window, any number of warps on one buffer.
//
// A lane looks up one position of a piece, and whether its word is kept. The warp steps on the windows of those that are, one after
// another. Who is alone in its window writes nothing. The same step as kernels/patterns/token_windows.h, on the same windows, so one
// warp agrees with one CPU thread up to rounding.
#pragma once

#include "kernels/cuda/memory/global_weights.cuh"
#include "kernels/cuda/step_through.cuh"
#include "kernels/cuda/windows/warp_window.cuh"
#include "kernels/cuda/windows/window_gradient.cuh"

namespace hogwild::device {

__device__ inline Centre centre_at(const PassOver<TokensView>& pass, const TokenDraws& draws, const EpochOrder& epoch,
                                   std::uint32_t position, std::uint64_t count) {
    const std::uint32_t i = sample_number(epoch, position);
    const std::uint64_t bits = draws.of(i);
    return {i, pass.data.tokens[i], pass.data.kept(i, bits) ? pass.data.reach(bits) : 0,
            static_cast<float>(pace_at(pass.clock, count).step)};
}

template <class Gradient, class Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(256) window_steps(const __grid_constant__ PassOver<TokensView> pass) {
    extern __shared__ float4 own_rows[];
    const SkipGramModel& model = pass.data.model;
    float* const own = reinterpret_cast<float*>(own_rows) + threadIdx.x / kWarp * window_memory<Gradient>(model);
    const GlobalWeights<S, Update> weights(pass), counts(pass.telemetry.shadow);
    const TokenDraws draws(pass.order.seed, pass.epoch);
    const Gradient gradient(model, own);
    WarpWindow window(pass.data, draws, reinterpret_cast<std::uint32_t*>(own + Gradient::memory(model)));
    Probe probe(pass.telemetry);
    for_each_piece(pass, [&](const EpochOrder& epoch, std::uint32_t first, unsigned samples, std::uint64_t now) {
        Centre own_centre;
        if (lane() < samples)
            own_centre = centre_at(pass, draws, epoch, first + lane(), now + std::uint64_t{lane()} * pass.clock.warps);
        for (unsigned kept = __ballot_sync(kAllLanes, own_centre.reach > 0); kept != 0; kept &= kept - 1) {
            const unsigned i = __ffs(static_cast<int>(kept)) - 1;
            const Centre centre = broadcast(own_centre, i);
            window.draw(centre);
            if (window.contexts() == 0) continue;
            probe.read(first + i);
            gradient.template read<Problem>(window, weights, -centre.step);
            gradient.write(window, weights);
            probe.wrote(window, counts);
        }
    });
}

} // namespace hogwild::device
