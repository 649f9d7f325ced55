// Dense layers and convolutions: forward, back, and the gradient of their weights, as sums of rows (kernels/lanes/dense.h).
//
// A convolution reads the lines of its windows where they lie, one after another: nothing is copied to a matrix first. Its way back
// makes the slopes of a line's windows in scratch, and adds them where windows overlap.
// Thread-safety: weights may be written by others meanwhile, each access to them is a relaxed atomic; all else is the caller's own.
#pragma once

#include "kernels/lanes/dense.h"
#include "kernels/network/layers/layer_form.h"
#include "kernels/network/layers/tape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

struct DenseLayer {
    static constexpr LayerKind kKind = LayerKind::kDense;
    static constexpr LayerForm kForm{
        "dense", "dense UNITS [relu|tanh|sigmoid]", "dense 128 relu", {LayerWord::kUnits, LayerWord::kActivation}};
};

struct ConvolutionLayer {
    static constexpr LayerKind kKind = LayerKind::kConvolution;
    static constexpr LayerForm kForm{
        "conv",
        "conv FILTERS SIDE [stride N] [pad N] [relu|tanh|sigmoid]",
        "conv 16 5 relu",
        {LayerWord::kFilters, LayerWord::kSide, LayerWord::kStride, LayerWord::kBorder, LayerWord::kActivation}};
};

/// Whether entry k of the layer's input is zero in all of these samples, as places at the border of digits are.
inline bool zero_input(const NetworkTape& tape, std::uint32_t l, std::uint32_t k, std::uint32_t count) {
    const float* at = tape.input(0, l) + k;
    for (std::uint32_t i = 0; i < count; ++i, at += tape.stride()) {
        if (*at != 0.0f) return false;
    }
    return true;
}

/// A dense layer whose inputs are mostly zero: the sums of the others.
template <class Lanes>
void forward_listed(const Layer& layer, std::uint32_t l, const float* weights, const NetworkTape& tape,
                    std::uint32_t count) {
    constexpr std::uint32_t kMost = 1024; // inputs listed at a time
    std::uint32_t index[kMost];
    float factor[kMost];
    for (std::uint32_t i = 0; i < count; ++i) {
        const float* const in = tape.input(i, l);
        ListedSum sum{.out = tape.output(i, l),
                      .initial = weights + layer.biases(),
                      .index = index,
                      .factor = factor,
                      .rows_stride = layer.out.channels,
                      .columns = layer.out.channels};
        for (std::uint32_t begin = 0; begin < layer.depth; begin += kMost) {
            const std::uint32_t size = std::min(kMost, layer.depth - begin);
            sum.count = 0;
            for (std::uint32_t k = 0; k < size; ++k) {
                index[sum.count] = k;
                factor[sum.count] = in[begin + k];
                sum.count += in[begin + k] != 0.0f ? 1 : 0;
            }
            sum.rows = weights + layer.weights + std::size_t{begin} * layer.out.channels;
            Lanes::Dense::listed(sum);
            sum.initial = sum.out;
        }
    }
}

/// Whether lists of what is not zero are shorter by so much that they pay.
inline bool mostly_zero(const Layer& layer, std::uint32_t l, const NetworkTape& tape, std::uint32_t count) {
    std::uint64_t filled = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float* const in = tape.input(i, l);
        std::uint32_t sum = 0;
        for (std::uint32_t k = 0; k < layer.depth; ++k) sum += in[k] != 0.0f ? 1 : 0;
        filled += sum;
    }
    return 3 * filled < std::uint64_t{count} * layer.depth;
}

/// Outputs of layer number l before its activation, of `count` samples.
template <class Lanes>
void forward_weighted(const Layer& layer, std::uint32_t l, const float* weights, const NetworkTape& tape,
                      std::uint32_t count) {
    DenseSums sums;
    sums.initial = weights + layer.biases();
    sums.rows = weights + layer.weights;
    sums.rows_stride = sums.columns = layer.out.channels;
    sums.terms = layer.depth;
    if (layer.kind == LayerKind::kDense) {
        if (l == 0 && mostly_zero(layer, l, tape, count)) return forward_listed<Lanes>(layer, l, weights, tape, count);
        sums.out = tape.output(0, l);
        sums.out_stride = tape.stride();
        sums.factors = {.first = tape.input(0, l), .row = tape.stride(), .length = layer.depth};
        sums.outs = count;
        return Lanes::Dense::sums(sums);
    }
    sums.out_stride = layer.out.channels;
    sums.outs = layer.out.width;
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t y = 0; y < layer.out.height; ++y) {
            sums.out = tape.output(i, l) + y * layer.out.width * layer.out.channels;
            sums.factors = {.first = tape.input(i, l) + y * layer.stride * layer.line(),
                            .row = layer.stride * layer.in.channels,
                            .length = layer.window_line(),
                            .run = layer.line()};
            Lanes::Dense::sums(sums);
        }
    }
}

