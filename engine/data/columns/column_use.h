// How much samples use each column of sparse rows: how many touch it, and the mean square of its values over all samples.
//
// Counts at most a few million nonzeros, of samples evenly spread. Thread-safety: a pure function.
#pragma once

#include "kernels/views/sparse_view.h"

#include <vector>

namespace hogwild {

struct ColumnUse {
    std::vector<float> touched; // share of the samples that hold the column
    std::vector<float> energy;  // mean of value^2 over all samples, 0 where a sample has none
};

ColumnUse column_use(const SparseView& data);

} // namespace hogwild
