// Steps over edges on a GPU. Some lanes of a warp (a part) hold the rows of an edge's two ends. A warp holds as many
// edges at a time as it has parts.
//
//   x_u <- project(x_u - (step / 2) (w / mean) s),   x_v <- project(x_v + (step / 2) (w / mean) s),   s_k = slope(x_uk - x_vk)
//
// The step and its bits are those of kernels/patterns/edge_ends.h: with one edge after the other, a warp walks the path
// of a CPU thread. Edges that a warp holds at the same time are steps of as many workers. Where they share a node, each
// adds to it what it computed without the others. Each of them then brings back a row that was taken outside the
// simplex. Three and more together move it by more than it was outside, and so ever further. So no edge moves a number
// by more than twice what a step from inside can. A step from inside leaves such a number within a few steps' lengths.
// An increment of zero is not written: where most nodes have come to corners, most steps only read. All lanes of a warp
// go through every step, those without an edge as well, since they fold their sums together.
#pragma once

#include "kernels/cuda/edges/held_ends.cuh"
#include "kernels/cuda/memory/global_weights.cuh"
#include "kernels/cuda/probes/none.cuh"
#include "kernels/cuda/step_through.cuh"

#include <concepts>
#include <limits>

namespace hogwild::device {

/// The ends of an edge, and what a step makes of them.
template <class Problem, class Form>
class SteppedEnds : HeldEnds<Problem, Form> {
public:
    /// By all lanes of the warp. `steps`: this part has an edge.
    template <class Weights>
    __device__ SteppedEnds(const EdgesView& data, const Weights& weights, const EdgeSample& edge, bool steps)
        : Held(data, weights, edge, steps), onto_([this](unsigned end, unsigned h) {
              return class_of<Form>(h) < width_ ? moved(end, h) : std::numeric_limits<float>::lowest();
          }) {}

    template <class Weights>
    __device__ void add(const Weights& weights) const {
        for_each_increment([&](std::uint32_t j, float read, float by) { weights.add_to(j, read, by); });
    }

    /// counts[j] += 1 for every coordinate that was incremented.
    template <class Counts>
    __device__ void count_in(const Counts& counts) const {
        for_each_increment([&](std::uint32_t j, float, float) { counts.add(j, 1.0f); });
    }

    /// How many the warp increments, in all lanes. By all of them.
    __device__ std::uint32_t counted() {
        size_ = 0;
        for_each_increment([&](std::uint32_t, float, float) { ++size_; });
        return size_ = warp_sum(size_);
    }

    /// Once they are counted.
    __device__ std::uint32_t size() const { return size_; }

private:
    using Held = HeldEnds<Problem, Form>;
    using Held::nodes_, Held::free_, Held::width_, Held::most_, Held::x_, Held::y_;

    /// Before it is projected.
    __device__ float moved(unsigned end, unsigned h) const {
        const float move = Held::move(h);
        return end == 0 ? x_.of[h] - move : y_.of[h] + move;
    }

    /// From inside, a number moves by `most`, and its row is shifted by no more than that.
    __device__ float limited(float by) const {
        constexpr float kRounding = 0x1p-20f;
        const float limit = 4 * most_ + kRounding;
        return by > limit ? limit : by < -limit ? -limit : by;
    }

    /// one(coordinate, read, by), of the lane's coordinates.
    template <class One>
    __device__ void for_each_increment(const One& one) const {
#pragma unroll
        for (unsigned end = 0; end < 2; ++end) {
            if (nodes_[end] >= free_) continue;
#pragma unroll
            for (unsigned h = 0; h < Form::kHeld; ++h) {
                if (class_of<Form>(h) >= width_) continue;
                const float read = end == 0 ? x_.of[h] : y_.of[h], by = limited(onto_(end, moved(end, h)) - read);
                if (by != 0) one(nodes_[end] * width_ + class_of<Form>(h), read, by);
            }
        }
    }

    typename Form::template Onto<2> onto_;
    std::uint32_t size_ = 0;
};

/// With a probe a warp steps on one edge at a time, as the staleness of a step supposes.
template <class Form, class Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(256) edge_steps(const __grid_constant__ PassOver<EdgesView> pass) {
    constexpr bool kWatched = !std::same_as<Probe, NoProbe>;
    constexpr unsigned kAbreast = kWatched ? 1 : kWarp / Form::kLanes;
    const GlobalWeights<S, Update> weights(pass), counts(pass.telemetry.shadow);
    Probe probe(pass.telemetry);
    const auto step_on = [&](const EdgeSample& own, std::uint32_t first, unsigned count) {
        const unsigned part = lane() / Form::kLanes;
        for (unsigned i = 0; i < count; i += kAbreast) {
            const EdgeSample edge = broadcast(own, min(i + part, count - 1));
            probe.read(first + i);
            SteppedEnds<Problem, Form> ends(pass.data, weights, edge, part < kAbreast && i + part < count);
            ends.add(weights);
            if constexpr (kWatched) {
                if (ends.counted() > 0) probe.wrote(ends, counts);
            }
        }
    };
    for_each_piece(pass, [&](const EpochOrder& epoch, std::uint32_t first, unsigned samples, std::uint64_t now) {
        constexpr std::uint32_t kCell = SampleOrder::kBlock;
        const auto half = static_cast<float>(0.5 * pace_at(pass.clock, now).step / pass.data.mean);
        for (std::uint32_t at = first, end = first + samples; at < end;) {
            const CellOrder cell(epoch, at / kCell); // once: most pieces lie in one
            const std::uint32_t cell_end = at + min(end - at, kCell - at % kCell);
            for (unsigned count = 0; at < cell_end; at += count) {
                count = min(kWarp, cell_end - at);
                EdgeSample own;
                if (lane() < count) own = edge_at(pass.data, cell((at + lane()) % kCell), half);
                step_on(own, at, count);
            }
        }
    });
}

} // namespace hogwild::device
