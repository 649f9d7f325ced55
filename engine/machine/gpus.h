// Which GPUs a run could use, and what they can share with CPU threads. Plain values; the same in builds without CUDA.
//
// Thread-safety: any thread. Errors: none thrown; why there is no GPU is part of the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

struct Gpu {
    std::string name;
    unsigned compute_major = 0, compute_minor = 0;
    unsigned multiprocessors = 0;
    std::uint64_t most_hertz = 0; // the multiprocessors' highest clock; 0: not known
    std::uint64_t memory_bytes = 0;
    std::optional<std::uint64_t> free_bytes; // once it was asked for
    std::uint64_t cache_bytes = 0;           // second level, where device-scope atomics are done
    std::uint64_t shared_bytes = 0;          // most that one block may have

    // What CPU threads and this GPU may do with one buffer.
    bool concurrent_managed_access = false;       // both may touch managed memory at the same time
    bool host_native_atomics = false;             // the GPU's system-scope atomics on host memory are the host's
    bool pageable_memory_access = false;          // it reads memory that was not allocated through CUDA
    bool direct_managed_access_from_host = false; // CPU threads reach managed memory that lies on the GPU
};

struct Gpus {
    std::vector<Gpu> list;
    std::string driver;       // its version; empty: not known
    std::string driver_cuda;  // the CUDA version that it knows
    std::string runtime_cuda; // that this build runs on
    std::string why_none;     // empty when there is one
};

/// Operations a second in float32 at the highest clock, a fused multiply-add counted as two; 0 where the clock is not known. Lanes
/// of a multiprocessor by compute capability: CUDA C++ Programming Guide, "Arithmetic Instructions".
inline double float32_ceiling(const Gpu& gpu) {
    const bool narrow = gpu.compute_major == 7 || (gpu.compute_major == 8 && gpu.compute_minor == 0);
    return 2.0 * (narrow ? 64 : 128) * gpu.multiprocessors * static_cast<double>(gpu.most_hertz);
}

/// Their attributes alone: this takes no memory of theirs.
Gpus read_gpus();

/// Fills in what is free on each now. The question itself takes some of it, until this process ends.
void ask_free_memory(Gpus& gpus);

/// Whether this build could use one.
bool built_for_gpus();

} // namespace hogwild
