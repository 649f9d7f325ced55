// Samples turned about: a sparse row for each column of theirs.
//
// Row j of the result holds the pairs (i, x_ij) of the samples i that have column j, rising. Its label is the column's
// squared norm sum_i x_ij^2, summed in double. The bits are the same at any thread count. Blocks of samples, whose
// number depends on the data alone, are first counted side by side. They are then put down side by side, each where
// those before it leave room.
// Memory: that of the samples, and 4 bytes a column for each block, at most 32 and only as many as the nonzeros pay for.
// Thread-safety: any number of calls at once. Errors: throws Error when memory is refused. Precondition: fewer than 2^32 samples.
#pragma once

#include "engine/data/sparse/sparse_arrays.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>
#include <memory>

namespace hogwild {

std::unique_ptr<SparseArrays> transposed(const SparseView& samples);

/// What it takes.
std::uint64_t transposed_bytes(const SparseView& samples);

} // namespace hogwild
