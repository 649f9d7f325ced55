// The round-robin rival (RR): gradients are computed side by side, updates happen in the samples' global order. A worker
// that is ready waits until every earlier sample has been applied; one with nothing to write still takes its turn.
//
// Memory order: passing the turn releases, receiving it acquires, so updates are ordered like one thread's.
// An abandoned turn (kAbandoned) lets everybody through, which is how an interrupted run ends.
// Source: Langford, Smola, Zinkevich, "Slow learners are fast", NIPS 2009; RR in Recht et al. 2011, section 6.
#pragma once

#include "kernels/spin_wait.h"
#include "kernels/updates/guards/traits.h"
#include "kernels/worker_context.h"

#include <string_view>

namespace hogwild {

class InTurn {
public:
    static constexpr std::string_view name = "in-turn";
    static constexpr GuardTraits kTraits{.is_choice = false};
    static constexpr std::uint64_t kAbandoned = ~std::uint64_t{0};

    explicit InTurn(WorkerContext& context) : context_(context) {}

    void before_read(const auto&) {}
    void before_write(const auto&) { wait(); }
    void after_write(const auto&) { pass(); }
    void nothing_to_write(const auto&) {
        wait();
        pass();
    }

private:
    void wait() const {
        SpinWait wait(context_.yields);
        while (context_.turn->load(std::memory_order_acquire) < context_.next_turn) wait.pause();
    }

    void pass() const {
        std::uint64_t mine = context_.next_turn; // a swap, not a store: an abandoned turn stays abandoned
        context_.turn->compare_exchange_strong(mine, mine + 1, std::memory_order_release, std::memory_order_relaxed);
        context_.next_turn += context_.workers;
    }

    WorkerContext& context_;
};

} // namespace hogwild
