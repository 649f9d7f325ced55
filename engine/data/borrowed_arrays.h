// The arrays that samples borrow, whatever their access pattern: to copy samples, or to map them in another process.
//
// Thread-safety: plain values and pure functions.
#pragma once

#include "engine/data/dataset.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

struct BorrowedArray {
    const void* data;
    std::uint64_t bytes;
};

std::vector<BorrowedArray> borrowed_arrays(const AnyView& view);

/// Bytes of all of them.
std::uint64_t array_bytes(const AnyView& view);

/// The same samples, their arrays, in the order of borrowed_arrays, elsewhere. What the view's own point to is not read.
AnyView moved(AnyView view, std::span<const void* const> to);

/// A copy in huge pages where the system has them. Throws Error when the memory is refused.
Dataset copied(const Dataset& data);

} // namespace hogwild
