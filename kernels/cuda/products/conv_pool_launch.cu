#include "kernels/cuda/products/conv_pool_launch.h"

#include "kernels/cuda/dependent_launch.cuh"
#include "kernels/cuda/launches_can_overlap.h"
#include "kernels/cuda/products/conv_pool.cuh"

#include <cstddef>
#include <utility>

namespace hogwild {
namespace {

using namespace device;

constexpr std::uint32_t kSquads = 132 * 2; // of a launch: what a device runs at once
constexpr std::uint32_t kFloats = 25'600;  // of a squad's memory, of which a multiprocessor has two

struct Pixels {
    const std::uint8_t* dataset;
    const std::uint32_t* samples;
    MapShape image;
    std::uint32_t border;

    __device__ auto operator()(std::uint32_t i) const {
        return [bytes = dataset + std::uint64_t{samples[i]} * image.size(), map = image,
                border = border](std::uint32_t y, std::uint32_t x, std::uint32_t c) {
            const std::uint32_t row = y - border, column = x - border; // beyond every size where it would be below 0
            if (row >= map.height || column >= map.width) return 0.0f;
            return static_cast<float>(bytes[(row * map.width + column) * map.channels + c]) * (1.0f / 255.0f);
        };
    }
};

Pixels pixels_of(const ConvPool& shape, const ConvPoolArrays& arrays) {
    return {arrays.dataset, arrays.samples, arrays.image, (shape.in.height - arrays.image.height) / 2};
}

struct ToPooled {
    float* pooled;
    std::uint8_t* winners;
    MapShape map;

    __device__ void operator()(std::uint32_t i, std::uint32_t place, std::uint32_t f, float value,
                               std::uint32_t which) const {
        const std::uint64_t at = std::uint64_t{i} * map.size() + place * map.channels + f;
        pooled[at] = value;
        winners[at] = static_cast<std::uint8_t>(which);
    }
};

struct Winners {
    const float *pooled, *slopes;
    const std::uint8_t* winners;
    MapShape map;
    Activation activation;

    __device__ auto operator()(std::uint32_t i) const {
        const std::uint64_t at = std::uint64_t{i} * map.size();
        return [won = winners + at, outputs = pooled + at, given = slopes + at, filters = map.channels,
                activation = activation](std::uint32_t place, std::uint32_t f, std::uint32_t& which) {
            const std::uint32_t entry = place * filters + f;
            which = won[entry];
            const float output = outputs[entry], slope = given[entry];
            return with_activation(activation,
                                   [=]<Activation kActivation>() { return slope_through<kActivation>(output, slope); });
        };
    }
};

struct ToImages {
    float* slopes;
    MapShape image;
    std::uint32_t border;

    __device__ void operator()(std::uint32_t i, std::uint32_t y, std::uint32_t x, std::uint32_t c, float sum) const {
        const std::uint32_t row = y - border, column = x - border;
        if (row >= image.height || column >= image.width) return;
        slopes[std::uint64_t{i} * image.size() + (row * image.width + column) * image.channels + c] = sum;
    }
};

struct ToPart {
    float* part;
    std::uint32_t columns;
    __device__ void operator()(std::uint32_t row, std::uint32_t f, float sum) const { part[row * columns + f] = sum; }
};

/// How a batch's gradient is shared out.
struct GradientUnits {
    std::uint32_t blocks, images, parts;

    HOGWILD_HOST_DEVICE GradientUnits(const ConvPool& shape, std::uint32_t count)
        : blocks(GradientBlocks(shape).count()),
          images((count * blocks + kSquads - 1) / kSquads),
          parts((count + images - 1) / images) {}

