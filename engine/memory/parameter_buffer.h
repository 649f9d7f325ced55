// The parameter buffer: one float per coordinate, shared by all workers, starting at zero, its pages touched. With fp64
// it is a double per coordinate; with bf16, fp16 and int8 a number of 16 or 8 bits.
//
// Memory kind: engine/memory/memory_kind.h. Scope of its atomics: the host's threads (host), the GPU (device), or the
// system (what both sides reach). A replica has one array of the host's scope and one of the GPU's.
// Thread-safety: workers read and write coordinates through update policies at any time. A snapshot (copy_shared of
// kernels/lanes/copy.h) may run while they do. Each coordinate is then some value that was written to it, not torn. Two
// coordinates may come from different moments.
// `rescale` and `rescale_stepped` want no other writer of their range.
// Errors: those of engine/memory/link_memory.h.
#pragma once

#include "engine/memory/link_memory.h"
#include "engine/memory/memory_kind.h"
#include "engine/memory/pages.h"
#include "engine/memory/viewed_pages.h"
#include "kernels/lanes/low_precision.h"
#include "kernels/numbers/half.h"
#include "kernels/numbers/int8.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hogwild {

/// Coordinates [begin, end).
struct CoordinateRange {
    std::uint32_t begin;
    std::uint32_t end;
};

class ParameterBuffer {
public:
    /// `own`: coordinates that views have of their own, of host memory, as ViewedPages wants them, in whole cache lines; none: there
    /// are no views. `int8_range`: what int8 numbers reach at least.
    explicit ParameterBuffer(std::uint32_t columns, MemoryKind kind = MemoryKind::kHost,
                             const std::vector<CoordinateRange>& own = {}, double int8_range = 1);

    MemoryKind kind() const { return kind_; }
    std::uint32_t size() const { return columns_; }

    /// What CPU threads step on; for doubles, low precision and device memory, what `download` filled last.
    float* data() const { return host_; }

    /// Doubles: what CPU threads step on instead. Other kinds: null.
    double* doubles() const { return doubles_.data(); }

    /// Low precision: calls f(cells) with what CPU threads step on instead. Precondition: is_low_precision(kind()).
    template <class F>
    decltype(auto) with_cells(const F& f) const {
        switch (storage_of(kind_)) {
        case Storage::kFp16: return f(Cells<Fp16>{reinterpret_cast<std::uint16_t*>(bytes_.data()), {}});
        case Storage::kInt8: return f(Cells<Int8>{reinterpret_cast<std::uint8_t*>(bytes_.data()), int8_});
        default: return f(Cells<Bf16>{reinterpret_cast<std::uint16_t*>(bytes_.data()), {}});
        }
    }

    /// What CPU threads step on, as floats, while they do; out has size() of them. Host memory of any kind.
    void snapshot(float* out) const;

    /// int8: coordinates that are as large as such numbers can be; other kinds: 0.
    std::uint64_t saturated() const;

    /// What GPU streams step on; null for `host`.
    StoredWeights stored() const;

    /// The array that GPU streams step on; null for `host`. Precondition: coordinates are floats there.
    float* on_device() const;

    /// Device memory: copies the GPU's array to data(); of coordinates that streams write meanwhile, some value that was written.
    /// Doubles: rounds them to data(). Low precision: copies the cells to data(). Other kinds: nothing.
    void download();

    /// Device memory, replica: copies data() to the GPU's array; doubles: to these; low precision: to the cells, rounded to
    /// the nearest. Before anybody steps. Other kinds: nothing.
    void upload();

    /// The buffer, but for zeros in what views have of their own. Precondition: they have something.
    ViewedPages::View view() const { return viewed_.view(); }

    /// Multiplies coordinates [begin, end) of data() by a factor.
    void rescale(std::uint32_t begin, std::uint32_t end, float factor);

    /// Multiplies [begin, end) of what CPU threads step on, where these are floats or short numbers; `seed`: of the words to round
    /// those by.
    void rescale_stepped(std::uint32_t begin, std::uint32_t end, float factor, std::uint32_t seed);

private:
    MemoryKind kind_;
    std::uint32_t columns_;
    PageArray<float> pages_;     // ordinary memory, device, replica
    ViewedPages viewed_;         // instead, of host with views
    PageArray<double> doubles_;  // fp64
    PageArray<std::byte> bytes_; // low precision
    Int8 int8_;
    std::unique_ptr<LinkMemory> link_; // where a GPU reaches it
    float* host_;
};

/// Ranges of near-equal size, whole cache lines each, for `parts` owners.
CoordinateRange slice(std::uint32_t coordinates, std::uint32_t part, std::uint32_t parts);

} // namespace hogwild
