// A step of a convolution with max pooling by a squad, of whatever size there is code for (kernels/cuda/products/conv_pool.h).
//
// Squads of a launch go through the units of a step by their rank. What pixels, winners and results are says the caller:
//
//   pixel(image)(y, x, channel)                of the input: a float
//   winner(image)(place, filter, which)        the slope along an entry of the pooled map before its activation; sets which won
//   pooled(image, place, filter, value, which) keeps an entry of the pooled map
//   input(image, y, x, channel, slope)         keeps a slope along the input
//   part(row, filter, sum)                     keeps an entry of the gradient of some images
#pragma once

#include "kernels/cuda/products/conv_pool_back.cuh"
#include "kernels/cuda/products/conv_pool_forward.cuh"
#include "kernels/cuda/products/conv_pool_gradient.cuh"

#include <cstdint>

namespace hogwild::device {

/// A squad's.
struct ConvPoolMemory {
    float* at; // a multiple of 16 bytes
    std::uint32_t floats;
};

/// Calls f.operator()<side of the kernel>().
template <class F>
__device__ inline void with_kernel(const ConvPool& shape, const F& f) {
    shape.kernel == 3 ? f.template operator()<3>() : f.template operator()<5>();
}

template <class Pixel, class Pooled>
__device__ void conv_pool_forward_unit(const ConvPool& shape, const UnitCut& cut, std::uint32_t unit,
                                       const float* weights, const Squad& squad, float* memory, const Pixel& pixel,
                                       const Pooled& pooled) {
    with_kernel(shape, [&]<unsigned kKernel>() {
        switch (filters_of_thread(shape)) {
        case 8: return conv_pool_forward<kKernel, 8>(shape, cut, unit, weights, squad, memory, pixel, pooled);
        case 6: return conv_pool_forward<kKernel, 6>(shape, cut, unit, weights, squad, memory, pixel, pooled);
        default: return conv_pool_forward<kKernel, 4>(shape, cut, unit, weights, squad, memory, pixel, pooled);
        }
    });
}

template <class Winner, class Input>
__device__ void conv_pool_back_unit(const ConvPool& shape, const UnitCut& cut, std::uint32_t unit, const float* weights,
                                    const Squad& squad, float* memory, const Winner& winner, const Input& input) {
    with_kernel(shape, [&]<unsigned kKernel>() {
        switch (channels_of_thread(shape)) {
        case 4: return conv_pool_back<kKernel, 4>(shape, cut, unit, weights, squad, memory, winner, input);
        case 2: return conv_pool_back<kKernel, 2>(shape, cut, unit, weights, squad, memory, winner, input);
        default: return conv_pool_back<kKernel, 1>(shape, cut, unit, weights, squad, memory, winner, input);
        }
    });
}

template <class Pixel, class Pooled>
__device__ void conv_pool_forward(const ConvPool& shape, std::uint32_t count, const float* weights, const Squad& squad,
                                  const ConvPoolMemory& memory, const Pixel& pixel, const Pooled& pooled) {
    const UnitCut cut = cut_forward(shape, count, squad.size, memory.floats);
    for (std::uint32_t unit = squad.rank; unit < cut.units(); unit += squad.size)
        conv_pool_forward_unit(shape, cut, unit, weights, squad, memory.at, pixel, pooled);
}

template <class Winner, class Input>
__device__ void conv_pool_back(const ConvPool& shape, std::uint32_t count, const float* weights, const Squad& squad,
                               const ConvPoolMemory& memory, const Winner& winner, const Input& input) {
    const UnitCut cut = cut_back(shape, count, squad.size, memory.floats);
    for (std::uint32_t unit = squad.rank; unit < cut.units(); unit += squad.size)
        conv_pool_back_unit(shape, cut, unit, weights, squad, memory.at, winner, input);
}

/// Block number `block` (GradientBlocks) of the gradient of images [begin, end).
template <class Pixel, class Winner, class Part>
__device__ void conv_pool_gradient(const ConvPool& shape, std::uint32_t block, std::uint32_t begin, std::uint32_t end,
                                   const Squad& squad, const ConvPoolMemory& memory, const Pixel& pixel,
                                   const Winner& winner, const Part& part) {
    const GradientBlocks blocks(shape);
    with_kernel(shape, [&]<unsigned kKernel>() {
        conv_pool_gradient<kKernel>(shape, blocks, block, begin, end, squad, memory.at, memory.floats, pixel, winner,
                                    part);
    });
}

} // namespace hogwild::device
