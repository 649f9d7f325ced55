// The loop of a stochastic gradient step on a GPU: a warp per row, any number of warps on one buffer.
//
//   margin = scale v . x,  v += -(step / scale_after) slope x,  scale falls by `decay` per sample consumed
//
// How a warp holds a row is the type Row (kernels/cuda/rows/warp_row.cuh, dense_row.cuh); where it reads and adds, the type
// Weights.
// The same step as kernels/patterns/sparse_rows.h; the order of additions within a dot product differs, so one warp agrees with one
// CPU thread up to rounding.
#pragma once

#include "kernels/cuda/pass.h"
#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/numbers/power.h"
#include "kernels/problem.h"

#include <cuda/atomic>

namespace hogwild::device {

/// What one lane knows of its sample, for the whole warp to step on.
struct Sample {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
    float label = 0;
    float scale = 1;  // of the margin
    float factor = 0; // times the slope: the row's multiple that is added
};

/// When `count` samples have been consumed.
__device__ inline Pace pace_at(const RunClock& clock, std::uint64_t count) {
    count = min(count, clock.last);
    const auto epoch = static_cast<std::uint32_t>(count / clock.rows);
    const auto position = static_cast<std::uint32_t>(count - std::uint64_t{epoch} * clock.rows);
    Pace pace = clock.paces[std::uint64_t{epoch} * clock.cells + position / SampleOrder::kBlock];
    pace.scale *= power(pace.decay, position % SampleOrder::kBlock);
    return pace;
}

__device__ inline unsigned long long relaxed_count(unsigned long long* count) {
    return cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(*count).load(cuda::memory_order_relaxed);
}

/// By all workers.
__device__ inline std::uint64_t consumed(const RunClock& clock) {
    const std::uint64_t heard = clock.host.heard == nullptr ? 0 : relaxed_count(clock.host.heard);
    return max(clock.others, heard) + relaxed_count(clock.consumed);
}

/// Whether this warp is the one to exchange counts now. An exchange reads lines that threads write, across the link.
__device__ inline bool is_time_to_tell(unsigned long long* told) {
    constexpr unsigned long long kPause = 4'000; // nanoseconds between two exchanges
    bool mine = false;
    if (lane() == 0) {
        unsigned long long now = 0;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
        const unsigned long long last = relaxed_count(told);
        mine = now > last + kPause && atomicCAS(told, last, now) == last;
    }
    return __shfl_sync(kAllLanes, mine, 0);
}

/// Says what this device has consumed, and hears what threads have. By a warp.
__device__ inline void exchange_counts(const HostCounts& host, unsigned long long consumed) {
    unsigned long long sum = 0;
    for (unsigned k = lane(); k < host.count; k += kWarp) {
        const volatile unsigned long long* const count = host.threads + HostCounts::kStride * k;
        sum += *count;
    }
    sum = warp_sum(sum);
    if (lane() != 0) return;
    atomicMax(host.heard, sum);
    if (host.said != nullptr) *const_cast<volatile unsigned long long*>(host.said) = consumed;
}

/// Counts samples that the warp has stepped through, from number `first` of the run on.
__device__ inline void consume(const RunClock& clock, std::uint64_t first, unsigned samples) {
    constexpr unsigned kTold = 512; // samples between two looks at the time
    if (lane() == 0) atomicAdd(clock.consumed, static_cast<unsigned long long>(samples));
    if (clock.host.threads == nullptr || first / kTold == (first + samples) / kTold) return;
    if (is_time_to_tell(clock.host.told)) exchange_counts(clock.host, relaxed_count(clock.consumed));
}

/// The stored number of the sample at a position.
__device__ inline std::uint32_t sample_number(const EpochOrder& epoch, std::uint32_t position) {
    return CellOrder(epoch, position / SampleOrder::kBlock)(position % SampleOrder::kBlock);
}

/// Claims pieces until none is left. work(epoch, first, samples, now) steps a warp through a piece: `samples` positions
/// from `first` on. These are 32 at most unless the warp steps on many abreast. `now`: samples that all workers had
/// consumed.
template <class Work>
__device__ void for_each_piece(const PassFrame& pass, const Work& work) {
    const EpochOrder epoch(pass.order, pass.epoch);
    const auto claim = [&] { return lane() == 0 ? atomicAdd(pass.claimed, 1u) : 0u; };
    for (std::uint32_t claimed = claim();;) {
        const Pieces::Piece piece = pass.pieces[__shfl_sync(kAllLanes, claimed, 0) - pass.claimed_before];
        if (piece.count == 0) return;
        claimed = claim(); // on its way while this piece is stepped through
        const std::uint32_t first = pass.first + piece.first;
        const std::uint64_t now = __shfl_sync(kAllLanes, lane() == 0 ? consumed(pass.clock) : 0, 0);
        work(epoch, first, piece.count, now);
        consume(pass.clock, std::uint64_t{pass.epoch} * pass.clock.rows + first, piece.count);
    }
}

/// The row at a position, stepped on when `count` samples have been consumed.
__device__ inline Sample sample_at(const PassOver<SparseView>& pass, const EpochOrder& epoch, std::uint32_t position,
                                   std::uint64_t count) {
    const std::uint32_t row = sample_number(epoch, position);
    const Pace pace = pace_at(pass.clock, count);
    const double scale = pace.scale;
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

/// Steps through the pass's pieces until none is left. `weights` and `counts` say where increments go.
template <LinearProblem Problem, class Row, class Weights, class Counts, class Probe>
__device__ void step_through(const PassOver<SparseView>& pass, const Weights& weights, const Counts& counts,
                             Probe& probe) {
    for_each_piece(pass, [&](const EpochOrder& epoch, std::uint32_t first, unsigned samples, std::uint64_t now) {
        Sample own;
        if (lane() < samples) {
            own = sample_at(pass, epoch, first + lane(), now + std::uint64_t{lane()} * pass.clock.warps);
            Row::fetch_ahead(pass.data, own.begin, own.size);
        }
        Sample sample = broadcast(own, 0);
        Row row(pass.data, sample.begin, sample.size);
        for (unsigned i = 0; i < samples; ++i) {
            const Sample next_sample = broadcast(own, min(i + 1, samples - 1));
            const Row next_row(pass.data, next_sample.begin, i + 1 < samples ? next_sample.size : 0);
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
        weights.stepped(samples);
    });
}

} // namespace hogwild::device