    HOGWILD_HOST_DEVICE std::uint32_t count() const { return blocks * parts; }
};

__global__ void __launch_bounds__(kSquadThreads)
    forward(const __grid_constant__ ConvPool shape, const __grid_constant__ UnitCut cut, const float* weights,
            Pixels pixels, ToPooled pooled) {
    extern __shared__ float4 memory[];
    wait_for_launch_before();
    let_launch_after_begin();
    const Squad squad{blockIdx.x, gridDim.x};
    conv_pool_forward_unit(shape, cut, squad.rank, weights, squad, reinterpret_cast<float*>(memory), pixels, pooled);
}

/// Blocks of threads take units of the gradient first, then of the images' slopes.
__global__ void __launch_bounds__(kSquadThreads)
    back(const __grid_constant__ ConvPool shape, const __grid_constant__ UnitCut cut,
         const __grid_constant__ ConvPoolArrays arrays, Pixels pixels, Winners winners) {
    extern __shared__ float4 shared[];
    wait_for_launch_before();
    let_launch_after_begin();
    const ConvPoolMemory memory{reinterpret_cast<float*>(shared), kFloats};
    const Squad squad{blockIdx.x, gridDim.x};
    const GradientUnits units(shape, arrays.count);
    if (squad.rank >= units.count()) {
        const ToImages images{arrays.image_slopes, arrays.image, pixels.border};
        return conv_pool_back_unit(shape, cut, squad.rank - units.count(), arrays.weights, squad, memory.at, winners,
                                   images);
    }
    const std::uint32_t block = squad.rank % units.blocks, part = squad.rank / units.blocks;
    const std::uint32_t begin = part * units.images, end = min(begin + units.images, arrays.count);
    float* const to = arrays.parts + std::uint64_t{part} * (shape.depth() + 1) * shape.filters();
    conv_pool_gradient(shape, block, begin, end, squad, memory, pixels, winners, ToPart{to, shape.filters()});
}

__global__ void __launch_bounds__(kSquadThreads)
    update(const float* parts, std::uint32_t count, std::uint32_t size, float factor, float* weights) {
    wait_for_launch_before();
    let_launch_after_begin();
    const std::uint32_t at = blockIdx.x * kSquadThreads + threadIdx.x;
    if (at >= size) return;
    float sum = 0;
#pragma unroll 8
    for (std::uint32_t p = 0; p < count; ++p) sum += parts[std::uint64_t{p} * size + at];
    weights[at] += factor * sum;
}

template <class... Parameters, class... Arguments>
cudaError_t launch_squads(void (*kernel)(Parameters...), std::uint32_t blocks, std::size_t floats, cudaStream_t stream,
                          Arguments&&... arguments) {
    const std::size_t bytes = floats * sizeof(float);
    const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kFloats * sizeof(float));
    if (allowed != cudaSuccess) return allowed;
    return launch(kernel, {blocks, kSquadThreads, bytes}, launches_can_overlap(), stream,
                  std::forward<Arguments>(arguments)...);
}

std::uint32_t weights_of(const ConvPool& shape) { return (shape.depth() + 1) * shape.filters(); }

std::uint32_t blocks_for(std::uint64_t threads) {
    return static_cast<std::uint32_t>((threads + kSquadThreads - 1) / kSquadThreads);
}

} // namespace

bool conv_pool_fits(const ConvPool& shape) { return fits(shape, kFloats); }

std::uint32_t conv_pool_parts(const ConvPool& shape, std::uint32_t count) { return GradientUnits(shape, count).parts; }

cudaError_t launch_conv_pool_forward(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    const UnitCut cut = cut_forward(shape, arrays.count, kSquads, kFloats);
    const std::size_t floats = (shape.depth() + 1) * std::size_t{cut.pieces} * filters_of_thread(shape) +
                               std::size_t{cut.together} * PlanarMap(shape.in).plane * shape.in.channels;
    return launch_squads(forward, cut.units(), floats, stream, shape, cut, arrays.weights, pixels_of(shape, arrays),
                         ToPooled{arrays.pooled, arrays.winners, shape.pooled});
}

cudaError_t launch_conv_pool_back(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    const UnitCut cut = cut_back(shape, arrays.count, kSquads, kFloats);
    const std::uint32_t of_images = arrays.image_slopes == nullptr ? 0 : cut.units();
    return launch_squads(back, GradientUnits(shape, arrays.count).count() + of_images, kFloats, stream, shape, cut,
                         arrays, pixels_of(shape, arrays),
                         Winners{arrays.pooled, arrays.pooled_slopes, arrays.winners, shape.pooled, shape.activation});
}

cudaError_t launch_conv_pool_update(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    const std::uint32_t size = weights_of(shape);
    return launch(update, {blocks_for(size), kSquadThreads}, launches_can_overlap(), stream,
                  static_cast<const float*>(arrays.parts), conv_pool_parts(shape, arrays.count), size, arrays.factor,
                  arrays.weights);
}

} // namespace hogwild
