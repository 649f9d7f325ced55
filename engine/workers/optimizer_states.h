// Owns the states of a run's optimiser (kernels/network/optimizer.h): one that all workers share, or one for each.
//
// Shared: of serial and minibatch, and of workers on one buffer where the plan says so. In local-sgd each replica has its own, which
// is never averaged. Thread-safety: each worker steps on its own or the shared one; made and destroyed alone.
#pragma once

#include "engine/memory/pages.h"
#include "kernels/network/optimizer.h"
#include "kernels/worker_context.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

class OptimizerStates {
public:
    /// For a model of so many coordinates. All numbers and counts begin at 0.
    OptimizerStates(const Plan& plan, std::uint32_t coordinates);

    /// Null: plain SGD.
    const OptimizerState* of(unsigned worker) const;

    /// Floats that all states of such a run hold.
    static std::uint64_t floats(const Plan& plan, std::uint64_t coordinates);

private:
    std::vector<PageArray<float>> numbers_; // of each state
    std::vector<PublishedCount> steps_;     // of each state
    std::vector<OptimizerState> states_;
};

} // namespace hogwild
