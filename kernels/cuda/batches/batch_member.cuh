// A sample of a batch, as the lanes that hold it know it (kernels/cuda/batches/group_batches.cuh).
#pragma once

#include <cstdint>

namespace hogwild::device {

struct BatchMember {
    std::uint32_t number = 0; // of a sample, there or not
    bool steps = false;       // these lanes have a sample
    std::uint64_t seed = 0;   // of the run
    std::uint32_t epoch = 0;
};

} // namespace hogwild::device
