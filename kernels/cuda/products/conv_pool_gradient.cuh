// The gradient of a convolution that max pooling follows, by a squad: sums over some images of winners' slopes times their windows.
//
// A thread has one filter and one channel, all places of the kernel in registers, and a share of the pooled places.
// Shares are added up in their order. So a window of a place is read once, and windows that lost are not read.
#pragma once

#include "kernels/cuda/products/conv_pool_memory.cuh"

#include <cstdint>

namespace hogwild::device {

/// The gradient of images [begin, end), block number `block` of it: keep(row, filter, sum) of its rows, the biases' last. pixel is
/// that of conv_pool_forward, winner that of conv_pool_back. `room`: floats of the memory.
template <unsigned kKernel, class Pixel, class Winner, class Keep>
__device__ __noinline__ void conv_pool_gradient(const ConvPool& shape, const GradientBlocks& blocks,
                                                std::uint32_t block, std::uint32_t begin, std::uint32_t end,
                                                const Squad squad, float* memory, std::uint32_t room, const Pixel pixel,
                                                const Winner winner, const Keep keep) {
    constexpr std::uint32_t kPlaces = kKernel * kKernel;
    const std::uint32_t first_filter = block % blocks.down * blocks.filters;
    const std::uint32_t first_channel = block / blocks.down * blocks.channels;
    const std::uint32_t channels = min(blocks.channels, shape.in.channels - first_channel);
    const PlanarMap planar(shape.in);
    const std::uint32_t of_image = blocks.of_image(shape), places = shape.pooled.places();
    const std::uint32_t together = max(room / of_image, 1u);
    const std::uint32_t entries = blocks.filters * channels, shares = kSquadThreads / entries;
    const std::uint32_t share = squad.thread / entries, entry = squad.thread - share * entries;
    const std::uint32_t c = entry / blocks.filters, f = entry - c * blocks.filters;
    float sums[kPlaces] = {};
    float of_bias = 0;
    for (std::uint32_t from = begin; from < end; from += together) {
        const std::uint32_t some = min(together, end - from);
        squad.sync(); // nobody uses the memory any more
        for (std::uint32_t i = 0; i < some; ++i) {
            float* const map = memory + i * of_image;
            bring_map(shape.in, first_channel, channels, squad, map, pixel(from + i));
            bring_winners(shape, first_filter, blocks.filters, squad, map + planar.plane * blocks.channels,
                          winner(from + i));
        }
        squad.sync();
        if (share >= shares) continue;
        for (std::uint32_t i = 0; i < some; ++i) {
            const float* const map = memory + i * of_image + c * planar.plane;
            const auto* const winners =
                reinterpret_cast<const WinnerSlope*>(memory + i * of_image + planar.plane * blocks.channels);
            for (std::uint32_t place = share; place < places; place += shares) {
                const WinnerSlope each = winners[place * (blocks.filters + 1) + f];
                const float* const window = map + (each.at >> 16) * planar.pitch + (each.at & 0xFFFF);
                of_bias += each.slope;
#pragma unroll
                for (unsigned k = 0; k < kPlaces; ++k)
                    sums[k] = fmaf(each.slope, window[k / kKernel * planar.pitch + k % kKernel], sums[k]);
            }
        }
    }
    squad.sync();
#pragma unroll
    for (unsigned k = 0; k < kPlaces; ++k) memory[k * kSquadThreads + squad.thread] = sums[k];
    memory[kPlaces * kSquadThreads + squad.thread] = of_bias;
    squad.sync();
    for (std::uint32_t e = squad.thread; e < (kPlaces + 1) * entries; e += kSquadThreads) {
        const std::uint32_t k = e / entries, of = e - k * entries;
        const std::uint32_t channel = of / blocks.filters, filter = first_filter + of - channel * blocks.filters;
        const bool biases = k == kPlaces;
        if (filter >= shape.filters() || (biases && (channel > 0 || first_channel > 0))) continue;
        float sum = 0;
        for (std::uint32_t s = 0; s < shares; ++s) sum += memory[k * kSquadThreads + s * entries + of];
        keep(biases ? shape.depth() : k * shape.in.channels + first_channel + channel, filter, sum);
    }
    squad.sync(); // tiles of other layers begin by writing the memory
}

} // namespace hogwild::device
