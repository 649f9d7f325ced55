// What a lane takes of a dense row at a time: one float, or four neighbours (kernels/cuda/memory/eight_floats.cuh: eight).
//
// Four take a quarter of the instructions. They want rows of a multiple of four: only then does every row begin at an
// address that four can be read from. `add_to` is for steps that have read the coordinates.
#pragma once

#include <cstdint>

namespace hogwild::device {

struct OneFloat {
    using Values = float;
    static constexpr std::uint32_t kFloats = 1;

    __device__ static float times(float a, float b) { return a * b; }
    __device__ static float multiple(float factor, float values) { return factor * values; }
    __device__ static float sum(float a, float b) { return a + b; }
    __device__ static float ones() { return 1; }

    template <class Weights>
    __device__ static float load(const Weights& weights, std::uint32_t j) {
        return weights.load(j);
    }

    template <class Weights>
    __device__ static void add(const Weights& weights, std::uint32_t j, float by) {
        weights.add(j, by);
    }
    template <class Weights>
    __device__ static void add_to(const Weights& weights, std::uint32_t j, float read, float by) {
        weights.add_to(j, read, by);
    }
};

struct FourFloats {
    using Values = float4;
    static constexpr std::uint32_t kFloats = 4;

    __device__ static float times(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
    __device__ static float4 multiple(float factor, float4 values) {
        return {factor * values.x, factor * values.y, factor * values.z, factor * values.w};
    }
    __device__ static float4 sum(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
    __device__ static float4 ones() { return {1, 1, 1, 1}; }

    template <class Weights>
    __device__ static float4 load(const Weights& weights, std::uint32_t j) {
        return weights.load_four(j);
    }

    template <class Weights>
    __device__ static void add(const Weights& weights, std::uint32_t j, float4 by) {
        weights.add_four(j, by);
    }
    template <class Weights>
    __device__ static void add_to(const Weights& weights, std::uint32_t j, float4 read, float4 by) {
        weights.add_four_to(j, read, by);
    }
};

} // namespace hogwild::device
