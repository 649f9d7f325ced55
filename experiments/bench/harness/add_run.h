// Rows of training: whole runs (engine/run.h) of one plan.
#pragma once

#include "engine/error.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/bench/harness/bench.h"

#include <cstdint>
#include <memory>
#include <string>

namespace hogwild {

/// Errors: throws Error unless the run trained to its end.
inline void check_trained(const std::string& row, const Outcome& outcome) {
    if (!status_traits(outcome.status).done) throw Error(row + " did not train", outcome.reason, "use other data");
}

/// Samples as they were loaded.
struct LoadedSamples {
    Dataset train;
};

/// `inputs`: has the samples, `train`, and may have `shuffled`, those in the run's own order.
/// `measure(outcome)`: what a call measured.
template <class Inputs, class Measure>
void add_run(Bench& bench, const std::string& row, const std::shared_ptr<Inputs>& inputs, const Plan& plan,
             const Measure& measure) {
    bench.add(
        row,
        [=] {
            RunInputs run_inputs{inputs->train};
            if constexpr (requires { inputs->shuffled; }) run_inputs.shuffled = &inputs->shuffled;
            return measure(run(plan, run_inputs));
        },
        0.1 / plan.epochs);
}

} // namespace hogwild
