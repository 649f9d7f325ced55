// Batch normalisation: of each channel of a map, over the images of a ghost batch and all places of their maps,
//
//   out = f(gamma (in - mean) / sqrt(variance + kEpsilon) + beta)
//
// In training, mean and variance are those of the ghost batch itself. So a step reads nobody else's statistics, and its gradient,
// which goes through the statistics too, is exactly that of what it computed. A step's batch is cut into ghost batches of kGhost
// images in its order, whose last takes what remains. A synchronous batch is shared out by whole ghost batches and therefore has the
// same bits for any number of workers.
// Outside of training they are the running ones, two rows of the parameter buffer, so that an image's scores depend on no other
// image. Every step moves these once, by increments like any other, of what it finds in the buffer when it writes:
//
//   running += kRunningRate (the batch's - running),   the batch's: the mean over its ghost batches of means, and of variances
//                                                      times n / (n - 1), of n values each
//
// M workers that all read before one writes move them by M such increments, which for M below 2 / kRunningRate only shortens what is
// remembered. A channel of a single value has no variance: its output is f(beta), no slope goes through, nothing running is moved.
//
// Thread-safety: weights may be written by others meanwhile, each access to them is a relaxed atomic; the tape is the caller's own.
// Sources: Ioffe and Szegedy 2015; ghost batches: Hoffer, Hubara, Soudry 2017.
#pragma once

#include "kernels/annotate.h"
#include "kernels/atomic.h"
#include "kernels/network/layers/layer_form.h"
#include "kernels/network/layers/tape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace hogwild {

struct BatchNorm {
    static constexpr LayerKind kKind = LayerKind::kBatchNorm;
    static constexpr LayerForm kForm{
        "batchnorm", "batchnorm [relu|tanh|sigmoid]", "batchnorm relu", {LayerWord::kActivation}};

    static constexpr float kEpsilon = 1e-5f;
    static constexpr float kRunningRate = 0.05f;
    static constexpr std::uint32_t kGhost = 16;

    /// Images [begin, end) of a batch.
    struct Ghost {
        std::uint32_t begin, end;

        HOGWILD_HOST_DEVICE std::uint32_t size() const { return end - begin; }
    };

    /// How many ghost batches so many images are, and number g of them.
    HOGWILD_HOST_DEVICE static std::uint32_t ghosts(std::uint32_t count) {
        return count == 0 ? 0 : count < 2 * kGhost ? 1 : count / kGhost;
    }
    HOGWILD_HOST_DEVICE static Ghost ghost(std::uint32_t count, std::uint32_t g) {
        return {g * kGhost, g + 1 == ghosts(count) ? count : (g + 1) * kGhost};
    }

    /// visit(ghost batch) for every one of so many images.
    static void for_each_ghost(std::uint32_t count, const auto& visit) {
        for (std::uint32_t g = 0; g < ghosts(count); ++g) visit(ghost(count, g));
    }

    /// 1 / sqrt(variance + epsilon). Increments that met may have left a running variance below 0.
    HOGWILD_HOST_DEVICE static float inverse_deviation(float variance) {
        return 1.0f / std::sqrt((variance < 0.0f ? 0.0f : variance) + kEpsilon);
    }

    /// By what a ghost batch's row counts in the direction of the batch of `count` images.
    HOGWILD_HOST_DEVICE static float share(const Layer& layer, std::uint32_t row, const Ghost& ghost,
                                           std::uint32_t count) {
        if (row < NormRow::kMean) return 1.0f;
        const float share = static_cast<float>(ghost.size()) / static_cast<float>(count);
        const auto values = static_cast<float>(ghost.size() * layer.out.places());
        return row == NormRow::kVariance ? share * (values / (values - 1)) : share;
    }

    /// Outputs of layer number l before its activation. `trains`: by the ghost batches' own statistics, which are left on the tape.
    static void forward(const Layer& layer, std::uint32_t l, const float* weights, const NetworkTape& tape,
                        std::uint32_t count, bool trains) {
        for_each_block(layer, l, tape, count, [&](const Block& block) {
            float mean[kMost], variance[kMost];
            if (trains) {
                block.measure(mean, variance);
            } else {
                block.load(weights, NormRow::kMean, mean);
                block.load(weights, NormRow::kVariance, variance);
            }
            block.normalise(weights, mean, variance);
        });
    }

    /// Sums of slopes along gamma and beta, left on the tape.
    static void sum_slopes(const Layer& layer, std::uint32_t l, const NetworkTape& tape, std::uint32_t count) {
        for_each_block(layer, l, tape, count, [](const Block& block) { block.sum_slopes(); });
    }

    /// Slopes along the inputs of layer number l > 0. Its sums of slopes have been made.
    static void back(const Layer& layer, std::uint32_t l, const float* weights, const NetworkTape& tape,
                     std::uint32_t count) {
        for_each_block(layer, l, tape, count, [&](const Block& block) { block.back(weights); });
    }

    /// The direction in which a row of weights (NormRow) is moved. For gamma and beta it is the gradient of the
    /// samples' summed loss. For running statistics it is the way from them to the batch's.
    static void direction(const Layer& layer, std::uint32_t l, const NetworkTape& tape, std::uint32_t count,
                          std::uint32_t row, const float* weights, float* out) {
        const std::uint32_t channels = layer.out.channels;
        std::fill_n(out, channels, 0.0f);
        const bool runs = row >= NormRow::kMean;
        if (runs && count * layer.out.places() == 1) return;
        for_each_ghost(count, [&](const Ghost& ghost) {
            const float by = share(layer, row, ghost, count);
            const float* const of_ghost = tape.statistics(ghost.begin, l) + row * channels;
            for (std::uint32_t c = 0; c < channels; ++c) out[c] += by * of_ghost[c];
        });
        if (!runs) return;
        for (std::uint32_t c = 0; c < channels; ++c) out[c] -= relaxed_load(weights[c]);
    }

private:
    static constexpr std::uint32_t kMost = 64; // channels at a time, whose sums stay in registers or near

