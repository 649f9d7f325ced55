// For tests that need a GPU: whether there is one, and what lies in its memory.
#pragma once

#include "engine/gpu/device_memory.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hogwild {

/// True, said once for each test, where no GPU can be used.
inline bool no_device() {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0) return false;
    const std::string why = cudaGetErrorString(code == cudaSuccess ? cudaErrorNoDevice : code);
    MESSAGE("skipped: no device (" << why << ")");
    return true;
}

template <class T>
std::vector<T> downloaded(const DeviceArray<T>& array) {
    std::vector<T> copy(array.size());
    check(cudaMemcpy(copy.data(), array.data(), array.bytes(), cudaMemcpyDeviceToHost), "a copy to the host");
    return copy;
}

} // namespace hogwild
