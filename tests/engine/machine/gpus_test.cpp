#include "engine/machine/gpus.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("a GPU's float32 ceiling is two operations for each lane and clock") {
    Gpu gpu;
    gpu.multiprocessors = 132;
    gpu.compute_major = 9;
    CHECK(float32_ceiling(gpu) == 0); // whose clock is not known
    gpu.most_hertz = 1'980'000'000;
    CHECK(float32_ceiling(gpu) == 2.0 * 128 * 132 * 1.98e9); // an H200: 66.9 Tflop/s
    gpu.compute_major = 8;
    CHECK(float32_ceiling(gpu) == 2.0 * 64 * 132 * 1.98e9);
    gpu.compute_minor = 6;
    CHECK(float32_ceiling(gpu) == 2.0 * 128 * 132 * 1.98e9);
    gpu.compute_major = 7;
    gpu.compute_minor = 5;
    CHECK(float32_ceiling(gpu) == 2.0 * 64 * 132 * 1.98e9);
}
