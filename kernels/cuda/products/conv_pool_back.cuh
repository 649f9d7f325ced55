// Back through max pooling and the convolution before it by a squad: from winners' slopes to slopes along the input.
//
// A thread has a place of the input and a few channels. It goes through the windows whose places can have read that
// place. In each filter only the winner did, if its window reaches here. So the work is one place of each window, and
// every sum has one thread and one order.
#pragma once

#include "kernels/cuda/products/conv_pool_forward.cuh"

#include <cstdint>

namespace hogwild::device {

/// Unit number `unit`. winner: as of bring_winners, with the image before; keep(image, y, x, channel, sum).
template <unsigned kKernel, unsigned kChannels, class Winner, class Keep>
__device__ __noinline__ void conv_pool_back(const ConvPool& shape, const UnitCut& cut, std::uint32_t unit,
                                            const float* weights, const Squad squad, float* memory, const Winner winner,
                                            const Keep keep) {
    const std::uint32_t block = unit % cut.blocks, begin = unit / cut.blocks * cut.images;
    const std::uint32_t end = min(begin + cut.images, cut.count);
    const std::uint32_t filters = shape.filters(), width = shape.in.width, places = shape.in.places();
    const std::uint32_t first = block * cut.pieces * kChannels;
    const std::uint32_t channels = min(cut.pieces * kChannels, shape.in.channels - first);
    const std::uint32_t stride = filter_stride(shape, channels), of_image = winner_floats(shape, filters);
    float* const winners = memory + filters * filter_stride(shape, kChannels) * cut.pieces;
    squad.sync(); // nobody uses the memory any more
    for (std::uint32_t e = squad.thread; e < kKernel * kKernel * channels * filters; e += kSquadThreads) {
        const std::uint32_t row = e / filters, f = e - row * filters;
        const std::uint32_t k = row / channels, c = row - k * channels;
        memory[f * stride + row] =
            relaxed_load<Scope::kSystem>(weights[(k * shape.in.channels + first + c) * filters + f]);
    }
    for (std::uint32_t from = begin; from < end; from += cut.together) {
        const std::uint32_t some = min(cut.together, end - from);
        if (from != begin) squad.sync();
        for (std::uint32_t i = 0; i < some; ++i) {
            bring_winners(shape, 0, filters, squad, winners + i * of_image, winner(from + i));
        }
        squad.sync();
        const std::uint32_t of_place = channels / kChannels;
        for (std::uint32_t item = squad.thread; item < some * places * of_place; item += kSquadThreads) {
            const std::uint32_t at = item / of_place, c = (item - at * of_place) * kChannels;
            const std::uint32_t i = at / places, place = at - i * places, y = place / width, x = place - y * width;
            const auto* const of = reinterpret_cast<const WinnerSlope*>(winners + i * of_image);
            const std::uint32_t last_y = min(y / 2, shape.pooled.height - 1);
            const std::uint32_t last_x = min(x / 2, shape.pooled.width - 1);
            float sums[kChannels] = {};
            for (std::uint32_t py = y < kKernel ? 0 : (y - kKernel + 1) / 2; py <= last_y; ++py) {
                for (std::uint32_t px = x < kKernel ? 0 : (x - kKernel + 1) / 2; px <= last_x; ++px) {
                    const WinnerSlope* const window = of + (py * shape.pooled.width + px) * (filters + 1);
#pragma unroll 4
                    for (std::uint32_t f = 0; f < filters; ++f) {
                        const WinnerSlope each = window[f];
                        const std::uint32_t ky = y - (each.at >> 16), kx = x - (each.at & 0xFFFF);
                        if (ky >= kKernel || kx >= kKernel) continue; // also where below 0
                        const auto weight = *reinterpret_cast<const Together<kChannels>*>(
                            memory + f * stride + (ky * kKernel + kx) * channels + c);
#pragma unroll
                        for (unsigned v = 0; v < kChannels; ++v) sums[v] = fmaf(each.slope, weight.number[v], sums[v]);
                    }
                }
            }
#pragma unroll
            for (unsigned v = 0; v < kChannels; ++v) keep(from + i, y, x, first + c + v, sums[v]);
        }
    }
}

} // namespace hogwild::device
