// Forward through a convolution and its max pooling by a squad: from images to pooled maps and winners.
//
// A thread has a place of the pooled map and a few filters. All sums of its window stay in registers. A pixel, once
// read, serves every place of the window and every filter. Neighbours have the same place and other filters, as far as
// these go. Sums are chains of fused multiply-adds channel by channel.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/products/conv_pool_memory.cuh"
#include "kernels/network/activation.h"

#include <cstdint>

namespace hogwild::device {

/// Numbers that are read at once.
template <unsigned kSize>
struct alignas(kSize % 4 == 0   ? 16
               : kSize % 2 == 0 ? 8
                                : 4) Together {
    float number[kSize];
};

/// One channel's part of the sums of a window. `in`: where its first place lies in the channel's plane.
template <unsigned kKernel, unsigned kFilters>
__device__ inline void add_channel(const float* in, std::uint32_t pitch, const float* weights, std::uint32_t row,
                                   float (&sums)[4][kFilters]) {
    constexpr unsigned kSide = kKernel + 1;
    float pixels[kSide][kSide];
#pragma unroll
    for (unsigned y = 0; y < kSide; ++y) {
#pragma unroll
        for (unsigned x = 0; x < kSide; x += 2) {
            const float2 two = *reinterpret_cast<const float2*>(in + y * pitch + x);
            pixels[y][x] = two.x;
            pixels[y][x + 1] = two.y;
        }
    }
#pragma unroll
    for (unsigned ky = 0; ky < kKernel; ++ky) {
#pragma unroll
        for (unsigned kx = 0; kx < kKernel; ++kx) {
            const auto weight = *reinterpret_cast<const Together<kFilters>*>(weights + (ky * kKernel + kx) * row);
#pragma unroll
            for (unsigned w = 0; w < 4; ++w) {
#pragma unroll
                for (unsigned f = 0; f < kFilters; ++f)
                    sums[w][f] = fmaf(pixels[ky + w / 2][kx + w % 2], weight.number[f], sums[w][f]);
            }
        }
    }
}

/// Unit number `unit`. pixel(image)(y, x, c) of the input, keep(image, place, filter, pooled value, which place won).
template <unsigned kKernel, unsigned kFilters, class Pixel, class Keep>
__device__ __noinline__ void conv_pool_forward(const ConvPool& shape, const UnitCut& cut, std::uint32_t unit,
                                               const float* weights, const Squad squad, float* memory,
                                               const Pixel pixel, const Keep keep) {
    const std::uint32_t block = unit % cut.blocks, begin = unit / cut.blocks * cut.images;
    const std::uint32_t end = min(begin + cut.images, cut.count);
    const std::uint32_t first = block * cut.pieces * kFilters, columns = cut.pieces * kFilters;
    const std::uint32_t filters = shape.filters(), channels = shape.in.channels, places = shape.pooled.places();
    const std::uint32_t groups = (min(columns, filters - first) + kFilters - 1) / kFilters;
    const PlanarMap planar(shape.in);
    float* const maps = memory + (shape.depth() + 1) * columns;
    squad.sync(); // nobody uses the memory any more
    for (std::uint32_t e = squad.thread; e < (shape.depth() + 1) * columns; e += kSquadThreads) {
        const std::uint32_t row = e / columns, f = first + e - row * columns;
        memory[e] = f < filters ? relaxed_load<Scope::kSystem>(weights[row * filters + f]) : 0.0f;
    }
    for (std::uint32_t from = begin; from < end; from += cut.together) {
        const std::uint32_t some = min(cut.together, end - from);
        if (from != begin) squad.sync();
        for (std::uint32_t i = 0; i < some; ++i) {
            bring_map(shape.in, 0, channels, squad, maps + i * planar.plane * channels, pixel(from + i));
        }
        squad.sync();
        for (std::uint32_t item = squad.thread; item < some * groups * places; item += kSquadThreads) {
            const std::uint32_t i = item / (groups * places), within = item - i * groups * places;
            const std::uint32_t place = within / groups, group = within - place * groups;
            const std::uint32_t y = place / shape.pooled.width, x = place - y * shape.pooled.width;
            const float* const in = maps + i * planar.plane * channels + 2 * y * planar.pitch + 2 * x;
            const float* const of_group = memory + group * kFilters;
            float sums[4][kFilters];
#pragma unroll
            for (unsigned f = 0; f < kFilters; ++f) {
                const float bias = of_group[shape.depth() * columns + f];
#pragma unroll
                for (unsigned w = 0; w < 4; ++w) sums[w][f] = bias;
            }
            for (std::uint32_t c = 0; c < channels; ++c)
                add_channel<kKernel>(in + c * planar.plane, planar.pitch, of_group + c * columns, channels * columns,
                                     sums);
            with_activation(shape.activation, [&]<Activation kActivation>() {
#pragma unroll
                for (unsigned f = 0; f < kFilters; ++f) {
                    float most = activated<kActivation>(sums[0][f]);
                    std::uint32_t which = 0;
#pragma unroll
                    for (unsigned w = 1; w < 4; ++w) {
                        const float value = activated<kActivation>(sums[w][f]);
                        if (value > most || value != value) { // NaN is seen at the end
                            most = value;
                            which = w;
                        }
                    }
                    const std::uint32_t filter = first + group * kFilters + f;
                    if (filter < filters) keep(from + i, place, filter, most, which);
                }
            });
        }
    }
}

} // namespace hogwild::device
