// Lists the groups of coordinates that a batch touches, and empties the list (kernels/cuda/batches/touched_groups.h).
#pragma once

#include "kernels/cuda/batches/touched_groups.h"

#include <cstdint>

namespace hogwild::device {

class GroupMarks {
public:
    __device__ explicit GroupMarks(const TouchedGroups& groups) : groups_(groups) {}

    /// By one lane for a sample that touches it; any number of warps at the same time.
    __device__ void touch(std::uint32_t group) const {
        if (__ldcg(groups_.marks + group) != 0 || atomicExch(groups_.marks + group, 1u) != 0) return;
        groups_.list[atomicAdd(groups_.count, 1u)] = group;
    }

    /// How many are listed, once nobody touches any more.
    __device__ std::uint32_t count() const { return __ldcg(groups_.count); }

    /// Number i of the list, and off it.
    __device__ std::uint32_t group(std::uint32_t i) const { return __ldcg(groups_.list + i); }
    __device__ void unmark(std::uint32_t group) const { groups_.marks[group] = 0; }

    /// By all threads of every block, once they know how many are listed: the last block to leave empties the list.
    __device__ void leave() const {
        __syncthreads();
        if (threadIdx.x == 0 && atomicInc(groups_.leaving, gridDim.x - 1) == gridDim.x - 1) *groups_.count = 0;
    }

private:
    TouchedGroups groups_;
};

} // namespace hogwild::device
