// How fast the first GPU and its link are: copies, and random increments of a shared buffer by memory kind and policy. The
// same header in builds without CUDA.
//
// Errors: throws Error when the device fails; nothing is measured where there is no GPU. Not thread-safe: one measurement
// at a time, on an otherwise idle machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

struct LinkRates {
    double to_device = 0;          // bytes per second, page-locked, 64 MiB
    double from_device = 0;        // bytes per second, page-locked, 64 MiB
    double within_device = 0;      // read + written
    double small_copy_seconds = 0; // 4 KiB to the device, waited for
};

/// Random +1 increments of a buffer of `floats`, by either side alone and by both together; of a replica, while a bridge
/// exchanges them.
struct SharedIncrements {
    std::string memory, update;
    std::uint64_t floats = 0;
    double gpu_alone = 0;             // per second
    std::optional<double> cpu_alone;  // per second, of all threads, where they reach the memory
    std::optional<double> gpu_beside; // per second, while the CPU increments, where it reaches the memory
    std::optional<double> cpu_beside; // per second, of all threads
    std::optional<double> kept;       // share of both sides' increments that is there at the end
};

/// Random increments per second of several numbers at once, by the GPU alone in device memory.
struct WideIncrements {
    double four_floats = 0;            // one vector reduction each: what `atomic` does where rows are dense
    std::optional<double> two_bfloats; // of 8 significant bits: no run uses them; nothing before compute capability 9.0
};

struct GpuRates {
    LinkRates link;
    std::vector<SharedIncrements> increments;
    WideIncrements wide;
};

/// Nothing where there is no GPU, or no CUDA. `threads`: CPU threads beside the GPU.
std::optional<GpuRates> measure_gpu(unsigned threads);

} // namespace hogwild
