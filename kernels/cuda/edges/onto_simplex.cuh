// Projections of rows, such as the two ends of an edge, whose numbers some lanes of a warp (a part) hold. Lane l of a
// part holds classes l, l + kLanes, ...
//
// The rounds are those of kernels/numbers/simplex.h for all rows at once, with the bits of project_onto_simplex. Its
// sixteen sums are those of sixteen lanes, folded in the same halves. With fewer lanes each holds one number, and the
// missing lanes would add zeros. With 32 lanes the upper half holds every other number of the lower half's sums.
#pragma once

#include "kernels/cuda/warp_part.cuh"
#include "kernels/numbers/simplex.h"
#include "kernels/views/edges_view.h"

#include <limits>

namespace hogwild::device {

/// For two classes.
struct OntoSegment {
    template <class Moved>
    __device__ explicit OntoSegment(const Moved&) {}

    __device__ float operator()(unsigned, float x) const { return project_onto_segment(x); }
};

template <unsigned kLanes, unsigned kHeld, unsigned kRows>
class OntoSimplex {
    static constexpr unsigned kSums = simplex::kWide, kFolded = kLanes < kSums ? kLanes : kSums;
    static_assert(kLanes >= kSums || kHeld == 1);

public:
    static constexpr float kNothing = std::numeric_limits<float>::lowest();

    /// `moved(row, h)`: the lane's h-th number of a row; kNothing where it has none. By all lanes of the warp: parts that are
    /// through wait for the others.
    template <class Moved>
    __device__ explicit OntoSimplex(const Moved& moved) {
        float kept[kRows];
#pragma unroll
        for (unsigned row = 0; row < kRows; ++row) {
            kept[row] = EdgesView::kMostClasses + 1;
            tau_[row] = kNothing;
        }
        bool drops;
        do {
            drops = false;
#pragma unroll
            for (unsigned row = 0; row < kRows; ++row) {
                float sum = 0, count = 0;
#pragma unroll
                for (unsigned h = 0; h < kHeld; ++h) {
                    const float x = moved(row, h);
                    sum = plus(sum, x > tau_[row] ? x : 0.0f);
                    count += x > tau_[row] ? 1.0f : 0.0f;
                }
                sum = part_sum<kFolded>(sum);
                count = part_sum<kLanes>(count);
                if (!(count > 0) || count >= kept[row]) continue;
                kept[row] = count;
                tau_[row] = (sum - 1.0f) / count;
                drops = true;
            }
        } while (__any_sync(kAllLanes, drops));
    }

    __device__ float operator()(unsigned row, float x) const { return x > tau_[row] ? x - tau_[row] : 0.0f; }

private:
    /// The lane's sum with one number more of each lane that has a part in it.
    __device__ static float plus(float sum, float x) {
        if constexpr (kLanes <= kSums) {
            return sum + x;
        } else {
            const float other = __shfl_xor_sync(kAllLanes, x, kSums);
            return lane() < kSums ? (sum + x) + other : (sum + other) + x;
        }
    }

    float tau_[kRows];
};

} // namespace hogwild::device
