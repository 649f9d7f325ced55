// What a step on a window of text adds to each vector that it touches, all from one reading, by a warp.
//
// The same sums as kernels/patterns/window_gradient.h, which has the formula; the order of additions within a product differs. A
// lane holds elements (kernels/cuda/rows/element.cuh) l, l + 32, ... of every vector, kHeld of them at most. Outputs are taken
// kTile at a time, in registers. Inputs and what is added to them are rows of the warp's own in shared memory, where no lane reads
// another's elements.
//
//   of each tile    products with all contexts of the list, reduced together (kernels/cuda/lane_sums.cuh); their slopes, a lane
//                   each; the tile's part of what inputs get
//   then            what outputs get is summed tile by tile and added; nothing is written before everything has been read
#pragma once

#include "kernels/cuda/lane_sums.cuh"
#include "kernels/cuda/rows/element.cuh"
#include "kernels/cuda/windows/warp_window.cuh"

#include <bit>
#include <cstdint>

namespace hogwild::device {

template <class Element, unsigned kHeld, unsigned kTile>
class WarpWindowGradient {
public:
    /// Floats of shared memory that a warp needs.
    HOGWILD_HOST_DEVICE static std::uint32_t memory(const SkipGramModel& model) {
        const WindowShape most(model);
        return most.contexts * (2 * model.dim + most.outputs);
    }

    /// `own` is a multiple of 16.
    __device__ WarpWindowGradient(const SkipGramModel& model, float* own)
        : dim_(model.dim),
          inputs_(own),
          of_inputs_(inputs_ + WindowShape(model).contexts * dim_),
          slopes_(of_inputs_ + WindowShape(model).contexts * dim_) {}

    /// Reads a window that has contexts.
    template <class Problem, class Weights>
    __device__ void read(const WarpWindow& window, const Weights& weights, float factor) const {
        for (std::uint32_t l = 0; l < window.lists(); ++l) {
            for (std::uint32_t first = 0; first < window.outputs(); first += kTile) {
                const Tile tile = tile_of(window, l, first);
                Values outputs[kTile][kHeld];
                load_outputs(window, weights, tile, outputs);
                if (l == 0 && first == 0) copy_inputs(window, weights);
                multiply(window, tile, outputs);
                __syncwarp();
                take_slopes<Problem>(window, tile, factor);
                __syncwarp();
                sum_for_inputs(window, tile, outputs);
            }
        }
    }

    /// Adds to the vectors.
    template <class Weights>
    __device__ void write(const WarpWindow& window, const Weights& weights) const {
        for (std::uint32_t n = 0; n < window.contexts(); ++n) {
            const std::uint32_t begin = window.input(n) * dim_;
            visit([&](unsigned, std::uint32_t k) { Element::add(weights, begin + k, at(of_inputs_, n, k)); });
        }
        const bool own_lists = window.lists() > 1; // the centre is in all of them
        if (own_lists) add_to_outputs(window, weights, {0, 0, 1, 0, window.contexts()});
        for (std::uint32_t l = 0; l < window.lists(); ++l) {
            for (std::uint32_t first = own_lists ? 1 : 0; first < window.outputs(); first += kTile)
                add_to_outputs(window, weights, tile_of(window, l, first));
        }
    }

private:
    using Values = typename Element::Values;

    /// Outputs [first, first + count) of list l, count <= kTile, and contexts [context, end).
    struct Tile {
        std::uint32_t l, first, count, context, end;
    };

    __device__ static Tile tile_of(const WarpWindow& window, std::uint32_t l, std::uint32_t first) {
        return {l, first, min(kTile, window.outputs() - first), window.first_context(l), window.end_context(l)};
    }

    /// one(h, k): the lane's element number h begins at float k.
    template <class One>
    __device__ void visit(const One& one) const {
#pragma unroll
        for (unsigned h = 0; h < kHeld; ++h) {
            const std::uint32_t k = Element::kFloats * (lane() + kWarp * h);
            if (k < dim_) one(h, k);
        }
    }

    __device__ Values& at(float* rows, std::uint32_t row, std::uint32_t k) const {
        return *reinterpret_cast<Values*>(rows + row * dim_ + k);
    }

    /// The slope of context n with output m of its list.
    __device__ float& slope(const WarpWindow& window, std::uint32_t n, std::uint32_t m) const {
        return slopes_[n * window.outputs() + m];
    }

    /// With the tile's output number m; 0 where it has none.
    __device__ float tile_slope(const WarpWindow& window, const Tile& tile, std::uint32_t n, unsigned m) const {
        return m < tile.count ? slope(window, n, tile.first + m) : 0.0f;
    }

    /// The group of the tile's output number m; kNone where it has none.
    __device__ static std::uint32_t group(const WarpWindow& window, const Tile& tile, unsigned m) {
        return m < tile.count ? window.output(tile.l, tile.first + m) : WarpWindow::kNone;
    }

