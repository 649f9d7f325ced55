// Borrowed memory: an optimiser's states on a device (kernels/network/optimizer.h), one that all teams share or one for each.
// Readable by the host compiler.
//
// A team's step takes its number from the state's count when it begins, so one that a staleness rule drops is counted too. Numbers
// of coordinates are read and written without order, whatever the update policy, as on the host. An entry of a gradient that is
// zero leaves its coordinate's numbers alone: the sparse rule goes by entries here, by rows there.
#pragma once

#include "kernels/network/optimizer.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

struct DeviceOptimizer {
    std::size_t kind = 0; // in Optimizers
    OptimizerSettings settings;
    float* numbers = nullptr;            // of the first state: as many arrays as the rule says
    std::uint64_t apart = 0;             // floats from one array to the next
    std::uint64_t state = 0;             // floats from one state to the next; 0: one for all
    unsigned long long* steps = nullptr; // of each state: taken on it
};

} // namespace hogwild
