// Compare-and-swap with a retry limit: an increment that meets too much contention is dropped and counted.
//
// Promises: no increment is lost unseen; dropped ones are counted. Memory order: relaxed.
// Cost: a locked instruction per try. With limit tries, a worker's delay at a hot coordinate is bounded.
#pragma once

#include "kernels/atomic.h"
#include "kernels/updates/add_singly.h"
#include "kernels/updates/traits.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <string_view>

namespace hogwild {

class CasBounded : public AddSingly<CasBounded> {
public:
    static constexpr std::string_view name = "cas-bounded";
    static constexpr UpdateTraits kTraits{.atomic = true, .drops = true, .on_gpu = false};

    CasBounded() = default;
    explicit CasBounded(WorkerContext& context) : limit_(context.cas_limit), dropped_(&context.dropped) {}
    CasBounded(std::uint32_t limit, std::uint64_t& dropped) : limit_(limit), dropped_(&dropped) {}

    void add(float& coordinate, float increment) const {
        std::atomic_ref<float> shared(coordinate);
        float seen = shared.load(std::memory_order_relaxed);
        for (std::uint32_t tries = 0; tries < limit_; ++tries) {
            if (shared.compare_exchange_strong(seen, seen + increment, std::memory_order_relaxed)) return;
        }
        if (dropped_ != nullptr) ++*dropped_;
    }

private:
    std::uint32_t limit_ = 8;
    std::uint64_t* dropped_ = nullptr;
};

} // namespace hogwild
