// What a step adds to a network's weights, row by row: a few rows at a time, of memory that stays in the first-level cache.
//
// Rows of dense layers and convolutions, and gamma and beta of batch normalisation, are gradients of the samples'
// summed loss. L2 is added to rows of dense layers and convolutions, biases apart. Rows of running statistics are the
// way to the batch's (kernels/network/layers/batch_norm.h). Neither a step size nor an optimiser has a say in them.
// Thread-safety: weights may be written by others meanwhile, and each access to them is a relaxed atomic. All else is
// the caller's own.
#pragma once

#include "kernels/lanes/dispatch.h"
#include "kernels/network/layers/batch_norm.h"
#include "kernels/network/layers/pooled_convolution.h"
#include "kernels/network/layers/tape.h"
#include "kernels/network/layers/weighted.h"
#include "kernels/views/images_view.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class NetworkGradient {
public:
    /// Rows of the network: groups [begin, end).
    struct Groups {
        std::uint32_t begin, end;
    };

    /// `memory`: of the caller's own, as many floats as `floats` says. The tape: of `count` samples, after their way back.
    NetworkGradient(const ImagesView& data, const NetworkTape& tape, std::uint32_t count, float* memory)
        : data_(data), tape_(tape), count_(count), memory_(memory) {}

    static std::size_t floats(const ImagesView& data) {
        std::size_t most = 0;
        for (std::uint32_t l = 0; l < data.network().count; ++l) {
            const Layer& layer = data.network().layers[l];
            if (layer.weighted()) most = std::max(most, rows_floats(layer) + pooled_floats(data.network(), l));
            if (layer.normalises()) most = std::max(most, std::size_t{layer.out.channels});
        }
        return most;
    }

    /// Calls learn(weights, row of the summed gradient, its size) for every row of these groups that is not zero. Calls
    /// run(weights, row of ways, its size) for every such row of running statistics. Calls done(layer) after the rows
    /// of a layer with weights.
    template <class Lanes>
    void for_each_row(float* weights, const Groups& groups, const auto& learn, const auto& run,
                      const auto& done) const {
        for (std::uint32_t l = 0; l < data_.network().count; ++l) {
            const Layer& layer = data_.network().layers[l];
            if (layer.group + layer.rows() <= groups.begin || layer.group >= groups.end) continue;
            const Groups rows{std::max(groups.begin, layer.group) - layer.group,
                              std::min(groups.end - layer.group, layer.rows())};
            if (layer.normalises()) for_each_normalising(layer, l, weights, rows, learn, run);
            if (!layer.weighted()) continue;
            if (layer.kind == LayerKind::kDense && count_ == 1 && data_.l2 == 0)
                for_each_of_one<Lanes>(layer, l, weights, rows, learn);
            else
                for_each_weighted<Lanes>(layer, l, weights, rows, learn);
            done(l);
        }
    }

