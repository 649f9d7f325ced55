// Laws of every access pattern: which runs have the same bits.
#pragma once

#include "engine/plan/plan.h"
#include "kernels/lanes/dispatch.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hogwild {

/// One worker walks serial's path, whatever the policy. `plan`: serial. (Oracle 6.)
inline void check_one_worker_walks_serials_path(Plan plan, const Dataset& data) {
    const std::vector<float> serial = weights_of(plan, data);
    plan.scheme = "hogwild";
    for (const std::string update : {"racy", "atomic", "cas-bounded"}) {
        plan.update = update;
        for (const std::string telemetry : {"off", "sampled", "exact"}) {
            plan.telemetry = telemetry;
            CHECK(weights_of(plan, data) == serial);
        }
    }
    plan.update = "racy";
    plan.telemetry = "off";
    for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
        plan.guard = guard;
        CHECK(weights_of(plan, data) == serial);
    }
    plan.guard = "none";
    for (const std::string scheme : {"round-robin", "conflict-free", "cyclades"}) {
        plan.scheme = scheme;
        CHECK(weights_of(plan, data) == serial);
    }
}

/// Schemes whose workers step side by side only on what touches nothing in common end with serial's weights, whatever their number.
/// `plan`: serial. (Oracle 8.)
inline void check_conflict_free_schemes(Plan plan, const Dataset& data) {
    const Outcome serial = run(plan, {data});
    for (const std::string scheme : {"conflict-free", "cyclades"}) {
        plan.scheme = scheme;
        for (const unsigned threads : kThreadSanitizer ? std::vector{3u} : std::vector{1u, 2u, 3u, 8u}) {
            plan.threads = threads;
            plan.batch.size = 16 * threads + 5; // of cyclades
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.weights == serial.weights);
            CHECK(outcome.rebases == serial.rebases);
        }
    }
}

/// Minibatch at any number of workers. `plan`: of minibatch. (Oracle 12.)
inline void check_workers_share_batches(Plan plan, const Dataset& data) {
    plan.epochs = 1;
    for (const std::uint32_t batch : {1u, 7u, 300u}) {
        plan.batch.size = batch;
        plan.threads = 1;
        const std::vector<float> alone = weights_of(plan, data);
        // Workers without a sample: three show them, and wait for each other at every sample.
        for (const unsigned threads : kThreadSanitizer || batch == 1 ? std::vector{3u} : std::vector{2u, 3u, 7u}) {
            plan.threads = threads;
            CHECK(weights_of(plan, data) == alone);
        }
    }
}

/// Every instruction set that this processor has. (Oracle 11.)
inline void check_instruction_sets(Plan plan, const Dataset& data) {
    plan.lanes = "scalar";
    const std::vector<float> scalar = weights_of(plan, data);
    for (const std::string lanes : {"avx2", "avx512"}) {
        if (best_instruction_set() < (lanes == "avx2" ? InstructionSet::kAvx2 : InstructionSet::kAvx512)) continue;
        plan.lanes = lanes;
        CHECK(weights_of(plan, data) == scalar);
    }
}

} // namespace hogwild
