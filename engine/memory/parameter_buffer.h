// The parameter buffer: one float per coordinate (host-fp64: a double; device-bf16, device-fp16: one number of 16 bits), shared
// by all workers, starting at zero, its pages touched.
//
// Memory kind: engine/memory/memory_kind.h. Scope of its atomics: the host's threads (host), the GPU (device), the system
// (what both sides reach); replica has one array of each of the first two.
// Thread-safety: workers read and write coordinates through update policies at any time. A snapshot (copy_shared of
// kernels/lanes/copy.h) may run while they do: each coordinate is then some value that was written to it, not torn, but
// two coordinates may come from different moments.
// `rescale` wants no other writer of its range. Errors: those of engine/memory/link_memory.h.
#pragma once

#include "engine/memory/fronted_pages.h"
#include "engine/memory/link_memory.h"
#include "engine/memory/memory_kind.h"
#include "engine/memory/pages.h"

#include <cstdint>
#include <memory>

namespace hogwild {

class ParameterBuffer {
public:
    /// `front`: coordinates that views have of their own; 0: there are no views. Host memory then.
    explicit ParameterBuffer(std::uint32_t columns, MemoryKind kind = MemoryKind::kHost, std::uint32_t front = 0);

    MemoryKind kind() const { return kind_; }
    std::uint32_t size() const { return columns_; }

    /// What CPU threads step on; for host-fp64 and the kinds of device memory, what `download` filled last.
    float* data() const { return host_; }

    /// host-fp64: what CPU threads step on instead. Other kinds: null.
    double* doubles() const { return doubles_.data(); }

    /// What GPU streams step on; null for `host`.
    StoredWeights stored() const;

    /// Likewise. Precondition: coordinates are floats there.
    float* on_device() const;

    /// Device memory: copies the GPU's array to data(); of coordinates that streams write meanwhile, some value that was written.
    /// host-fp64: rounds doubles() to data(). Other kinds: nothing.
    void download();

    /// Device memory, replica: copies data() to the GPU's array; host-fp64: to doubles(). Before anybody steps. Other kinds:
    /// nothing.
    void upload();

    /// The buffer, but for a front of zeros, whole cache lines of them. Precondition: it has a front.
    FrontedPages::View view() const { return fronted_.view(); }

    /// Multiplies coordinates [begin, end) of data() by a factor.
    void rescale(std::uint32_t begin, std::uint32_t end, float factor);

private:
    MemoryKind kind_;
    std::uint32_t columns_;
    PageArray<float> pages_;           // host, host-fp64, device, replica
    FrontedPages fronted_;             // instead, of host with a front
    PageArray<double> doubles_;        // host-fp64
    std::unique_ptr<LinkMemory> link_; // all but the first two
    float* host_;
};

/// Coordinate ranges [begin, end) of near-equal size, whole cache lines each, for `parts` owners.
struct CoordinateRange {
    std::uint32_t begin;
    std::uint32_t end;
};
CoordinateRange slice(std::uint32_t coordinates, std::uint32_t part, std::uint32_t parts);

} // namespace hogwild