    /// Asks for them; nothing waits yet. No group: zeros.
    template <class Weights>
    __device__ void load_outputs(const WarpWindow& window, const Weights& weights, const Tile& tile,
                                 Values (&outputs)[kTile][kHeld]) const {
#pragma unroll
        for (unsigned m = 0; m < kTile; ++m) {
            const std::uint32_t from = group(window, tile, m);
            visit([&](unsigned h, std::uint32_t k) {
                outputs[m][h] = from == WarpWindow::kNone ? Values{} : Element::load(weights, from * dim_ + k);
            });
        }
    }

    template <class Weights>
    __device__ void copy_inputs(const WarpWindow& window, const Weights& weights) const {
        const std::uint32_t contexts = window.contexts();
        for (std::uint32_t first = 0; first < contexts; first += kTile) {
            Values inputs[kTile][kHeld]; // all on their way before the first is stored
#pragma unroll
            for (unsigned i = 0; i < kTile; ++i) {
                if (first + i >= contexts) continue;
                const std::uint32_t begin = window.input(first + i) * dim_;
                visit([&](unsigned h, std::uint32_t k) { inputs[i][h] = Element::load(weights, begin + k); });
            }
#pragma unroll
            for (unsigned i = 0; i < kTile; ++i) {
                if (first + i >= contexts) continue;
                visit([&](unsigned h, std::uint32_t k) { at(inputs_, first + i, k) = inputs[i][h]; });
            }
        }
    }

    /// The products, where the slopes will be.
    __device__ void multiply(const WarpWindow& window, const Tile& tile, const Values (&outputs)[kTile][kHeld]) const {
        for (std::uint32_t n = tile.context; n < tile.end; ++n) {
            float products[kTile] = {};
            visit([&](unsigned h, std::uint32_t k) {
                const Values input = at(inputs_, n, k);
#pragma unroll
                for (unsigned m = 0; m < kTile; ++m) products[m] += Element::times(input, outputs[m][h]);
            });
            const float sum = lane_sums(products);
            if (lane() < tile.count) slope(window, n, tile.first + lane()) = sum;
        }
    }

    template <class Problem>
    __device__ void take_slopes(const WarpWindow& window, const Tile& tile, float factor) const {
        constexpr unsigned kStride = std::bit_ceil(kTile);
        const unsigned m = lane() % kStride;
        if (m >= tile.count) return;
        const float label = tile.first + m == 0 ? 1.0f : 0.0f;
        for (std::uint32_t n = tile.context + lane() / kStride; n < tile.end; n += kWarp / kStride) {
            float& product = slope(window, n, tile.first + m);
            product = factor * Problem::slope(product, label);
        }
    }

    __device__ void sum_for_inputs(const WarpWindow& window, const Tile& tile,
                                   const Values (&outputs)[kTile][kHeld]) const {
        for (std::uint32_t n = tile.context; n < tile.end; ++n) {
            visit([&](unsigned h, std::uint32_t k) {
                Values sum = tile.first == 0 ? Values{} : at(of_inputs_, n, k);
#pragma unroll
                for (unsigned m = 0; m < kTile; ++m)
                    sum = Element::sum(sum, Element::multiple(tile_slope(window, tile, n, m), outputs[m][h]));
                at(of_inputs_, n, k) = sum;
            });
        }
    }

    template <class Weights>
    __device__ void add_to_outputs(const WarpWindow& window, const Weights& weights, const Tile& tile) const {
        Values sums[kTile][kHeld] = {};
        for (std::uint32_t n = tile.context; n < tile.end; ++n) {
            visit([&](unsigned h, std::uint32_t k) {
                const Values input = at(inputs_, n, k);
#pragma unroll
                for (unsigned m = 0; m < kTile; ++m)
                    sums[m][h] = Element::sum(sums[m][h], Element::multiple(tile_slope(window, tile, n, m), input));
            });
        }
#pragma unroll
        for (unsigned m = 0; m < kTile; ++m) {
            const std::uint32_t to = group(window, tile, m);
            if (to == WarpWindow::kNone) continue;
            visit([&](unsigned h, std::uint32_t k) { Element::add(weights, to * dim_ + k, sums[m][h]); });
        }
    }

    std::uint32_t dim_;
    float *inputs_, *of_inputs_;
    float* slopes_; // first the products
};

/// Words of shared memory that a warp needs for a window and its gradient, a multiple of four.
template <class Gradient>
HOGWILD_HOST_DEVICE std::uint32_t window_memory(const SkipGramModel& model) {
    return (Gradient::memory(model) + WarpWindow::memory(model) + 3) / 4 * 4;
}

} // namespace hogwild::device
