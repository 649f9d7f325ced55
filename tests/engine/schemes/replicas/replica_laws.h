// Laws of schemes whose workers step on models of their own.
#pragma once

#include "engine/plan/plan.h"
#include "engine/run.h"
#include "kernels/catalog.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string_view>
#include <vector>

namespace hogwild {

/// One worker walks serial's path, with and without eras of L2. (Oracle 6.)
inline void check_alone_walks_serials_path(Plan alone) {
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const double l2 : {0.0, 1e-3, 0.7}) {
            Plan plan = toy_plan("serial");
            plan.problem = alone.problem = problem;
            plan.l2 = alone.l2 = l2;
            CHECK(weights_of(alone, crowded()) == weights_of(plan, crowded()));
        }
    }
}

/// An interrupt ends a run of workers that have something to exchange, and nothing goes on from a snapshot of it.
inline void check_interrupt_ends(Plan plan) {
    const std::atomic<bool> interrupt{true};
    RunInputs inputs{crowded()};
    inputs.interrupt = &interrupt;
    plan.l2 = 0.7; // with eras that nobody may wait for
    CHECK(run(plan, inputs).status == "interrupted");
    CHECK(why_not_go_on(plan) == "what replicas have not exchanged is in no snapshot");
}

} // namespace hogwild
