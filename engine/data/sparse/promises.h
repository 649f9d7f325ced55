// The promises of SparseView, held against arrays that this program did not make just now.
//
// Cost: one pass over the arrays by all cores. Thread-safety: reentrant.
#pragma once

#include "kernels/views/sparse_view.h"

#include <cstdint>
#include <string>

namespace hogwild {

/// Which promise is broken, in words such as "an index of row 7 is beyond its 300 columns"; an empty string: none is. The arrays
/// of indices and values have so many entries, that of offsets rows + 1.
std::string broken_promise(const SparseView& view, std::uint64_t entries);

} // namespace hogwild
