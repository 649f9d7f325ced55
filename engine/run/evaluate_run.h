// What a run's snapshots and final weights are worth, off the clock.
//
// The arrow: engine/run/samples_with_model.h. Thread-safety: none; called alone, when nobody steps any more.
#pragma once

#include "engine/memory/parameter_buffer.h"
#include "engine/record/outcome.h"
#include "engine/record/snapshot.h"
#include "engine/run.h"
#include "engine/schemes/two_devices/gpu_side.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

struct Evaluated {
    std::string broken{};     // in the first snapshot whose training loss is not finite; empty: all are
    std::size_t left_out = 0; // snapshots that are no observations
};

/// Turns snapshots into observations. `gpu` evaluates them where it is not null.
/// Once the run is interrupted no more are evaluated but the first and the last, where these were not yet. A GPU,
/// which is quick, evaluates what it has begun.
Evaluated evaluate_into(Outcome& outcome, const Plan& plan, const RunInputs& inputs, const AnyView& stepped_on,
                        std::vector<Snapshot> snapshots, GpuSide* gpu);

/// What is known of the final weights alone: their bound, and of doubles the loss of what they are before they are rounded.
void certify(Observation& last, const Plan& plan, const RunInputs& inputs, const AnyView& data,
             const ParameterBuffer& buffer);

/// Says whether the run diverged, and when. `broken`: what is not finite where a loss is not.
void judge(Outcome& outcome, const Plan& plan, std::uint64_t rows, const std::string& broken);

} // namespace hogwild
