// Whether a test set looks like one for its training set: a weight is trained only where a training sample has its column.
//
// Thread-safe: pure functions. A pass over the nonzeros of both.
#pragma once

#include "engine/data/columns/narrow.h"
#include "engine/data/dataset.h"
#include "engine/data/group_counts.h"

#include <string>

namespace hogwild {

struct Pairing {
    std::string text;   // what a person should know; empty: nothing
    bool grave = false; // likely not a pair at all
};

/// Each set is given as how many of its samples hold each column, both with as many columns. What is said of columns is as
/// the file numbers them.
Pairing compare(const GroupCounts& train, const GroupCounts& test, const FileColumns& of_file = {});

/// Says nothing where the columns that occur are too many to be counted.
Pairing compare(const Dataset& train, const Dataset& test, const FileColumns& of_file = {});

} // namespace hogwild
