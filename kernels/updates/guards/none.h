// No guard: reads and writes of one step interleave freely with those of others (HOGWILD!).
#pragma once

#include "kernels/updates/guards/traits.h"
#include "kernels/worker_context.h"

#include <string_view>

namespace hogwild {

struct NoGuard {
    static constexpr std::string_view name = "none";
    static constexpr GuardTraits kTraits{.orders = false};

    explicit NoGuard(WorkerContext&) {}

    void before_read(const auto&) {}
    void before_write(const auto&) {}
    void after_write(const auto&) {}
    void nothing_to_write(const auto&) {}
};

} // namespace hogwild
