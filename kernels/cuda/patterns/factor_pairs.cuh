// Launches of steps over ratings: as many lanes for a pair of rows as its rank wants. With a probe a whole warp, which then steps on one
// rating at a time, as the staleness of a step supposes.
#pragma once

#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/pair_steps.cuh"
#include "kernels/cuda/patterns/launcher.cuh"
#include "kernels/cuda/probes/none.cuh"
#include "kernels/problem.h"

#include <concepts>

namespace hogwild::device {

template <>
struct Launcher<FactorPairs> {
    template <class Problem, Scope S, class Update, class Probe>
    static cudaError_t steps(const DevicePass& given, LaunchShape shape, cudaStream_t stream) {
        const PassOver<RatingsView> pass(given);
        const auto kernel = kernel_for<Problem, S, Update, Probe>(pass.data.model.rank);
        kernel<<<shape.blocks, shape.warps * kWarp, 0, stream>>>(pass);
        return cudaGetLastError();
    }

private:
    using Kernel = void (*)(PassOver<RatingsView>);

    /// Precondition: rank <= 1024 (kernels/patterns/factor_pairs.h).
    template <class Problem, Scope S, class Update, class Probe>
    static Kernel kernel_for(std::uint32_t rank) {
        if (rank % FourFactors::kFactors != 0) return pair_steps<OneFactor, 32, 32, Problem, S, Update, Probe>;
        if constexpr (std::same_as<Probe, NoProbe>) {
            if (rank <= 32) return pair_steps<FourFactors, 8, 1, Problem, S, Update, Probe>;
            if (rank <= 64) return pair_steps<FourFactors, 16, 1, Problem, S, Update, Probe>;
            if (rank <= 128) return pair_steps<FourFactors, 32, 1, Problem, S, Update, Probe>;
            if (rank <= 256) return pair_steps<FourFactors, 32, 2, Problem, S, Update, Probe>;
        }
        return pair_steps<FourFactors, 32, 8, Problem, S, Update, Probe>;
    }
};

} // namespace hogwild::device