private:
    template <class Lanes>
    void for_each_weighted(const Layer& layer, std::uint32_t l, float* weights, const Groups& among,
                           const auto& learn) const {
        const std::uint32_t size = layer.out.channels;
        if (PooledConvolution::begins_at(data_.network(), l))
            OnLanes<PooledBody, const NetworkGradient&, std::uint32_t, const Groups&>::template on<Lanes>(*this, l,
                                                                                                          among);
        for (std::uint32_t row = among.begin; row < among.end;) {
            GradientRows rows = GradientRows::from(layer, row, among.end);
            if (layer.kind == LayerKind::kDense && data_.l2 == 0 && row < layer.depth) {
                rows = rows.without_zeros(tape_, l, count_);
                row = rows.first;
                if (rows.count == 0) continue;
            }
            float* const of_rows = weights + layer.weights + std::size_t{row} * size;
            std::uint32_t filled = 0;
            OnLanes<RowsBody, const NetworkGradient&, const Layer&, std::uint32_t, const GradientRows&, const float*,
                    std::uint32_t&>::template on<Lanes>(*this, layer, l, rows, of_rows, filled);
            for (std::uint32_t r = 0; r < rows.count; ++r) {
                if ((filled >> r & 1) != 0)
                    learn(of_rows + std::size_t{r} * size, memory_ + std::size_t{r} * size, size);
            }
            row += rows.count;
        }
    }

    /// One sample alone: a row is the slopes, times the row's input.
    template <class Lanes>
    void for_each_of_one(const Layer& layer, std::uint32_t l, float* weights, const Groups& among,
                         const auto& learn) const {
        const std::uint32_t size = layer.out.channels;
        const float *const in = tape_.input(0, l), *const slopes = tape_.slopes(0, l);
        if (!filled(slopes, size)) return;
        for (std::uint32_t row = among.begin; row < among.end; ++row) {
            const float input = row == layer.depth ? 1.0f : in[row];
            if (input == 0.0f) continue;
            OnLanes<TimesBody, const float*, float, float*, std::uint32_t>::template on<Lanes>(slopes, input, memory_,
                                                                                               size);
            learn(weights + layer.weights + std::size_t{row} * size, memory_, size);
        }
    }

    struct TimesBody {
        template <class Lanes>
        static void run(const float* slopes, float by, float* row, std::uint32_t size) {
            for (std::uint32_t n = 0; n < size; ++n) row[n] = std::fma(by, slopes[n], 0.0f);
        }
    };

    void for_each_normalising(const Layer& layer, std::uint32_t l, float* weights, const Groups& among,
                              const auto& learn, const auto& run) const {
        const std::uint32_t size = layer.out.channels;
        for (std::uint32_t row = among.begin; row < among.end; ++row) {
            float* const of_row = weights + layer.weights + row * size;
            BatchNorm::direction(layer, l, tape_, count_, row, of_row, memory_);
            if (!filled(memory_, size)) continue;
            if (row < NormRow::kMean)
                learn(of_row, memory_, size);
            else
                run(of_row, memory_, size);
        }
    }

    static bool filled(const float* row, std::uint32_t size) {
        std::uint32_t some = 0;
        for (std::uint32_t n = 0; n < size; ++n) some |= std::bit_cast<std::uint32_t>(row[n]) << 1; // -0 is zero too
        return some != 0;
    }

    /// A pooled convolution's is made as a whole.
    struct PooledBody {
        template <class Lanes>
        static void run(const NetworkGradient& gradient, std::uint32_t l, const Groups& among) {
            const NetworkShape& network = gradient.data_.network();
            PooledConvolution(network, l, gradient.tape_)
                .template sum_gradient<Lanes>(gradient.count_, among.begin, among.end,
                                              gradient.of_pooled(network.layers[l]));
        }
    };

    static std::size_t rows_floats(const Layer& layer) { return std::size_t{GradientRows::kMost} * layer.out.channels; }

    static std::size_t pooled_floats(const NetworkShape& network, std::uint32_t l) {
        return PooledConvolution::begins_at(network, l) ? PooledConvolution::gradient_floats(network, l) : 0;
    }

    /// Behind some rows.
    float* of_pooled(const Layer& layer) const { return memory_ + rows_floats(layer); }

    /// Bit r of `some`: row r has an entry that is not zero.
    struct RowsBody {
        template <class Lanes>
        static void run(const NetworkGradient& gradient, const Layer& layer, std::uint32_t l, const GradientRows& rows,
                        const float* weights, std::uint32_t& some) {
            const std::uint32_t size = layer.out.channels, count = gradient.count_;
            if (PooledConvolution::begins_at(gradient.data_.network(), l))
                PooledConvolution(gradient.data_.network(), l, gradient.tape_)
                    .template rows_of_gradient<Lanes>(gradient.of_pooled(layer), rows.first, rows.count,
                                                      gradient.memory_);
            else
                gradient_of_weights<Lanes>(layer, l, gradient.tape_, count, rows, gradient.memory_);
            const float shrink = rows.first < layer.depth ? gradient.data_.l2 * static_cast<float>(count) : 0.0f;
            for (std::uint32_t r = 0; r < rows.count; ++r) {
                float* const row = gradient.memory_ + std::size_t{r} * size;
                if (shrink != 0.0f) {
                    for (std::uint32_t n = 0; n < size; ++n)
                        row[n] += shrink * relaxed_load(weights[std::size_t{r} * size + n]);
                }
                if (filled(row, size)) some |= 1u << r;
            }
        }
    };

    const ImagesView& data_;
    const NetworkTape& tape_;
    std::uint32_t count_;
    float* memory_;
};

} // namespace hogwild
