// The parameter buffer: one float per coordinate, shared by all workers, starting at zero, its pages touched.
//
// Memory kind: host (huge pages where granted). Scope of its atomics: the host's threads.
// Thread-safety: workers read and write coordinates through update policies at any time. A snapshot (copy_shared of
// kernels/lanes/copy.h) may run while they do: each coordinate is then some value that was written to it, not torn, but
// two coordinates may come from different moments.
// `rescale` wants no other writer of its range.
#pragma once

#include "engine/memory/pages.h"

#include <cstdint>

namespace hogwild {

class ParameterBuffer {
public:
    explicit ParameterBuffer(std::uint32_t columns);

    float* data() const { return coordinates_.data(); }
    std::uint32_t size() const { return static_cast<std::uint32_t>(coordinates_.size()); }
    const Pages& pages() const { return coordinates_.pages(); }

    /// Multiplies coordinates [begin, end) by a factor.
    void rescale(std::uint32_t begin, std::uint32_t end, float factor);

private:
    PageArray<float> coordinates_;
};

/// Coordinate ranges [begin, end) of near-equal size, whole cache lines each, for `parts` owners.
struct CoordinateRange {
    std::uint32_t begin;
    std::uint32_t end;
};
CoordinateRange slice(std::uint32_t coordinates, std::uint32_t part, std::uint32_t parts);

} // namespace hogwild
