// An edge in the hands of some lanes of a warp: the rows of its two ends, as a step has read them. Its gradient is here
// too.
#pragma once

#include "kernels/cuda/edges/onto_simplex.cuh"
#include "kernels/cuda/warp_part.cuh"
#include "kernels/views/edges_view.h"

#include <cstdint>

namespace hogwild::device {

/// How lanes hold a row: one number where there are two classes.
struct TwoClasses {
    static constexpr unsigned kLanes = 1, kHeld = 1;
    template <unsigned>
    using Onto = OntoSegment;
};

/// Up to kLanes x kHeld numbers.
template <unsigned kInLanes, unsigned kInEach>
struct ManyClasses {
    static constexpr unsigned kLanes = kInLanes, kHeld = kInEach;
    template <unsigned kRows>
    using Onto = OntoSimplex<kLanes, kHeld, kRows>;
};

/// What one lane knows of an edge, for its part of the warp to step on.
struct EdgeSample {
    std::uint32_t u = 0, v = 0;
    float most = 0; // that a number moves by before its row is projected
};

__device__ inline EdgeSample edge_at(const EdgesView& data, std::uint32_t number, float half) {
    const WeightedEdge edge = data.edges[number];
    return {edge.u, edge.v, half * edge.weight};
}

__device__ inline EdgeSample broadcast(const EdgeSample& own, unsigned from) {
    return {__shfl_sync(kAllLanes, own.u, from), __shfl_sync(kAllLanes, own.v, from),
            __shfl_sync(kAllLanes, own.most, from)};
}

/// The number that lane l of a part holds as its h-th, of any row.
template <class Form>
__device__ inline std::uint32_t class_of(unsigned h) {
    return part_lane<Form::kLanes>() + Form::kLanes * h;
}

template <class Problem, class Form>
class HeldEnds {
public:
    /// `steps`: this part has an edge.
    template <class Weights>
    __device__ HeldEnds(const EdgesView& data, const Weights& weights, const EdgeSample& edge, bool steps)
        : nodes_{edge.u, edge.v},
          free_(data.free),
          width_(steps ? data.width() : 0),
          most_(edge.most),
          x_(numbers(weights, edge.u)),
          y_(numbers(weights, edge.v)) {}

    /// sums += the gradient: its numbers at u, their opposites at v.
    template <class Sums>
    __device__ void add_gradient(const Sums& sums) const {
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            const std::uint32_t k = class_of<Form>(h);
            if (k >= width_) continue;
            const float by = move(h);
            if (by == 0) continue;
            if (nodes_[0] < free_) sums.add(nodes_[0] * width_ + k, by);
            if (nodes_[1] < free_) sums.add(nodes_[1] * width_ + k, -by);
        }
    }

    /// visit(node) for every end that has coordinates.
    template <class Visit>
    __device__ void for_each_group(const Visit& visit) const {
        if (width_ == 0) return;
        if (nodes_[0] < free_) visit(nodes_[0]);
        if (nodes_[1] < free_) visit(nodes_[1]);
    }

protected:
    static constexpr unsigned kLanes = Form::kLanes, kHeld = Form::kHeld;

    /// By how much the lane's h-th number of u falls, and that of v rises.
    __device__ float move(unsigned h) const { return most_ * Problem::slope(x_.of[h] - y_.of[h]); }

    struct Numbers {
        float of[kHeld];
    };

    std::uint32_t nodes_[2];
    std::uint32_t free_, width_;
    float most_;
    Numbers x_, y_;

private:
    /// A node's, as far as this lane holds them.
    template <class Weights>
    __device__ Numbers numbers(const Weights& weights, std::uint32_t node) const {
        Numbers row;
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            const std::uint32_t k = class_of<Form>(h);
            row.of[h] = k == node - free_ ? 1.0f : 0.0f; // a terminal's corner
            if (k < width_ && node < free_) row.of[h] = weights.load(node * width_ + k);
        }
        return row;
    }
};

} // namespace hogwild::device
