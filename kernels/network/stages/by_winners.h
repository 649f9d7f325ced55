// A convolution with subsampling (kernels/network/stages/conv_pool.h) back, from winners alone, since no other place of
// a window has a slope. That is a pool x pool-th of the multiplications that whole maps take. For one image.
//
// Thread-safety: all memory is the caller's own.
#pragma once

#include "kernels/network/activation.h"
#include "kernels/network/stages/tile_shape.h"
#include "kernels/network/stages/winner_gradient.h"
#include "kernels/network/stages/winner_lists.h"
#include "kernels/network/stages/winner_slopes.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

/// All of an image's way back.
struct BackByWinners {
    const float* turned_weights; // kernels/network/stages/tile_shape.h
    const float* image;          // padded
    const float* pooled;
    const std::uint8_t* winners; // tile.filters() a window
    const float* pooled_slopes;
    float* through;         // shape.pooled_size()
    float* lists;           // WinnerLists::floats
    float* turned_gradient; // what it holds is added to
    float* biases;          // their gradient; added to
    float* windows;         // SlopesByWinners::floats
    float* input_slopes;    // padded; null: not wanted

    template <class Lanes>
    static void run(const TileShape& tile, const BackByWinners& of);
};

template <class Lanes>
void BackByWinners::run(const TileShape& tile, const BackByWinners& of) {
    const ConvPoolShape& shape = tile.of;
    std::copy_n(of.pooled_slopes, shape.pooled_size(), of.through);
    through_activation(Activation::kRelu, of.pooled, of.through, shape.pooled_size());
    WinnerLists(shape, of.lists).make(of.through, of.winners, tile.filters());
    GradientByWinners::run<Lanes>(tile, {of.image, of.lists, of.turned_gradient, of.biases, 0, shape.kernel});
    if (of.input_slopes != nullptr)
        SlopesByWinners::run<Lanes>(tile, {of.turned_weights, of.through, of.winners, of.windows, of.input_slopes});
}

} // namespace hogwild
