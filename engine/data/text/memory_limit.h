// How many bytes of arrays a dataset may take before loading it is refused.
#pragma once

#include "engine/machine/memory_budget.h"

#include <cstdint>

namespace hogwild {

/// Nine tenths of what the process may have: beyond, the system would kill it instead of telling why.
inline std::uint64_t default_array_limit() { return memory_budget().total / 10 * 9; }

} // namespace hogwild
