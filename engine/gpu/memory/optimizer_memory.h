// Owns the states of a run's optimiser on a device (kernels/cuda/network/device_optimizer.h). Only in builds with CUDA.
//
// Thread-safety: made and destroyed alone. Errors: throws Error.
#pragma once

#include "engine/gpu/memory/device_memory.h"
#include "kernels/cuda/network/device_optimizer.h"

#include <cstdint>

namespace hogwild {

struct Plan; // engine/plan/plan.h

class OptimizerMemory {
public:
    /// For a model of so many coordinates, and so many workers of the device. All numbers and counts begin at 0; plain SGD has none.
    OptimizerMemory(const Plan& plan, std::uint32_t coordinates, unsigned workers);

    /// What workers from number `first` on borrow.
    DeviceOptimizer from(unsigned first) const;

private:
    DeviceArray<float> numbers_;
    DeviceArray<unsigned long long> steps_;
    DeviceOptimizer states_;
};

} // namespace hogwild
