// Steps that go by their staleness (kernels/steps/staleness_rule.h), which is counted exactly.
//
// One count, shared by all workers, of steps that wrote. A step takes its place in it just before it writes. Where it
// is the one after t others, and r had written when it read, its staleness is t - r. A worker's own steps never come in
// between. A step that is dropped takes no place. So places and dropped steps together are all steps that had something
// to write.
//
// Memory order: relaxed, since the count orders nothing but itself. Cost: a look at a shared line per read, and a
// compare and swap per write. Without a rule it is one comparison. It is none where steps are counted only under a
// guard that says so (guards/counted.h). Thread-safety: any number of workers, each with its own context.
#pragma once

#include "kernels/steps/staleness_rule.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <cstdint>

namespace hogwild {

class StaleSteps {
public:
    explicit StaleSteps(WorkerContext& context) : context_(context), rule_(context.staleness_rule) {}

    /// Before the weights are read.
    void read() {
        if (rule_ != StalenessRule::kNone) at_read_ = context_.written->load(std::memory_order_relaxed);
    }

    /// Before the increments are written: whether they are, and if so, by which step size.
    bool admits(auto& step) {
        if (rule_ == StalenessRule::kNone) return true;
        std::uint64_t place = context_.written->load(std::memory_order_relaxed);
        double factor = 0;
        do {
            factor = staleness_factor(rule_, place - at_read_, context_.staleness_limit);
            if (factor == 0) {
                ++context_.steps_dropped;
                return false;
            }
        } while (!context_.written->compare_exchange_weak(place, place + 1, std::memory_order_relaxed));
        step.rescale(factor);
        return true;
    }

private:
    WorkerContext& context_;
    StalenessRule rule_;
    std::uint64_t at_read_ = 0;
};

} // namespace hogwild
