// For tests that need a GPU: whether there is one, and what lies in its memory.
#pragma once

#include "engine/gpu/memory/device_memory.h"
#include "engine/machine/gpus.h"

#include <doctest/doctest.h>

#include <vector>

namespace hogwild {

/// True, said once for each test, where no GPU can be used.
inline bool no_device() {
    const Gpus gpus = read_gpus();
    if (!gpus.list.empty()) return false;
    MESSAGE("skipped: no device (" << gpus.why_none
                                   << "); to run it: ./tests/gpu on a machine with a GPU and its driver");
    return true;
}

template <class T>
std::vector<T> downloaded(const DeviceArray<T>& array) {
    std::vector<T> copy(array.size());
    check(cudaMemcpy(copy.data(), array.data(), array.bytes(), cudaMemcpyDeviceToHost), "a copy to the host");
    return copy;
}

} // namespace hogwild
