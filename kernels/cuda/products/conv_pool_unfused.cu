// The layers one by one, as plainly as a GPU allows: every map lies in device memory between them.
#include "kernels/cuda/dependent_launch.cuh"
#include "kernels/cuda/products/conv_pool_launch.h"
#include "kernels/network/activation.h"

#include <utility>

namespace hogwild::unfused {
namespace {

using namespace device;

constexpr unsigned kThreads = 256;

/// Entry (image, y, x, channel) of a batch's maps.
struct Entry {
    std::uint32_t image, y, x, c;

    __device__ Entry(const MapShape& map, std::uint64_t at) {
        image = static_cast<std::uint32_t>(at / map.size());
        const auto within = static_cast<std::uint32_t>(at - std::uint64_t{image} * map.size());
        const std::uint32_t place = within / map.channels;
        c = within - place * map.channels;
        y = place / map.width;
        x = place - y * map.width;
    }
};

__device__ std::uint64_t place_of(const MapShape& map, std::uint32_t image, std::uint32_t y, std::uint32_t x) {
    return (std::uint64_t{image} * map.places() + y * map.width + x) * map.channels;
}

__device__ std::uint64_t this_thread() { return std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; }

__global__ void load(ConvPool shape, ConvPoolArrays arrays, std::uint32_t border) {
    const std::uint64_t at = this_thread();
    if (at >= std::uint64_t{arrays.count} * shape.in.size()) return;
    const Entry e(shape.in, at);
    const std::uint32_t y = e.y - border, x = e.x - border; // beyond every size where it would be below 0
    float pixel = 0;
    if (y < arrays.image.height && x < arrays.image.width)
        pixel = static_cast<float>(arrays.dataset[place_of(arrays.image, arrays.samples[e.image], y, x) + e.c]) *
                (1.0f / 255.0f);
    arrays.images[at] = pixel;
}

__global__ void convolution(ConvPool shape, ConvPoolArrays arrays) {
    const std::uint64_t at = this_thread();
    if (at >= std::uint64_t{arrays.count} * shape.conv.size()) return;
    const Entry e(shape.conv, at);
    const std::uint32_t filters = shape.filters();
    float sum = arrays.weights[shape.depth() * filters + e.c];
    const float* row = arrays.weights + e.c;
    for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
        const float* const line = arrays.images + place_of(shape.in, e.image, e.y + ky, e.x);
        for (std::uint32_t k = 0; k < shape.kernel * shape.in.channels; ++k, row += filters)
            sum = fmaf(line[k], *row, sum);
    }
    arrays.map[at] =
        with_activation(shape.activation, [=]<Activation kActivation>() { return activated<kActivation>(sum); });
}

__global__ void pooling(ConvPool shape, ConvPoolArrays arrays) {
    const std::uint64_t at = this_thread();
    if (at >= std::uint64_t{arrays.count} * shape.pooled.size()) return;
    const Entry e(shape.pooled, at);
    float most = arrays.map[place_of(shape.conv, e.image, 2 * e.y, 2 * e.x) + e.c];
    std::uint8_t which = 0;
    for (std::uint8_t w = 1; w < 4; ++w) {
        const float value = arrays.map[place_of(shape.conv, e.image, 2 * e.y + w / 2, 2 * e.x + w % 2) + e.c];
        if (value > most || value != value) {
            most = value;
            which = w;
        }
    }
    arrays.pooled[at] = most;
    arrays.winners[at] = which;
}

__global__ void pooling_back(ConvPool shape, ConvPoolArrays arrays) {
    const std::uint64_t at = this_thread();
    if (at >= std::uint64_t{arrays.count} * shape.conv.size()) return;
    const Entry e(shape.conv, at);
    float slope = 0;
    if (e.y / 2 < shape.pooled.height && e.x / 2 < shape.pooled.width) {
        const std::uint64_t from = place_of(shape.pooled, e.image, e.y / 2, e.x / 2) + e.c;
        if (arrays.winners[from] == e.y % 2 * 2 + e.x % 2) {
            const float output = arrays.pooled[from], given = arrays.pooled_slopes[from];
            slope = with_activation(
                shape.activation, [=]<Activation kActivation>() { return slope_through<kActivation>(output, given); });
        }
    }
    arrays.map_slopes[at] = slope;
}

__global__ void image_slopes(ConvPool shape, ConvPoolArrays arrays, std::uint32_t border) {
    const std::uint64_t at = this_thread();
    if (at >= std::uint64_t{arrays.count} * arrays.image.size()) return;
    const Entry e(arrays.image, at);
    const std::uint32_t filters = shape.filters();
    float sum = 0;
    for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
        for (std::uint32_t kx = 0; kx < shape.kernel; ++kx) {
            const std::uint32_t y = e.y + border - ky, x = e.x + border - kx;
            if (y >= shape.conv.height || x >= shape.conv.width) continue; // also where below 0
            const float* const slopes = arrays.map_slopes + place_of(shape.conv, e.image, y, x);
            const float* const row = arrays.weights + ((ky * shape.kernel + kx) * shape.in.channels + e.c) * filters;
            for (std::uint32_t f = 0; f < filters; ++f) sum = fmaf(slopes[f], row[f], sum);
        }
    }
    arrays.image_slopes[at] = sum;
}

