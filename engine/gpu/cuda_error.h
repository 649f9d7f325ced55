// CUDA's error codes as Errors. Only in builds with CUDA.
#pragma once

#include "engine/error.h"

#include <string>

#include <cuda_runtime_api.h>

namespace hogwild {

/// Throws Error "WHAT failed (CUDA's words); TRY" unless `code` is success.
inline void check(cudaError_t code, const std::string& what) {
    if (code == cudaSuccess) return;
    const bool memory = code == cudaErrorMemoryAllocation;
    throw Error(what + " failed", std::string(cudaGetErrorName(code)) + ": " + cudaGetErrorString(code),
                memory ? "use smaller data, fewer streams, or a GPU with more memory"
                       : "see `hogwild info`; a GPU that keeps failing needs its driver restarted");
}

} // namespace hogwild
