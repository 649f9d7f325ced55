// The launches of a synchronous step over samples that touch groups of coordinates (kernels/cuda/batches/group_batches.h).
//
// How an access pattern takes part is a class Form:
//   View                  of its samples
//   kLanes                of a warp, that hold a sample
//   memory(data)          words of shared memory that a warp needs, a multiple of four
//   most_groups(data)     that a sample touches
//   Gradient(data, member, own)     what of a sample nobody writes; by all lanes of a warp, as all that follow
//     add(weights, sums, marks)     adds its gradient to the sums, and marks the groups that it touches
//   kRowLanes             of a warp, that hold a group's coordinates
//   apply(data, sums, group, steps) gives them their sums; `steps`: these lanes have a group
#pragma once

#include "kernels/cuda/batches/batch_member.cuh"
#include "kernels/cuda/batches/batch_sample.cuh"
#include "kernels/cuda/batches/batch_weights.cuh"
#include "kernels/cuda/batches/group_batches.h"
#include "kernels/cuda/batches/group_marks.cuh"
#include "kernels/cuda/batches/integer_sums.cuh"
#include "kernels/cuda/dependent_launch.cuh"
#include "kernels/cuda/memory/warps_that_fit.cuh"
#include "kernels/cuda/warp_part.cuh"

#include <algorithm>

namespace hogwild::device {

template <class View>
__device__ BatchMember member_of(const GroupBatchesOver<View>& run, std::uint32_t batch, std::uint32_t i) {
    const std::uint64_t position = std::uint64_t{batch} * run.size + i;
    const bool steps = i < run.size && position < run.data.rows;
    return {run.numbers[steps ? position : 0], steps, run.seed, *run.epoch};
}

template <class Form>
__global__ void __launch_bounds__(256)
    sum_group_gradients(const __grid_constant__ GroupBatchesOver<typename Form::View> run, std::uint32_t number) {
    extern __shared__ float4 own_rows[];
    float* const own = reinterpret_cast<float*>(own_rows) + threadIdx.x / kWarp * Form::memory(run.data);
    const std::uint32_t i = warp_of_grid() * (kWarp / Form::kLanes) + lane() / Form::kLanes;
    typename Form::Gradient gradient(run.data, member_of(run, *run.base + number, i), own);
    wait_for_launch_before();
    let_launch_after_begin();
    gradient.add(SharedWeights(run.weights), IntegerSums(run.sums, run.unit), GroupMarks(run.touched));
}

template <class Form>
__global__ void __launch_bounds__(256)
    apply_to_groups(const __grid_constant__ GroupBatchesOver<typename Form::View> run, std::uint32_t number) {
    constexpr unsigned kParts = kWarp / Form::kRowLanes;
    const SumsToApply sums(run.weights, run.sums, run.paces[*run.base + number].factor, run.unit);
    const GroupMarks marks(run.touched);
    wait_for_launch_before();
    let_launch_after_begin();
    const std::uint32_t count = marks.count(), step = gridDim.x * (blockDim.x / kWarp) * kParts;
    for (std::uint32_t first = warp_of_grid() * kParts; first < count; first += step) {
        const std::uint32_t i = first + lane() / Form::kRowLanes;
        const bool steps = i < count;
        const std::uint32_t group = steps ? marks.group(i) : 0;
        if (steps && part_lane<Form::kRowLanes>() == 0) marks.unmark(group);
        Form::apply(run.data, sums, group, steps);
    }
    marks.leave();
}

template <class Form>
cudaError_t launch_group_batch(const GroupBatches& given, std::uint32_t number, cudaStream_t stream) {
    constexpr unsigned kWarps = 8, kMostBlocks = 132 * 8;
    const GroupBatchesOver<typename Form::View> run(given);
    const auto sum = sum_group_gradients<Form>;
    OwnMemory own{kWarps};
    if (const cudaError_t fits = fit(own, sum, Form::memory(run.data)); fits != cudaSuccess) return fits;
    const std::uint64_t samples = std::uint64_t{own.warps} * (kWarp / Form::kLanes); // of a block
    const auto blocks = static_cast<unsigned>((run.size + samples - 1) / samples);
    const cudaError_t summed = launch(sum, {blocks, own.warps * kWarp, own.bytes}, run.overlaps, stream, run, number);
    if (summed != cudaSuccess) return summed;
    constexpr std::uint64_t kGroups = kWarps * (kWarp / Form::kRowLanes); // of a block at a time
    const std::uint64_t touched = std::min<std::uint64_t>(run.size * Form::most_groups(run.data), run.data.groups());
    const auto wanted = static_cast<unsigned>(std::min<std::uint64_t>((touched + kGroups - 1) / kGroups, kMostBlocks));
    return launch(apply_to_groups<Form>, {wanted, kWarps * kWarp}, run.overlaps, stream, run, number);
}

} // namespace hogwild::device
