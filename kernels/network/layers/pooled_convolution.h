// A convolution and the max pooling after it as one layer of the CPU's pass, by the loops of kernels/network/stages: no map lies between
// them.
//
// Forward pools what was summed at once, and remembers of each pooled number which place of its window won. Back, only
// winners send slopes. Numbers, and the order of their sums, are those of the two layers one by one, without terms of a
// slope of 0. The bits are the same but for a zero's sign, as with listed sums (kernels/lanes/dense.h).
//
// On the tape, in the place of the convolution's outputs: the winners, bytes; in the place of slopes along these: lists of winners
// (kernels/network/stages/winner_lists.h). The pooling's own outputs and slopes are where they would be, the latter through the
// activation.
// Thread-safety: weights may be written by others meanwhile, each access to them is a relaxed atomic; all else is the caller's own.
#pragma once

#include "kernels/lanes/dispatch.h"
#include "kernels/network/activation.h"
#include "kernels/network/layers/tape.h"
#include "kernels/network/network.h"
#include "kernels/network/stages/by_lines.h"
#include "kernels/network/stages/by_windows.h"
#include "kernels/network/stages/winner_gradient.h"
#include "kernels/network/stages/winner_lists.h"
#include "kernels/network/stages/winner_slopes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class PooledConvolution {
public:
    /// Whether layer number l and the one after it are such a pair, of sizes that there are loops for.
    static bool begins_at(const NetworkShape& network, std::uint32_t l) {
        if (l + 1 >= network.count) return false;
        const Layer &convolution = network.layers[l], &pooling = network.layers[l + 1];
        return convolution.kind == LayerKind::kConvolution && convolution.stride == 1 &&
               pooling.kind == LayerKind::kMaxPool && pooling.stride == pooling.kernel && pooling.kernel >= 2 &&
               pooling.kernel <= 3 && convolution.out.channels <= SlopesByWinners::kMostFilters &&
               WinnerLists::floats(shape_of(network, l)) <= convolution.out.size();
    }

    /// Layers l and l + 1 of the tape's network.
    PooledConvolution(const NetworkShape& network, std::uint32_t l, const NetworkTape& tape)
        : layer_(network.layers[l]), l_(l), shape_(shape_of(network, l)), tape_(tape) {}

    /// Floats of `own` below: weights as the loops want them, and windows; or lines of the map.
    static std::size_t floats(const NetworkShape& network, std::uint32_t l) {
        const ConvPoolShape shape = shape_of(network, l);
        const TileShape widest{shape, kWidest, kWidest};
        return std::max({std::size_t{widest.rows()}, turned_floats(widest) + SlopesByWinners::floats(widest),
                         std::size_t{shape.pool} * shape.map_width() * shape.filters});
    }

    /// Pooled maps, and who won, of `count` samples.
    template <class Lanes>
    void forward(const float* weights, std::uint32_t count, float* own) const {
        const TileShape tile = tile_of<Lanes>();
        const Activation activation = layer_.activation;
        if (activation != Activation::kNone && activation != Activation::kRelu) { // what is equal then was not before
            for (std::uint32_t i = 0; i < count; ++i)
                On<ForwardByLines>::template on<Lanes>(
                    tile, {weights + layer_.weights, tape_.input(i, l_), pooled(i), winners(i), own, activation});
            return;
        }
        MakeRows::run<Lanes>(tile, weights + layer_.weights, own);
        for (std::uint32_t i = 0; i < count; ++i)
            On<ForwardByWindows>::template on<Lanes>(tile,
                                                     {own, tape_.input(i, l_), pooled(i), winners(i), activation});
    }

    /// Slopes along pooled maps become those along sums, and winners are listed.
    template <class Lanes>
    void back_to_sums(std::uint32_t count) const {
        const TileShape tile = tile_of<Lanes>();
        for (std::uint32_t i = 0; i < count; ++i) {
            through_activation(layer_.activation, pooled(i), through(i), shape_.pooled_size());
            lists(i).make(through(i), winners(i), tile.filters());
        }
    }

    /// Slopes along the convolution's inputs.
    template <class Lanes>
    void back(const float* weights, std::uint32_t count, float* own) const {
        const TileShape tile = tile_of<Lanes>();
        TurnWeights::run<Lanes>(tile, weights + layer_.weights, own);
        for (std::uint32_t i = 0; i < count; ++i)
            On<SlopesByWinners>::template on<Lanes>(
                tile, {own, through(i), winners(i), own + turned_floats(tile), tape_.slopes(i, l_ - 1)});
    }

    /// Floats of a gradient below.
    static std::size_t gradient_floats(const NetworkShape& network, std::uint32_t l) {
        const TileShape widest{shape_of(network, l), kWidest, kWidest};
        return turned_floats(widest) + widest.of.filters;
    }

    /// The gradient of `count` samples' summed loss, turned (kernels/network/stages/tile_shape.h), then that of biases. Only the
    /// lines of windows that rows [begin, end) belong to.
    template <class Lanes>
    void sum_gradient(std::uint32_t count, std::uint32_t begin, std::uint32_t end, float* gradient) const {
        const TileShape tile = tile_of<Lanes>();
        float* const biases = gradient + turned_floats(tile);
        std::fill(gradient, biases + shape_.filters, 0.0f);
        const std::uint32_t line = shape_.window_line(), first = std::min(begin / line, shape_.kernel - 1),
                            behind = std::clamp((end + line - 1) / line, first + 1, shape_.kernel);
        for (std::uint32_t i = 0; i < count; ++i)
            On<GradientByWinners>::template on<Lanes>(
                tile, {tape_.input(i, l_), tape_.slopes(i, l_), gradient, biases, first, behind});
    }

    /// Neighbouring rows of it, of one line of the window, or the biases' row.
    template <class Lanes>
    void rows_of_gradient(const float* gradient, std::uint32_t row, std::uint32_t count, float* rows) const {
        const TileShape tile = tile_of<Lanes>();
        if (row == shape_.depth()) {
            std::copy_n(gradient + turned_floats(tile), shape_.filters, rows);
            return;
        }
        const std::uint32_t line = shape_.window_line();
        Lanes::Dense::transpose(rows, shape_.filters, gradient + row / line * tile.run() + row % line, tile.turned(),
                                shape_.filters, count);
    }

