// Telemetry off: compiles to nothing.
#pragma once

#include "kernels/views.h"
#include "kernels/worker_context.h"

#include <string_view>

namespace hogwild {

struct NoProbe {
    static constexpr std::string_view name = "off";

    explicit NoProbe(WorkerContext&) {}

    void read() {}
    void computed() {}
    template <class Update>
    void wrote(const SparseRow&, const Update&) {}
};

} // namespace hogwild
