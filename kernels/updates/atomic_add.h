// Atomic increments: fetch_add on every coordinate.
//
// Promises: no increment is ever lost. Memory order: relaxed, since a coordinate orders nothing but itself.
// Cost: x86 has no atomic float addition, so this is a compare-and-swap loop, about a locked instruction per coordinate,
// and more under contention.
#pragma once

#include "kernels/atomic.h"
#include "kernels/updates/add_singly.h"
#include "kernels/updates/traits.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <string_view>

namespace hogwild {

struct AtomicAdd : AddSingly<AtomicAdd> {
    static constexpr std::string_view name = "atomic";
    static constexpr UpdateTraits kTraits{.atomic = true};

    AtomicAdd() = default;
    explicit AtomicAdd(WorkerContext&) {}

    void add(float& coordinate, float increment) const {
        std::atomic_ref<float>(coordinate).fetch_add(increment, std::memory_order_relaxed);
    }
};

} // namespace hogwild
