// Whether a test set looks like one for its training set: a weight is trained only where a training sample has its column.
//
// Thread-safe: pure functions. A pass over the nonzeros of both.
#pragma once

#include "engine/data/dataset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

struct Pairing {
    std::string text;   // what a person should know; empty: nothing
    bool grave = false; // likely not a pair at all
};

/// Each set is given as how many of its samples hold each column, both with as many columns.
Pairing compare(const std::vector<std::uint64_t>& train, const std::vector<std::uint64_t>& test);

/// Says nothing where the columns are too many to be counted.
Pairing compare(const Dataset& train, const Dataset& test);

} // namespace hogwild