private:
    static constexpr std::uint32_t kWidest = 16; // floats of a vector

    template <class Body>
    using On = OnLanes<Body, const TileShape&, const Body&>;

    static ConvPoolShape shape_of(const NetworkShape& network, std::uint32_t l) {
        const Layer &convolution = network.layers[l], &pooling = network.layers[l + 1];
        return {.height = convolution.in.height,
                .width = convolution.in.width,
                .channels = convolution.in.channels,
                .filters = convolution.out.channels,
                .kernel = convolution.kernel,
                .pool = pooling.kernel};
    }

    static std::size_t turned_floats(const TileShape& tile) { return std::size_t{tile.of.filters} * tile.turned(); }

    template <class Lanes>
    TileShape tile_of() const {
        TileShape tile;
        MakeTileShape::run<Lanes>(shape_, tile);
        return tile;
    }

    float* pooled(std::uint32_t i) const { return tape_.output(i, l_ + 1); }
    float* through(std::uint32_t i) const { return tape_.slopes(i, l_ + 1); }
    std::uint8_t* winners(std::uint32_t i) const { return reinterpret_cast<std::uint8_t*>(tape_.output(i, l_)); }
    WinnerLists lists(std::uint32_t i) const { return {shape_, tape_.slopes(i, l_)}; }

    const Layer& layer_;
    std::uint32_t l_;
    ConvPoolShape shape_;
    const NetworkTape& tape_;
};

} // namespace hogwild
