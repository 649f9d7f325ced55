// Launches of steps over ratings: as many lanes for a pair of rows as its rank wants. With a probe a whole warp, which then steps
// on one rating at a time, as the staleness of a step supposes.
#pragma once

#include "kernels/cuda/batches/group_batches.cuh"
#include "kernels/cuda/batches/pair_batch.cuh"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/launches/launcher.cuh"
#include "kernels/cuda/memory/eight_floats.cuh"
#include "kernels/cuda/memory/global_weights.cuh"
#include "kernels/cuda/memory/half_weights.cuh"
#include "kernels/cuda/pairs/pair_steps.cuh"
#include "kernels/cuda/probes/none.cuh"
#include "kernels/cuda/updates/atomic_add.cuh"
#include "kernels/problem.h"

#include <concepts>

namespace hogwild::device {

template <>
struct Launcher<FactorPairs> {
    template <class Problem, Scope S, class Update, class Probe>
    static cudaError_t steps(const DevicePass& given, LaunchShape shape, cudaStream_t stream) {
        using Weights = GlobalWeights<S, Update>;
        if constexpr (std::same_as<Update, AtomicAdd<S>>) { // copies are added to atomically
            if (given.exchange.hot > 0) {
                const PassOver<RatingsView> pass(given);
                using Copied = HotGroupWeights<S, Update>;
                return launch_with_copies(kernel_for<FourFloats, Problem, Copied, Weights, Probe>(pass.data.model.rank),
                                          pass, shape, stream);
            }
        }
        return launch(given, shape, stream, kernel_for<FourFloats, Problem, Weights, Weights, Probe>);
    }

    template <class Problem, class Number, class Update, class Probe>
    static cudaError_t half_steps(const DevicePass& pass, LaunchShape shape, cudaStream_t stream) {
        using Weights = HalfWeights<Number, Update>;
        using Counts = GlobalWeights<Scope::kDevice, Update>;
        return launch(pass, shape, stream, kernel_for<EightFloats, Problem, Weights, Counts, Probe>);
    }

    /// Precondition: rank <= 1024 (kernels/patterns/factor_pairs.h).
    template <class Problem>
    static cudaError_t group_batch(const GroupBatches& run, std::uint32_t number, cudaStream_t stream) {
        const std::uint32_t rank = run.data.as<RatingsView>().model.rank;
        if (rank <= 8) return launch_group_batch<PairBatch<Problem, 8, 1>>(run, number, stream);
        if (rank <= 16) return launch_group_batch<PairBatch<Problem, 16, 1>>(run, number, stream);
        if (rank <= 32) return launch_group_batch<PairBatch<Problem, 32, 1>>(run, number, stream);
        if (rank <= 128) return launch_group_batch<PairBatch<Problem, 32, 4>>(run, number, stream);
        return launch_group_batch<PairBatch<Problem, 32, kMost / 32>>(run, number, stream);
    }

private:
    static constexpr std::uint32_t kMost = 1024;
    using Kernel = void (*)(PassOver<RatingsView>);

    static cudaError_t launch(const DevicePass& given, LaunchShape shape, cudaStream_t stream,
                              Kernel (*kernel_of)(std::uint32_t rank)) {
        const PassOver<RatingsView> pass(given);
        kernel_of(pass.data.model.rank)<<<shape.blocks, shape.warps * kWarp, 0, stream>>>(pass);
        return cudaGetLastError();
    }

    /// `Element`: 16 bytes of neighbours. Precondition: rank <= 1024 (kernels/patterns/factor_pairs.h).
    template <class Element, class Problem, class Weights, class Counts, class Probe>
    static Kernel kernel_for(std::uint32_t rank) {
        constexpr std::uint32_t kFloats = Element::kFloats;
        if (rank % kFloats != 0) return pair_steps<OneFloat, 32, kMost / 32, Problem, Weights, Counts, Probe>;
        if constexpr (std::same_as<Probe, NoProbe>) {
            if (rank <= 32) return pair_steps<Element, 32 / kFloats, 1, Problem, Weights, Counts, Probe>;
            if (rank <= 64) return pair_steps<Element, 64 / kFloats, 1, Problem, Weights, Counts, Probe>;
            if (rank <= 128) return pair_steps<Element, 128 / kFloats, 1, Problem, Weights, Counts, Probe>;
            if (rank <= 256) return pair_steps<Element, 32, 8 / kFloats, Problem, Weights, Counts, Probe>;
        }
        return pair_steps<Element, 32, kMost / 32 / kFloats, Problem, Weights, Counts, Probe>;
    }
};

} // namespace hogwild::device
