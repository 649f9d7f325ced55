// One measured run, and its row: the same cells in summary.csv, in the JSON lines and behind the final table.
//
// Thread-safe: plain values and pure functions.
#pragma once

#include "engine/plan/plan.h"
#include "engine/record/targets.h"
#include "experiments/folder/columns.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct Result {
    std::string run;  // name of its folder
    std::string data; // name of the training set
    std::uint64_t rows = 0;
    std::uint32_t classes = 0; // of images; else 0
    Plan plan;
    Outcome outcome; // weights may be dropped; observations are read by the functions below

    double target = kNone;                                            // of what the next names
    std::string target_of{};                                          // as in Objective
    TimeToTarget to_target;                                           // what reaching it cost
    std::array<TimeToTarget, kTargetFractions.size()> to_fractions{}; // of the fixed targets, where F* is known
};

/// What was asked for, but the seed: those columns of summary.csv, in their order. `data`: the training set's name.
std::vector<Column> axis_columns(const Plan& plan, const std::string& data);

/// The cells in the order of summary.csv.
std::vector<Column> row(const Result& result);

/// "atomic" or "not atomic" where CPU threads and a GPU incremented the same cells; else nothing.
std::optional<std::string> cpu_gpu_increments(const Outcome& outcome);

/// Final values: of the last observation; kNone when there is none.
double train_loss(const Result& result);

/// The final one of that name; kNone where the problem is not scored by it.
double score(const Result& result, std::string_view name);

/// What is to reach a target that is of this: a score of the plan's problem, else the training loss.
Watched watched(const Plan& plan, std::string_view target_of);

double updates_per_second(const Result& result);
double nonzeros_per_second(const Result& result);

/// Header and rows of summary.csv.
std::string summary_header();
std::string summary_line(const Result& result);

/// Its row as one JSON object with a line end.
std::string json_line(const Result& result);

/// trace.csv, with its header.
std::string trace_text(const Result& result);

/// The text of staleness.csv: device,from,to,steps; empty where no step was measured.
std::string staleness_text(const Outcome& outcome);

/// The text of layer_staleness.csv: device,layer,from,to,steps, layers from 1 on; empty where no step was measured.
std::string layer_staleness_text(const Outcome& outcome);

/// The text of batches.csv: device,seconds,batch,steps, a row for each device's first batch and for each change; empty where not both
/// devices stepped by batches.
std::string batches_text(const Outcome& outcome);

} // namespace hogwild
