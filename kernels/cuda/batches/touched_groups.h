// Borrowed memory: which groups of coordinates (kernels/views/any_view.h) a batch touches, each once, in no order.
//
// Readable by the host compiler. kernels/cuda/batches/group_marks.cuh writes the list and empties it.
#pragma once

#include <cstdint>

namespace hogwild {

/// All in device memory; all zero between batches, but for what is left in the list.
struct TouchedGroups {
    std::uint32_t* marks = nullptr;   // of each group: 1 when it is in the list
    std::uint32_t* list = nullptr;    // room for all groups
    std::uint32_t* count = nullptr;   // of the list
    std::uint32_t* leaving = nullptr; // blocks that are through with it
};

} // namespace hogwild
