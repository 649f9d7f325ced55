// Batch normalisation by squads of threads: the same numbers as kernels/network/layers/batch_norm.h has, added in the same order.
//
// A unit is a ghost batch and eight neighbouring channels. Its squad has a thread for each image and channel, which adds up the
// channel's places, one chain as on the host. Then every thread adds up the images' sums of its channel. So statistics are complete
// where they are needed, and a layer is one phase either way. Writing, a piece is eight channels of all ghost batches, so each
// weight has one thread. All members by all threads of a squad.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/network/block_team.cuh"
#include "kernels/cuda/network/norm_units.h"
#include "kernels/network/activation.h"
#include "kernels/network/layers/batch_norm.h"
#include "kernels/network/layers/tape.h"

#include <cstdint>

namespace hogwild::device {

class NormStep {
public:
    static constexpr std::uint32_t kChannels = NormUnits::kChannels, kImages = kSquadThreads / kChannels;
    static_assert(kImages >= 2 * BatchNorm::kGhost - 1, "a ghost batch's images have a thread each");

    /// Layer number l on the tape of `count` samples. `memory`: as many floats as a squad has threads.
    __device__ NormStep(const Layer& layer, std::uint32_t l, const NetworkTape& tape, std::uint32_t count,
                        const Squad& squad, float* memory)
        : layer_(layer),
          l_(l),
          tape_(tape),
          count_(count),
          units_(layer, count),
          squad_(squad),
          memory_(memory),
          image_(squad.thread / kChannels) {}

    __device__ const NormUnits& units() const { return units_; }

    /// Outputs of a unit, and its statistics. `weights`: all, to be read.
    __device__ __noinline__ void forward(std::uint32_t unit, const float* weights) const {
        const Block block = block_of(unit);
        const float mean =
            sum(block, [&](std::uint32_t i, std::uint32_t u) { return tape_.input(i, l_)[u]; }) / block.values;
        const float variance = sum(block,
                                   [&](std::uint32_t i, std::uint32_t u) {
                                       const float way = tape_.input(i, l_)[u] - mean;
                                       return way * way;
                                   }) /
                               block.values;
        keep(block, NormRow::kMean, mean);
        keep(block, NormRow::kVariance, variance);
        if (block.has_channel) {
            const float factor = weight(weights, block, NormRow::kGamma) * BatchNorm::inverse_deviation(variance);
            const float shift = weight(weights, block, NormRow::kBeta);
            make_each(block, tape_.output(0, l_), [&](std::uint32_t i, std::uint32_t u) {
                const float sum = (tape_.input(i, l_)[u] - mean) * factor + shift;
                return with_activation(layer_.activation,
                                       [=]<Activation kActivation>() { return activated<kActivation>(sum); });
            });
        }
    }

    /// Slopes along the inputs of a unit, which `before` is the activation of; and its sums of slopes. For layers behind the first.
    __device__ __noinline__ void back(std::uint32_t unit, const float* weights, Activation before) const {
        const Block block = block_of(unit);
        const Slopes slopes = sum_slopes(block);
        if (block.has_channel) {
            const float factor = weight(weights, block, NormRow::kGamma) * slopes.inverse;
            const float level = slopes.along_beta / block.values;
            const float tilt = slopes.along_gamma / block.values * slopes.inverse;
            make_each(block, tape_.slopes(0, l_ - 1), [&](std::uint32_t i, std::uint32_t u) {
                const float in = tape_.input(i, l_)[u];
                const float slope = factor * (tape_.slopes(i, l_)[u] - level - (in - slopes.mean) * tilt);
                return with_activation(before,
                                       [=]<Activation kActivation>() { return slope_through<kActivation>(in, slope); });
            });
        }
    }

    /// add(entry of the layer's weights, which way it is moved, whether it is a running one) of a piece's weights, as
    /// BatchNorm::direction has it. Nobody asked for slopes along a first layer's inputs, so its sums of slopes are made here.
    template <class Add>
    __device__ __noinline__ void write(std::uint32_t piece, const float* shared, const Add& add) const {
        if (l_ == 0) {
            for (std::uint32_t ghost = 0; ghost < units_.ghosts; ++ghost)
                sum_slopes(block_of(ghost * units_.blocks + piece));
            squad_.sync();
        }
        const std::uint32_t channels = layer_.out.channels, row = image_;
        const std::uint32_t channel = piece * kChannels + squad_.thread % kChannels, entry = row * channels + channel;
        const bool runs = row >= NormRow::kMean, moves = !runs || count_ * layer_.out.places() > 1;
        if (row < NormRow::kCount && channel < channels && moves) {
            float way = 0;
            for (std::uint32_t ghost = 0; ghost < units_.ghosts; ++ghost) {
                const BatchNorm::Ghost images = BatchNorm::ghost(count_, ghost);
                way += BatchNorm::share(layer_, row, images, count_) * tape_.statistics(images.begin, l_)[entry];
            }
            if (runs) way -= relaxed_load<Scope::kSystem>(shared[layer_.weights + entry]);
            add(entry, way, runs);
        }
    }

private:
    struct Block {
        std::uint32_t begin, images; // of the ghost batch
        std::uint32_t channel;       // this thread's
        bool has_channel;
        float values; // of a channel
    };

