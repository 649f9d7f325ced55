// Staleness of every step, and every lost update: exact, and too intrusive for timed runs.
//
// Ledger. A shared clock ticks once per writing step. A step that reads at tick r and writes as tick t (the clock before
// its own tick) has staleness t - r. Between a write and the next read others may tick, too: `missed`. For M workers
//     sum of staleness + sum of missed + outstanding = (M - 1) x clock,
// where outstanding counts, over workers, the ticks since each one's last write (oracle 4).
//
// Meter. Beside every sample's increments, 1.0f is added to the same coordinates of a shadow buffer by the same policy
// under the same guard. A layer with a policy of its own (kernels/network/layers/layer_updates.h) uses that policy, and
// adds nothing where it writes nothing. While no coordinate reaches 2^24 these sums are exact. Then issued - dropped -
// sum(shadow) is the number of lost updates (oracle 3).
#pragma once

#include "kernels/network/layers/layer_updates.h"
#include "kernels/updates/cas_bounded.h"
#include "kernels/worker_context.h"

#include <concepts>
#include <string_view>

namespace hogwild {

class ExactProbe {
public:
    static constexpr std::string_view name = "exact";

    explicit ExactProbe(WorkerContext& context) : context_(context) {}

    void read() { at_read_ = context_.clock->load(std::memory_order_relaxed); }

    void computed() {}

    template <class Update>
    void wrote(const auto& sample, const Update& update) {
        const std::uint64_t tick = context_.clock->fetch_add(1, std::memory_order_relaxed);
        context_.staleness->add(tick - at_read_);
        context_.missed += at_read_ - context_.seen;
        context_.seen = tick + 1;

        if constexpr (std::same_as<Update, CasBounded>) { // its own drops, apart from the weights'
            count(sample, CasBounded(context_.cas_limit, context_.shadow_dropped));
        } else {
            count(sample, update);
        }
    }

private:
    void count(const auto& sample, const auto& update) {
        sample.for_each_coordinate([&](std::uint32_t j) {
            with_layer_update(context_.layer_updates, j, update, [&]<class Policy>(const Policy& policy) {
                if constexpr (std::same_as<Policy, Noop>) return;
                policy.add(context_.shadow[j], 1.0f);
                ++context_.issued;
            });
        });
    }

    WorkerContext& context_;
    std::uint64_t at_read_ = 0;
};

} // namespace hogwild