    /// Neighbouring channels of a ghost batch.
    struct Block {
        const Layer& layer;
        std::uint32_t l;
        const NetworkTape& tape;
        std::uint32_t begin, end;   // images
        std::uint32_t first, count; // channels

        float values() const { return static_cast<float>((end - begin) * layer.out.places()); }

        float* row(std::uint32_t number) const {
            return tape.statistics(begin, l) + number * layer.out.channels + first;
        }

        void load(const float* weights, std::uint32_t number, float* to) const {
            const float* const from = weights + layer.weights + number * layer.out.channels + first;
            for (std::uint32_t k = 0; k < count; ++k) to[k] = relaxed_load(from[k]);
        }

        /// visit(entry of the map, channel of the block) for every entry of one image.
        void for_each_entry(const auto& visit) const {
            for (std::size_t at = first; at < layer.out.size(); at += layer.out.channels)
                for (std::uint32_t k = 0; k < count; ++k) visit(at + k, k);
        }

        /// Sums of of_image(i)(entry, channel), image by image, so that chains of sums are short.
        void sum(float* sums, const auto& of_image) const {
            float all[kMost] = {};
            for (std::uint32_t i = begin; i < end; ++i) {
                const auto term = of_image(i);
                float part[kMost] = {};
                for_each_entry([&](std::size_t u, std::uint32_t k) { part[k] += term(u, k); });
                for (std::uint32_t k = 0; k < count; ++k) all[k] += part[k];
            }
            std::copy_n(all, count, sums);
        }

        void measure(float* mean, float* variance) const {
            sum(mean, [&](std::uint32_t i) {
                return [in = tape.input(i, l)](std::size_t u, std::uint32_t) { return in[u]; };
            });
            for (std::uint32_t k = 0; k < count; ++k) mean[k] /= values();
            sum(variance, [&](std::uint32_t i) {
                return [in = tape.input(i, l), mean](std::size_t u, std::uint32_t k) {
                    return (in[u] - mean[k]) * (in[u] - mean[k]);
                };
            });
            for (std::uint32_t k = 0; k < count; ++k) variance[k] /= values();
            std::copy_n(mean, count, row(NormRow::kMean));
            std::copy_n(variance, count, row(NormRow::kVariance));
        }

        void normalise(const float* weights, const float* mean, const float* variance) const {
            float factor[kMost], shift[kMost];
            load(weights, NormRow::kGamma, factor);
            load(weights, NormRow::kBeta, shift);
            for (std::uint32_t k = 0; k < count; ++k) factor[k] *= inverse_deviation(variance[k]);
            for (std::uint32_t i = begin; i < end; ++i) {
                const float* const in = tape.input(i, l);
                float* const out = tape.output(i, l);
                for_each_entry(
                    [&](std::size_t u, std::uint32_t k) { out[u] = (in[u] - mean[k]) * factor[k] + shift[k]; });
            }
        }

        void load_measured(float* mean, float* inverse) const {
            std::copy_n(row(NormRow::kMean), count, mean);
            for (std::uint32_t k = 0; k < count; ++k) inverse[k] = inverse_deviation(row(NormRow::kVariance)[k]);
        }

        void sum_slopes() const {
            float mean[kMost], inverse[kMost];
            load_measured(mean, inverse);
            sum(row(NormRow::kGamma), [&](std::uint32_t i) {
                return [&mean, &inverse, in = tape.input(i, l), slopes = tape.slopes(i, l)](
                           std::size_t u, std::uint32_t k) { return slopes[u] * ((in[u] - mean[k]) * inverse[k]); };
            });
            sum(row(NormRow::kBeta), [&](std::uint32_t i) {
                return [slopes = tape.slopes(i, l)](std::size_t u, std::uint32_t) { return slopes[u]; };
            });
        }

        /// With x = (in - mean) / deviation: gamma / deviation (slope - mean of slopes - x (mean of slopes times x)).
        void back(const float* weights) const {
            float mean[kMost], inverse[kMost], factor[kMost], level[kMost], tilt[kMost];
            load_measured(mean, inverse);
            load(weights, NormRow::kGamma, factor);
            for (std::uint32_t k = 0; k < count; ++k) {
                factor[k] *= inverse[k];
                level[k] = row(NormRow::kBeta)[k] / values();
                tilt[k] = row(NormRow::kGamma)[k] / values() * inverse[k];
            }
            for (std::uint32_t i = begin; i < end; ++i) {
                const float *const in = tape.input(i, l), *const slopes = tape.slopes(i, l);
                float* const in_slopes = tape.slopes(i, l - 1);
                for_each_entry([&](std::size_t u, std::uint32_t k) {
                    in_slopes[u] = factor[k] * (slopes[u] - level[k] - (in[u] - mean[k]) * tilt[k]);
                });
            }
        }
    };

    static void for_each_block(const Layer& layer, std::uint32_t l, const NetworkTape& tape, std::uint32_t count,
                               const auto& visit) {
        const std::uint32_t channels = layer.out.channels;
        for_each_ghost(count, [&](const Ghost& ghost) {
            for (std::uint32_t first = 0; first < channels; first += kMost)
                visit(Block{layer, l, tape, ghost.begin, ghost.end, first, std::min(kMost, channels - first)});
        });
    }
};

} // namespace hogwild