    struct Slopes {
        float mean, inverse, along_gamma, along_beta;
    };

    __device__ Block block_of(std::uint32_t unit) const {
        const BatchNorm::Ghost ghost = BatchNorm::ghost(count_, unit / units_.blocks);
        const std::uint32_t channel = unit % units_.blocks * kChannels + squad_.thread % kChannels;
        return {ghost.begin, ghost.size(), channel, channel < layer_.out.channels,
                static_cast<float>(ghost.size() * layer_.out.places())};
    }

    /// The sum of term(sample, entry of the map) over all of the thread's channel.
    template <class Term>
    __device__ float sum(const Block& block, const Term& term) const {
        float part = 0;
        if (block.has_channel && image_ < block.images) {
#pragma unroll 16
            for (std::uint32_t u = block.channel; u < layer_.out.size(); u += layer_.out.channels)
                part += term(block.begin + image_, u);
        }
        memory_[squad_.thread] = part;
        squad_.sync();
        float all = 0;
        for (std::uint32_t i = 0; i < block.images; ++i) all += memory_[i * kChannels + squad_.thread % kChannels];
        squad_.sync();
        return all;
    }

    __device__ Slopes sum_slopes(const Block& block) const {
        const float mean = kept(block, NormRow::kMean);
        const float inverse = BatchNorm::inverse_deviation(kept(block, NormRow::kVariance));
        const float along_gamma = sum(block, [&](std::uint32_t i, std::uint32_t u) {
            return tape_.slopes(i, l_)[u] * ((tape_.input(i, l_)[u] - mean) * inverse);
        });
        const float along_beta = sum(block, [&](std::uint32_t i, std::uint32_t u) { return tape_.slopes(i, l_)[u]; });
        keep(block, NormRow::kGamma, along_gamma);
        keep(block, NormRow::kBeta, along_beta);
        return {mean, inverse, along_gamma, along_beta};
    }

    /// first[i][u] = make(sample i, entry u of the map) for the thread's share of its channel. Some are made before any
    /// is written, so that their loads go out together.
    template <class Make>
    __device__ void make_each(const Block& block, float* first, const Make& make) const {
        constexpr std::uint32_t kTogether = 8;
        const std::uint32_t places = layer_.out.places(), entries = block.images * places;
        const auto at = [&](std::uint32_t e, const auto& visit) {
            const std::uint32_t image = e / places, place = e - image * places;
            visit(block.begin + image, place * layer_.out.channels + block.channel);
        };
        for (std::uint32_t e = image_; e < entries; e += kTogether * kImages) {
            float made[kTogether];
#pragma unroll
            for (std::uint32_t k = 0; k < kTogether; ++k) {
                if (e + k * kImages < entries)
                    at(e + k * kImages, [&](std::uint32_t i, std::uint32_t u) { made[k] = make(i, u); });
            }
#pragma unroll
            for (std::uint32_t k = 0; k < kTogether; ++k) {
                if (e + k * kImages < entries) {
                    at(e + k * kImages,
                       [&](std::uint32_t i, std::uint32_t u) { first[i * tape_.stride() + u] = made[k]; });
                }
            }
        }
    }

    __device__ float* row(const Block& block, std::uint32_t number) const {
        return tape_.statistics(block.begin, l_) + number * layer_.out.channels + block.channel;
    }
    __device__ void keep(const Block& block, std::uint32_t number, float value) const {
        if (block.has_channel && image_ == 0) *row(block, number) = value;
    }
    __device__ float kept(const Block& block, std::uint32_t number) const {
        return block.has_channel ? *row(block, number) : 0.0f;
    }
    __device__ float weight(const float* weights, const Block& block, std::uint32_t number) const {
        return relaxed_load<Scope::kSystem>(weights[layer_.weights + number * layer_.out.channels + block.channel]);
    }

    const Layer& layer_;
    std::uint32_t l_;
    NetworkTape tape_; // a copy, as the squad is: what a call can see lies in memory
    std::uint32_t count_;
    NormUnits units_;
    Squad squad_;
    float* memory_;
    std::uint32_t image_; // this thread's, of the ghost batch
};

} // namespace hogwild::device
