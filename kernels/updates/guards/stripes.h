// Striped spin locks: group j of coordinates (kernels/views/any_view.h) belongs to lock j >> shift. A sample's groups
// rise, so its locks are met in rising order and each is taken once. So two workers can not wait for each other in a
// circle.
//
// Memory order: taking a lock acquires, releasing it releases; each owner therefore sees all writes of the owners before it.
#pragma once

#include "kernels/spin_wait.h"
#include "kernels/worker_context.h"

#include <span>

namespace hogwild {

inline void take(LockWord& lock, bool yields) {
    SpinWait wait(yields);
    // Look before swapping: waiting workers then share the line instead of pulling it from each other.
    while (lock.load(std::memory_order_relaxed) != 0 || lock.exchange(1, std::memory_order_acquire) != 0) wait.pause();
}

inline void release(LockWord& lock) { lock.store(0, std::memory_order_release); }

class Stripes {
public:
    explicit Stripes(WorkerContext& context)
        : locks_(context.locks), shift_(context.lock_shift), yields_(context.yields) {}

    void take_all(const auto& sample) const {
        for_each_stripe(sample, [this](std::uint32_t stripe) { take(locks_[stripe], yields_); });
    }

    void release_all(const auto& sample) const {
        for_each_stripe(sample, [this](std::uint32_t stripe) { release(locks_[stripe]); });
    }

private:
    void for_each_stripe(const auto& sample, const auto& visit) const {
        std::uint32_t previous = ~0u;
        sample.for_each_group([&](std::uint32_t group) {
            const std::uint32_t stripe = group >> shift_;
            if (stripe != previous) visit(stripe);
            previous = stripe;
        });
    }

    std::span<LockWord> locks_;
    std::uint32_t shift_;
    bool yields_;
};

} // namespace hogwild
