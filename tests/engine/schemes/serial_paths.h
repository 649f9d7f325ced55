// One worker walks serial's path, whatever the policy: a law of every access pattern.
#pragma once

#include "tests/engine/schemes/toy_run.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hogwild {

/// `plan`: serial.
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
    for (const std::string scheme : {"round-robin", "conflict-free"}) {
        plan.scheme = scheme;
        CHECK(weights_of(plan, data) == serial);
    }
}

} // namespace hogwild
