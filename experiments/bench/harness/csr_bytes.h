// What a traversal of the samples reads from memory.
#pragma once

#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild {

/// Bytes of offsets, indices, values and labels; the weights, which a cache holds, are not counted.
inline double csr_bytes(const SparseView& view) {
    return static_cast<double>(view.nonzeros()) * (sizeof(std::uint32_t) + sizeof(float)) +
           static_cast<double>(view.rows) * (sizeof(std::uint64_t) + sizeof(float)) + sizeof(std::uint64_t);
}

/// The same without indices and offsets, which dense rows do without.
inline double dense_bytes(const SparseView& view) {
    return (static_cast<double>(view.nonzeros()) + static_cast<double>(view.rows)) * sizeof(float);
}

} // namespace hogwild