/// Slopes along the inputs of layer number l > 0. `windows`: room for a line of the output's windows.
template <class Lanes>
void back_weighted(const Layer& layer, std::uint32_t l, const float* weights, const NetworkTape& tape,
                   std::uint32_t count, float* windows) {
    DenseSums sums;
    sums.rows = weights + layer.weights;
    sums.rows_stride = sums.terms = layer.out.channels;
    sums.transposed = true;
    sums.columns = layer.depth;
    if (layer.kind == LayerKind::kDense) {
        sums.out = tape.slopes(0, l - 1);
        sums.out_stride = tape.stride();
        sums.factors = {.first = tape.slopes(0, l), .row = tape.stride(), .length = layer.out.channels};
        sums.outs = count;
        return Lanes::Dense::sums(sums);
    }
    sums.out = windows;
    sums.out_stride = layer.depth;
    sums.outs = layer.out.width;
    for (std::uint32_t i = 0; i < count; ++i) {
        float* const slopes = tape.slopes(i, l - 1);
        std::fill_n(slopes, layer.in.size(), 0.0f);
        for (std::uint32_t y = 0; y < layer.out.height; ++y) {
            sums.factors = {.first = tape.slopes(i, l) + y * layer.out.width * layer.out.channels,
                            .row = layer.out.channels,
                            .length = layer.out.channels};
            Lanes::Dense::sums(sums);
            for (std::uint32_t x = 0; x < layer.out.width; ++x) {
                float* to = slopes + (y * layer.line() + x * layer.in.channels) * layer.stride;
                const float* from = windows + std::size_t{x} * layer.depth;
                for (std::uint32_t ky = 0; ky < layer.kernel; ++ky, to += layer.line(), from += layer.window_line())
                    for (std::uint32_t k = 0; k < layer.window_line(); ++k) to[k] += from[k];
            }
        }
    }
}

/// Rows of a layer's gradient that are made at a time: neighbours within a line of its window, or the biases' row.
struct GradientRows {
    std::uint32_t first = 0, count = 0;

    static constexpr std::uint32_t kMost = 24;

    /// The next ones from `row` on, up to row `end` at most.
    static GradientRows from(const Layer& layer, std::uint32_t row, std::uint32_t end) {
        if (row == layer.depth) return {row, 1};
        const std::uint32_t line = layer.kind == LayerKind::kDense ? layer.depth : layer.window_line();
        return {row, std::min({kMost, end - row, layer.depth - row, line - row % line})};
    }

    /// The first of these that follow one another and are not those of a zero input, whose gradient is zero; maybe none.
    GradientRows without_zeros(const NetworkTape& tape, std::uint32_t l, std::uint32_t samples) const {
        GradientRows rows{first, 0};
        while (rows.first < first + count && zero_input(tape, l, rows.first, samples)) ++rows.first;
        while (rows.first + rows.count < first + count && !zero_input(tape, l, rows.first + rows.count, samples))
            ++rows.count;
        return rows;
    }
};

/// Rows of the gradient of `count` samples' summed loss along the weights of layer number l, out.channels floats each.
template <class Lanes>
void gradient_of_weights(const Layer& layer, std::uint32_t l, const NetworkTape& tape, std::uint32_t count,
                         const GradientRows& rows, float* out) {
    static constexpr float kOne = 1;
    const bool biases = rows.first == layer.depth;
    DenseSums sums;
    sums.out = out;
    sums.out_stride = sums.columns = layer.out.channels;
    sums.outs = rows.count;
    if (layer.kind == LayerKind::kDense) {
        sums.factors = {.first = tape.input(0, l) + rows.first, .row = 1, .step = tape.stride(), .length = count};
        if (biases) sums.factors = {.first = &kOne, .step = 0, .length = count};
        sums.rows = tape.slopes(0, l);
        sums.rows_stride = tape.stride();
        sums.terms = count;
        return Lanes::Dense::sums(sums);
    }
    sums.rows_stride = layer.out.channels;
    sums.terms = layer.out.places();
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t ky = rows.first / layer.window_line(), kx = rows.first % layer.window_line();
        sums.factors = {.first = tape.input(i, l) + ky * layer.line() + kx,
                        .row = 1,
                        .step = layer.stride * layer.in.channels,
                        .length = layer.out.width,
                        .run = layer.stride * layer.line()};
        if (biases) sums.factors = {.first = &kOne, .step = 0, .length = sums.terms};
        sums.rows = tape.slopes(i, l);
        Lanes::Dense::sums(sums);
        sums.initial = out;
        sums.initial_stride = sums.out_stride;
    }
}

} // namespace hogwild
