// How many bytes of arrays a dataset may take before loading it is refused.
#pragma once

#include <cstdint>

#include <unistd.h>

namespace hogwild {

/// Nine tenths of the physical memory: beyond, the system would kill the process instead of telling why.
inline std::uint64_t default_array_limit() {
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) /
           10 * 9;
}

} // namespace hogwild
