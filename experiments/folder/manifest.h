// What a run's folder says about where its numbers come from: plan, data, objective, machine, build, command.
//
// Thread-safe: pure functions.
#pragma once

#include "engine/data/dataset.h"
#include "engine/machine/gpus.h"
#include "engine/machine/provenance.h"
#include "experiments/inputs/placements.h"
#include "experiments/plans/hot_choice.h"
#include "experiments/targets/objectives.h"
#include "experiments/text/json.h"

#include <string>
#include <vector>

namespace hogwild {

struct Result; // experiments/folder/result.h
struct Plan;   // engine/plan/plan.h

/// Version of results/schema.json that run folders are written with.
constexpr unsigned kResultsVersion = 3;

/// What all runs of one command share.
struct Origin {
    const Dataset& train;
    const Dataset* test;
    std::vector<std::string> command;
    Json machine;
    Json build;
    const Placements& placements; // what runs step on
    Gpus gpus = {};               // of this machine, where a run uses one
    HotReasons hot_reasons = {};  // of the plans that --hot-updates auto made
    std::string asked = "none";   // of them besides (experiments/folder/run_key.h)
};

/// What ran where in one command. `asked` is what run keys hold besides a plan (asked_text()).
Origin origin_of(const Placements& placements, std::vector<std::string> command, const Provenance& provenance,
                 std::string asked);

/// The machine as it is now: processor, usable cores, caches, memory, governor, load.
Json machine_json(const MachineState& state, const Topology& topology);

/// Version, commit, compiler, flags.
Json build_json(const Build& build);

/// manifest.json of one run that started at `started` (UTC).
Json manifest(const Result& result, const Objective& objective, const std::string& started, const Origin& origin);

/// The plan's fields, numbers as numbers.
Json plan_json(const Plan& plan);

/// The axes as the run's row has them: column to text.
Json axes_json(const Result& result);

} // namespace hogwild
