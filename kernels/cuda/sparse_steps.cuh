// The loop of a stochastic gradient step over sparse rows on a GPU: a warp per row, any number of warps on one buffer.
//
//   margin = scale v . x,  v += -(step / scale_after) slope x,  scale falls by `decay` per position
//
// The same step as kernels/sparse_steps.h; the order of additions within a dot product differs, so one warp agrees with one
// CPU thread up to rounding.
#pragma once

#include "kernels/cuda/global_weights.cuh"
#include "kernels/cuda/hot_weights.cuh"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/warp_row.cuh"
#include "kernels/power.h"
#include "kernels/problem.h"

namespace hogwild::device {

/// What one lane knows of its sample, for the whole warp to step on.
struct Sample {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
    float label = 0;
    float scale = 1;  // of the margin
    float factor = 0; // times the slope: the row's multiple that is added
};

__device__ inline Sample sample_at(const DevicePass& pass, const EpochOrder& epoch, std::uint32_t position) {
    const std::uint32_t cell = position / SampleOrder::kBlock;
    const std::uint32_t within = position % SampleOrder::kBlock;
    const std::uint32_t row = CellOrder(epoch, cell)(within);
    const Pace pace = pass.paces[cell];
    const double scale = pace.scale * power(pace.decay, within);
    Sample sample;
    sample.begin = pass.data.offsets[row];
    sample.size = static_cast<std::uint32_t>(pass.data.offsets[row + 1] - sample.begin);
    sample.label = pass.data.labels[row];
    sample.scale = static_cast<float>(scale);
    sample.factor = static_cast<float>(-pace.step / (scale * pace.decay));
    return sample;
}

/// The sample that lane `from` knows, in all lanes.
__device__ inline Sample broadcast(const Sample& own, unsigned from) {
    Sample sample;
    sample.begin = __shfl_sync(kAllLanes, own.begin, from);
    sample.size = __shfl_sync(kAllLanes, own.size, from);
    sample.label = __shfl_sync(kAllLanes, own.label, from);
    sample.scale = __shfl_sync(kAllLanes, own.scale, from);
    sample.factor = __shfl_sync(kAllLanes, own.factor, from);
    return sample;
}

/// Steps through the pass's shares until none is left. `weights` and `counts` say where increments go.
template <LinearProblem Problem, class Weights, class Counts, class Probe>
__device__ void step_through(const DevicePass& pass, const Weights& weights, const Counts& counts, Probe& probe) {
    constexpr unsigned kHeld = 4;
    const EpochOrder epoch(pass.order, pass.epoch);
    for (;;) {
        std::uint32_t share = 0;
        if (lane() == 0) share = atomicAdd(pass.claimed, 1u);
        share = __shfl_sync(kAllLanes, share, 0);
        if (share * std::uint64_t{kWarp} >= pass.count) return;
        const std::uint32_t before = share * kWarp;
        const unsigned samples = min(kWarp, pass.count - before);
        const std::uint32_t first = pass.first + before;
        const Sample own = lane() < samples ? sample_at(pass, epoch, first + lane()) : Sample{};
        Sample sample = broadcast(own, 0);
        WarpRow<kHeld> row(pass.data, sample.begin, sample.size);
        for (unsigned i = 0; i < samples; ++i) {
            const Sample next_sample = broadcast(own, min(i + 1, samples - 1));
            const WarpRow<kHeld> next_row(pass.data, next_sample.begin, i + 1 < samples ? next_sample.size : 0);
            probe.read(first + i);
            const float margin = sample.scale * row.dot(weights);
            const float slope = Problem::slope(margin, sample.label);
            if (slope != 0.0f) {
                row.add_to(weights, sample.factor * slope);
                probe.wrote(row, counts);
            }
            sample = next_sample;
            row = next_row;
        }
    }
}

/// Every warp steps on the one buffer.
template <LinearProblem Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(256) sparse_steps(const __grid_constant__ DevicePass pass) {
    Probe probe(pass.telemetry);
    step_through<Problem>(pass, GlobalWeights<S, Update>(pass.weights), GlobalWeights<S, Update>(pass.telemetry.shadow),
                          probe);
}

/// The block's last warp exchanges hot coordinates, round after round; the others step. Shared memory: `hot` floats.
template <LinearProblem Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(768) sparse_steps_hot(const __grid_constant__ DevicePass pass) {
    extern __shared__ float own[];
    __shared__ unsigned stepping; // warps that have not run out of shares
    const std::uint32_t hot = pass.exchange.hot;
    float* const base = pass.exchange.bases + std::size_t{blockIdx.x} * hot;
    const HotWeights<S, Update> weights(pass.weights, own, hot);
    const unsigned warps = blockDim.x / kWarp;
    if (threadIdx.x == 0) stepping = warps - 1;
    for (std::uint32_t j = threadIdx.x; j < hot; j += blockDim.x) base[j] = own[j] = relaxed_load<S>(pass.weights[j]);
    __syncthreads();
    if (threadIdx.x / kWarp == warps - 1) {
        while (*const_cast<volatile unsigned*>(&stepping) > 0) {
            for (std::uint32_t j = lane(); j < hot; j += kWarp) weights.exchange(j, base[j], pass.exchange.rule);
        }
    } else {
        Probe probe(pass.telemetry);
        step_through<Problem>(pass, weights, GlobalWeights<S, Update>(pass.telemetry.shadow), probe);
        if (lane() == 0) atomicSub(&stepping, 1u);
    }
    __syncthreads();
    for (std::uint32_t j = threadIdx.x; j < hot; j += blockDim.x) weights.exchange(j, base[j], pass.exchange.rule);
}

} // namespace hogwild::device
