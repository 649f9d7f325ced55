// How often each coordinate occurs, and ranges of coordinates that occur about equally often.
#pragma once

#include "kernels/views/any_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

/// parts + 1 rising bounds over [0, columns]: part p holds [bounds[p], bounds[p + 1]), whole cache lines, near-equal numbers
/// of nonzeros. Counts at most a few million nonzeros, evenly spread over the rows.
std::vector<std::uint32_t> popularity_bounds(const AnyView& data, unsigned parts);

} // namespace hogwild