/// A thread has a weight, and one image of the batch.
__global__ void gradient(ConvPool shape, ConvPoolArrays arrays) {
    const std::uint32_t at = blockIdx.x * kThreads + threadIdx.x, filters = shape.filters();
    if (at >= (shape.depth() + 1) * filters) return;
    const std::uint32_t k = at / filters, f = at - k * filters, image = blockIdx.y;
    const std::uint32_t place = k / shape.in.channels, c = k - place * shape.in.channels;
    const std::uint32_t ky = place / shape.kernel, kx = place - ky * shape.kernel;
    float sum = 0;
    for (std::uint32_t y = 0; y < shape.conv.height; ++y) {
        const float* slope = arrays.map_slopes + place_of(shape.conv, image, y, 0) + f;
        const float* pixel = arrays.images + place_of(shape.in, image, y + ky, kx) + c;
        for (std::uint32_t x = 0; x < shape.conv.width; ++x, slope += filters, pixel += shape.in.channels)
            sum = fmaf(*slope, k == shape.depth() ? 1.0f : *pixel, sum);
    }
    atomicAdd(arrays.gradient + at, sum);
}

__global__ void update(ConvPool shape, ConvPoolArrays arrays) {
    const std::uint64_t at = this_thread();
    if (at >= (shape.depth() + 1) * shape.filters()) return;
    arrays.weights[at] += arrays.factor * arrays.gradient[at];
    arrays.gradient[at] = 0;
}

std::uint32_t border(const ConvPool& shape, const ConvPoolArrays& arrays) {
    return (shape.in.height - arrays.image.height) / 2;
}

/// A thread for each of so many numbers.
template <class... Parameters, class... Arguments>
cudaError_t for_each_of(std::uint64_t numbers, void (*kernel)(Parameters...), cudaStream_t stream,
                        Arguments&&... arguments) {
    const auto blocks = static_cast<unsigned>((numbers + kThreads - 1) / kThreads);
    return launch(kernel, {blocks, kThreads}, false, stream, std::forward<Arguments>(arguments)...);
}

} // namespace

cudaError_t launch_load(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    return for_each_of(std::uint64_t{arrays.count} * shape.in.size(), load, stream, shape, arrays,
                       border(shape, arrays));
}

cudaError_t launch_convolution(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    return for_each_of(std::uint64_t{arrays.count} * shape.conv.size(), convolution, stream, shape, arrays);
}

cudaError_t launch_pooling(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    return for_each_of(std::uint64_t{arrays.count} * shape.pooled.size(), pooling, stream, shape, arrays);
}

cudaError_t launch_pooling_back(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    return for_each_of(std::uint64_t{arrays.count} * shape.conv.size(), pooling_back, stream, shape, arrays);
}

cudaError_t launch_image_slopes(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    return for_each_of(std::uint64_t{arrays.count} * arrays.image.size(), image_slopes, stream, shape, arrays,
                       border(shape, arrays));
}

cudaError_t launch_gradient(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    const unsigned down = ((shape.depth() + 1) * shape.filters() + kThreads - 1) / kThreads;
    cudaLaunchConfig_t grid{};
    grid.gridDim = {down, arrays.count, 1};
    grid.blockDim = kThreads;
    grid.stream = stream;
    return cudaLaunchKernelEx(&grid, gradient, shape, arrays);
}

cudaError_t launch_update(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream) {
    return for_each_of((shape.depth() + 1) * std::uint64_t{shape.filters()}, update, stream, shape, arrays);
}

} // namespace hogwild::unfused
