// Atomic increments: fetch_add on every coordinate.
//
// Promises: no increment is ever lost. Memory order: relaxed, since a coordinate orders nothing but itself.
// Cost: x86 has no atomic float addition, so this is a compare-and-swap loop, about a locked instruction per coordinate,
// and more under contention.
#pragma once

#include "kernels/atomic.h"
#include "kernels/updates/add_pair.h"
#include "kernels/views.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <string_view>

namespace hogwild {

struct AtomicAdd {
    static constexpr std::string_view name = "atomic";

    AtomicAdd() = default;
    explicit AtomicAdd(WorkerContext&) {}

    void add(float& coordinate, float increment) const {
        std::atomic_ref<float>(coordinate).fetch_add(increment, std::memory_order_relaxed);
    }

    template <class Lanes>
    void add_row(float* weights, const SparseRow& row, float scale) const {
        for (std::uint32_t k = 0; k < row.size; ++k) add(weights[row.index[k]], scale * row.value[k]);
    }

    template <class Lanes>
    void add_dense(float* weights, const float* row, std::uint32_t size, float scale) const {
        for (std::uint32_t k = 0; k < size; ++k) add(weights[k], scale * row[k]);
    }

    template <class Lanes>
    void add_pair(float* a, float* b, std::uint32_t size, const RowStep& of_a, const RowStep& of_b) const {
        add_pair_singly(*this, a, b, size, of_a, of_b);
    }
};

} // namespace hogwild
