// The winners of each filter of one image (kernels/network/stages/conv_pool.h) that have a slope other than 0. They are
// in the order of the map's places, line by line. So the terms of the gradient along the filter's weights, and their
// order, are those of a whole map of slopes.
//
// Borrowed memory: a number for each filter, how many it has; then for each filter room for as many winners as there are windows. A
// winner is two numbers: where its place's window begins in the image, as bits, and its slope.
// Thread-safety: belongs to one worker.
#pragma once

#include "kernels/network/stages/conv_pool.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class WinnerLists {
public:
    WinnerLists(const ConvPoolShape& shape, float* at) : shape_(shape), at_(at) {}

    /// Numbers: there is room for the winners of some lines more, as those of a line of windows are made apart at first.
    static constexpr std::size_t floats(const ConvPoolShape& shape) {
        return shape.filters + 2 * (std::size_t{shape.pooled_size()} + shape.pool * shape.pooled_width());
    }

    std::uint32_t count(std::uint32_t filter) const { return std::bit_cast<std::uint32_t>(at_[filter]); }
    const float* of(std::uint32_t filter) const { return list(filter); }

    static std::uint32_t begin(const float* winner) { return std::bit_cast<std::uint32_t>(winner[0]); }
    static float slope(const float* winner) { return winner[1]; }

    /// `through`: slopes along what was pooled; `stride`: from a window's winners to the next's.
    void make(const float* through, const std::uint8_t* winners, std::size_t stride) const {
        switch (shape_.pool) {
        case 1: return make_of<1>(through, winners, stride);
        case 2: return make_of<2>(through, winners, stride);
        default: return make_of<3>(through, winners, stride);
        }
    }

private:
    float* list(std::uint32_t filter) const {
        return at_ + shape_.filters + 2 * std::size_t{filter} * shape_.pooled_height() * shape_.pooled_width();
    }

    template <std::uint32_t kPool>
    void make_of(const float* through, const std::uint8_t* winners, std::size_t stride) const {
        std::uint32_t place[kPool * kPool];
        for (std::uint32_t q = 0; q < kPool * kPool; ++q) place[q] = shape_.place(q);
        for (std::uint32_t f = 0; f < shape_.filters; ++f) {
            float* end = list(f);
            for (std::uint32_t y = 0; y < shape_.pooled_height(); ++y) {
                const std::size_t window = std::size_t{y} * shape_.pooled_width();
                end = of_line<kPool>(through + window * shape_.filters + f, winners + window * stride + f, stride,
                                     shape_.corner(y, 0), place, end);
            }
            at_[f] = std::bit_cast<float>(static_cast<std::uint32_t>(end - list(f)) / 2);
        }
    }

    /// Those of a line of windows, apart at first by the window's line that they are on. Where the next one goes, one that is not
    /// listed is written too: no branch asks for what nobody can foretell.
    template <std::uint32_t kPool>
    float* of_line(const float* through, const std::uint8_t* winners, std::size_t stride, std::uint32_t corner,
                   const std::uint32_t* place, float* end) const {
        const std::uint32_t wide = shape_.pooled_width(), right = shape_.corner(0, 1);
        float* tail[kPool];
        for (std::uint32_t dy = 0; dy < kPool; ++dy) tail[dy] = end + std::size_t{2} * dy * wide;
        for (std::uint32_t x = 0; x < wide; ++x) {
            const std::uint32_t q = *winners;
            const float begin = std::bit_cast<float>(corner + place[q]), slope = *through;
            const std::uint32_t listed = std::bit_cast<std::uint32_t>(slope) << 1 != 0 ? 1 : 0; // -0 is zero too
#pragma GCC unroll 3
            for (std::uint32_t dy = 0; dy < kPool; ++dy) {
                tail[dy][0] = begin;
                tail[dy][1] = slope;
                tail[dy] += 2 * std::size_t{listed & static_cast<std::uint32_t>(q - dy * kPool < kPool)};
            }
            corner += right;
            through += shape_.filters;
            winners += stride;
        }
        for (std::uint32_t dy = 1; dy < kPool; ++dy) {
            const float* const from = end + std::size_t{2} * dy * wide;
            for (std::uint32_t n = 0; n < 2 * wide; ++n) tail[0][n] = from[n]; // some of them, foretellably many
            tail[0] += tail[dy] - from;
        }
        return tail[0];
    }

    const ConvPoolShape& shape_;
    float* at_;
};

} // namespace hogwild
