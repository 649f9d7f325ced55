// Samples over the columns that occur in them, where these are few of those that there are.
//
// A run takes memory and time for each column of its samples. Training and test samples are numbered anew where they
// have a million columns or more, four times as many as entries. Columns that either has remain, in their order. The
// weights of all others would stay 0.
//
// Thread-safety: pure functions. Errors: none but those of memory.
#pragma once

#include "engine/data/dataset.h"

#include <cstdint>
#include <vector>

namespace hogwild {

/// What columns of narrowed samples were before.
struct FileColumns {
    std::uint32_t all = 0;              // columns that there were
    std::vector<std::uint32_t> numbers; // of each column its number then, rising; empty: all are as they were

    /// The weights of all columns that there were, from those of the columns that there are.
    std::vector<float> widened(std::vector<float> weights) const;

    /// The weights of the columns that there are, from those that there were; 0 behind the last of them.
    std::vector<float> narrowed(std::vector<float> weights) const;
};

/// `test` may be null. Both have as many columns, and share the storage of what they are now.
FileColumns narrow(Dataset& train, Dataset* test);

} // namespace hogwild
