// What squads bring into their memory for a convolution with max pooling: maps, weights, winners' slopes.
#pragma once

#include "kernels/cuda/products/conv_pool_units.h"
#include "kernels/cuda/products/squad.cuh"

#include <cstdint>

namespace hogwild::device {

/// Goes through the entries of a map, channels last, so many at a step, without dividing on the way.
class MapWalk {
public:
    __device__ MapWalk(std::uint32_t width, std::uint32_t channels, std::uint32_t first, std::uint32_t step)
        : width_(width), channels_(channels) {
        set(first, y_, x_, c_);
        set(step, by_y_, by_x_, by_c_);
    }

    __device__ void next() {
        c_ += by_c_;
        const std::uint32_t carry = c_ >= channels_ ? 1 : 0;
        c_ -= carry * channels_;
        x_ += by_x_ + carry;
        const std::uint32_t line = x_ >= width_ ? 1 : 0;
        x_ -= line * width_;
        y_ += by_y_ + line;
    }

    __device__ std::uint32_t y() const { return y_; }
    __device__ std::uint32_t x() const { return x_; }
    __device__ std::uint32_t c() const { return c_; }

private:
    __device__ void set(std::uint32_t entry, std::uint32_t& y, std::uint32_t& x, std::uint32_t& c) const {
        const std::uint32_t place = entry / channels_;
        c = entry - place * channels_;
        y = place / width_;
        x = place - y * width_;
    }

    std::uint32_t width_, channels_;
    std::uint32_t y_, x_, c_, by_y_, by_x_, by_c_;
};

/// Channels [first, first + channels) of an image's map: value(y, x, c).
template <class Value>
__device__ void bring_map(const MapShape& map, std::uint32_t first, std::uint32_t channels, const Squad& squad,
                          float* to, const Value& value) {
    const PlanarMap planar(map);
    const std::uint32_t entries = map.places() * channels;
    MapWalk at(map.width, channels, squad.thread, kSquadThreads);
#pragma unroll 4
    for (std::uint32_t e = squad.thread; e < entries; e += kSquadThreads, at.next())
        to[at.c() * planar.plane + at.y() * planar.pitch + at.x()] = value(at.y(), at.x(), first + at.c());
}

/// Filters [first, first + filters) of an image's winners: winner(place, filter, which) gives the slope, and says which place won.
template <class Winner>
__device__ void bring_winners(const ConvPool& shape, std::uint32_t first, std::uint32_t filters, const Squad& squad,
                              float* memory, const Winner& winner) {
    auto* const to = reinterpret_cast<WinnerSlope*>(memory);
    const std::uint32_t entries = shape.pooled.places() * filters;
    MapWalk at(shape.pooled.width, filters, squad.thread, kSquadThreads);
#pragma unroll 2
    for (std::uint32_t e = squad.thread; e < entries; e += kSquadThreads, at.next()) {
        const std::uint32_t place = at.y() * shape.pooled.width + at.x();
        WinnerSlope entry{0, at.y() * ConvPool::kPool << 16 | at.x() * ConvPool::kPool};
        if (first + at.c() < shape.filters()) {
            std::uint32_t which = 0;
            entry.slope = winner(place, first + at.c(), which);
            entry.at += which / ConvPool::kPool << 16 | which % ConvPool::kPool;
        }
        to[place * (filters + 1) + at.c()] = entry;
    }
}

} // namespace hogwild::device
