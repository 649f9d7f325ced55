// No guard: reads and writes of one step interleave freely with those of others (HOGWILD!).
#pragma once

#include "kernels/views.h"
#include "kernels/worker_context.h"

#include <string_view>

namespace hogwild {

struct NoGuard {
    static constexpr std::string_view name = "none";

    explicit NoGuard(WorkerContext&) {}

    void before_read(const SparseRow&) {}
    void before_write(const SparseRow&) {}
    void after_write(const SparseRow&) {}
    void nothing_to_write(const SparseRow&) {}
};

} // namespace hogwild
