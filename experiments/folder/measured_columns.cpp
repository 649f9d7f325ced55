#include "experiments/folder/measured_columns.h"

#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "experiments/folder/result.h"
#include "kernels/steps/staleness_rule.h"

#include <cmath>

namespace hogwild {
namespace {

double last(const Outcome& outcome, double Observation::*field) {
    return outcome.observations.empty() ? kNone : outcome.observations.back().*field;
}

double best_train_loss(const Outcome& outcome) {
    double best = kNone;
    for (const Observation& seen : outcome.observations) {
        if (std::isfinite(seen.train_loss) && !(seen.train_loss >= best)) best = seen.train_loss;
    }
    return best;
}

double per_second(double amount, const Outcome& outcome) {
    return outcome.seconds > 0 ? amount / outcome.seconds : kNone;
}

double epochs_per_second(const Result& run) {
    const double epochs =
        run.rows == 0 ? kNone : static_cast<double>(run.outcome.updates) / static_cast<double>(run.rows);
    return per_second(epochs, run.outcome);
}

bool is_stale(const Result& run) { return run.outcome.telemetry.staleness.count > 0; }

bool is_stale_on_gpu(const Result& run) { return run.outcome.gpu.staleness.count > 0; }

bool is_metered(const Result& run) { return run.outcome.telemetry.increments_issued > 0; }

bool drops_steps(const Result& run) {
    return guard_traits(run.plan).publishes || staleness_rule(run.plan.staleness.rule) == StalenessRule::kDrop;
}

constexpr MeasuredColumn kBeforeScores[] = {
    {"seed", "count", "Seed of every random number of the run.",
     [](const Result& run) -> Cell { return run.plan.seed; }},
    {"status", "text", "How the run ended.", [](const Result& run) -> Cell { return run.outcome.status; }},
    {"reason", "text", "Why the run was not done, for a person.",
     [](const Result& run) -> Cell { return cell_if(!run.outcome.reason.empty(), run.outcome.reason); }},
    {"seconds", "real",
     "Seconds from when all workers are awake to the last worker's end, snapshot copies included; of an interrupted "
     "run without a GPU, to its last observation.",
     [](const Result& run) -> Cell { return number_cell(run.outcome.seconds); }},
    {"updates", "count",
     "Samples consumed by all workers; of {column_steps} their number times the share of an epoch's coordinates.",
     [](const Result& run) -> Cell { return run.outcome.updates; }},
    {"updates_per_second", "real", "updates / seconds.",
     [](const Result& run) -> Cell { return number_cell(updates_per_second(run)); }},
    {"nonzeros_per_second", "real", "Nonzeros of the consumed samples / seconds.",
     [](const Result& run) -> Cell { return number_cell(nonzeros_per_second(run)); }},
    {"epochs_per_second", "real", "updates / training samples / seconds.",
     [](const Result& run) -> Cell { return number_cell(epochs_per_second(run)); }},
    {"train_loss", "real",
     "F(w) at the last observation: mean loss over the training samples + (lambda / 2) |w|^2, of {corrected_steps} + "
     "lambda1 |w|_1.",
     [](const Result& run) -> Cell { return number_cell(train_loss(run)); }},
    {"test_loss", "real", "Mean loss over the test samples at the last observation, without the regulariser.",
     [](const Result& run) -> Cell { return number_cell(last(run.outcome, &Observation::test_loss)); }},
};

constexpr MeasuredColumn kBehindScores[] = {
    {"optimality_bound", "real", "F(w) - F* is at most this at the last observation.",
     [](const Result& run) -> Cell { return number_cell(last(run.outcome, &Observation::optimality_bound)); }},
    {"best_train_loss", "real", "Smallest F(w) of all observations.",
     [](const Result& run) -> Cell { return number_cell(best_train_loss(run.outcome)); }},
    {"copy_seconds", "real", "Seconds spent copying snapshots, summed over workers; they are part of `seconds`.",
     [](const Result& run) -> Cell { return number_cell(run.outcome.copy_seconds); }},
    {"wait_share", "real", "Share of the time that workers waited in barriers, mean over workers.",
     [](const Result& run) -> Cell { return number_cell(per_second(run.outcome.wait_seconds, run.outcome)); }},
    {"least_share", "real",
     "Samples of the CPU thread that stepped through fewest, over the mean of all; empty of one thread, of schemes "
     "whose "
     "threads claim no samples, and of runs that were resumed.",
     [](const Result& run) -> Cell { return number_cell(run.outcome.least_share); }},
    {"rebases", "count", "Times the lazy L2 scale was multiplied back into the buffer.",
     [](const Result& run) -> Cell { return run.outcome.rebases; }},
    {"core_wait_seconds", "real", "Time that workers were ready to run and had no core, summed over them.",
     [](const Result& run) -> Cell { return number_cell(run.outcome.disturbance.core_wait_seconds); }},
    {"other_cpu_seconds", "real",
     "CPU seconds that other programs than this run spent on the processors that it may use, during `seconds`; a "
     "difference of two clocks of which one ticks in 10 ms, so that of a short run may be slightly negative. Empty "
     "where the system does not tell.",
     [](const Result& run) -> Cell { return number_cell(run.outcome.disturbance.other_cpu_seconds); }},
    {"stolen_cpu_seconds", "real",
     "CPU seconds during which the host of a virtual machine ran something else instead of these processors; empty "
     "where the system does not tell.",
     [](const Result& run) -> Cell { return number_cell(run.outcome.disturbance.stolen_cpu_seconds); }},
    {"staleness_mean", "real",
     "Mean of the steps of others that wrote between a step's read and its write; empty without telemetry.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale(run), number_cell(run.outcome.telemetry.staleness.mean));
     }},
    {"staleness_p50", "real",
     "Median of the steps of others that wrote between a step's read and its write; empty without telemetry.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale(run), number_cell(run.outcome.telemetry.staleness.median));
     }},
    {"staleness_p90", "real",
     "90 % quantile of the steps of others that wrote between a step's read and its write; empty without telemetry.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale(run), number_cell(run.outcome.telemetry.staleness.p90));
     }},
    {"staleness_p99", "real",
     "99 % quantile of the steps of others that wrote between a step's read and its write; empty without telemetry.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale(run), number_cell(run.outcome.telemetry.staleness.p99));
     }},
    {"staleness_p999", "real",
     "99.9 % quantile of the steps of others that wrote between a step's read and its write; empty without telemetry.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale(run), number_cell(run.outcome.telemetry.staleness.p999));
     }},
    {"staleness_max", "real",
     "Maximum of the steps of others that wrote between a step's read and its write; empty without telemetry.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale(run), number_cell(run.outcome.telemetry.staleness.max));
     }},
    {"cpu_gpu_increments", "text",
     "Where CPU threads and the GPU increment the same cells: whether an atomic increment of one side is one for the "
     "other.",
     [](const Result& run) -> Cell {
         return cell_if(run.outcome.gpu.shares_cells, cpu_gpu_increments(run.outcome).value_or(""));
     }},
    {"gpu_updates", "count", "Samples that the GPU consumed, of updates.",
     [](const Result& run) -> Cell { return cell_if(device_traits(run.plan).gpu, run.outcome.gpu.updates); }},
    {"cpu_step_count", "count",
     "Steps of CPU threads, where these and a GPU step by batches; their samples are updates less gpu_updates.",
     [](const Result& run) -> Cell { return cell_if(has_two_batches(run.plan), run.outcome.batches.cpu.steps); }},
    {"gpu_step_count", "count", "Likewise, of a GPU's teams; their samples are gpu_updates.",
     [](const Result& run) -> Cell { return cell_if(has_two_batches(run.plan), run.outcome.batches.gpu.steps); }},
    {"bridge_rounds", "count", "Exchanges of increments between the host's array and a replica.",
     [](const Result& run) -> Cell { return cell_if(bridges(run.plan) > 0, run.outcome.gpu.bridge_rounds); }},
    {"gpu_staleness_mean", "real", "Steps of the GPU between a step's read and its write.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale_on_gpu(run), number_cell(run.outcome.gpu.staleness.mean));
     }},
    {"gpu_staleness_p50", "real", "Likewise, the median.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale_on_gpu(run), number_cell(run.outcome.gpu.staleness.median));
     }},
    {"gpu_staleness_p99", "real", "Likewise, 99 %.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale_on_gpu(run), number_cell(run.outcome.gpu.staleness.p99));
     }},
    {"gpu_staleness_max", "real", "Likewise, the largest.",
     [](const Result& run) -> Cell {
         return cell_if(is_stale_on_gpu(run), number_cell(run.outcome.gpu.staleness.max));
     }},
    {"increments_issued", "count", "Coordinates incremented while the lost-update meter ran; empty without it.",
     [](const Result& run) -> Cell { return cell_if(is_metered(run), run.outcome.telemetry.increments_issued); }},
    {"increments_lost", "count", "Of these, overwritten before anyone could read them.",
     [](const Result& run) -> Cell { return cell_if(is_metered(run), run.outcome.telemetry.increments_lost); }},
    {"increments_dropped", "count", "Increments that cas-bounded gave up after its retry limit.",
     [](const Result& run) -> Cell {
         return cell_if(update_traits(run.plan).drops, run.outcome.telemetry.increments_dropped);
     }},
    {"gradients_dropped", "count",
     "Samples' gradients that {backups} computed and dropped, too late for their step; empty of other schemes.",
     [](const Result& run) -> Cell {
         return cell_if(means::backup(run.plan), run.outcome.telemetry.gradients_dropped);
     }},
    {"steps_dropped", "count",
     "Steps that wrote nothing: publish gave up after its tries, or they were too stale for the rule drop; empty of "
     "others.",
     [](const Result& run) -> Cell { return cell_if(drops_steps(run), run.outcome.telemetry.steps_dropped); }},
    {"target", "real", "What was to be reached; empty when nothing was set.",
     [](const Result& run) -> Cell { return number_cell(run.target); }},
    {"target_of", "text",
     "The column whose value that is: train_loss, or a score of the problem; empty without a target.",
     [](const Result& run) -> Cell { return cell_if(!run.target_of.empty(), run.target_of); }},
    {"seconds_to_target", "real", "Seconds until the target, interpolated between observations; empty when missed.",
     [](const Result& run) -> Cell { return number_cell(run.to_target.seconds); }},
    {"updates_to_target", "real", "Updates until the target, interpolated between observations; empty when missed.",
     [](const Result& run) -> Cell { return number_cell(run.to_target.updates); }},
    {"seconds_to_1e-1", "real",
     "Seconds until F* + 1e-1 (F(w0) - F*), with F* certified from below; empty when missed, or F* unknown.",
     [](const Result& run) -> Cell { return number_cell(run.to_fractions[0].seconds); }},
    {"updates_to_1e-1", "real",
     "Updates until F* + 1e-1 (F(w0) - F*), with F* certified from below; empty when missed, or F* unknown.",
     [](const Result& run) -> Cell { return number_cell(run.to_fractions[0].updates); }},
    {"seconds_to_1e-2", "real",
     "Seconds until F* + 1e-2 (F(w0) - F*), with F* certified from below; empty when missed, or F* unknown.",
     [](const Result& run) -> Cell { return number_cell(run.to_fractions[1].seconds); }},
    {"updates_to_1e-2", "real",
     "Updates until F* + 1e-2 (F(w0) - F*), with F* certified from below; empty when missed, or F* unknown.",
     [](const Result& run) -> Cell { return number_cell(run.to_fractions[1].updates); }},
    {"seconds_to_1e-3", "real",
     "Seconds until F* + 1e-3 (F(w0) - F*), with F* certified from below; empty when missed, or F* unknown.",
     [](const Result& run) -> Cell { return number_cell(run.to_fractions[2].seconds); }},
    {"updates_to_1e-3", "real",
     "Updates until F* + 1e-3 (F(w0) - F*), with F* certified from below; empty when missed, or F* unknown.",
     [](const Result& run) -> Cell { return number_cell(run.to_fractions[2].updates); }},
};

} // namespace

Cell number_cell(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

Cell cell_if(bool means_something, Cell cell) { return means_something ? std::move(cell) : Cell(); }

std::span<const MeasuredColumn> measured_before_scores() { return kBeforeScores; }

std::span<const MeasuredColumn> measured_behind_scores() { return kBehindScores; }

double updates_per_second(const Result& result) {
    return per_second(static_cast<double>(result.outcome.updates), result.outcome);
}

double nonzeros_per_second(const Result& result) {
    return per_second(static_cast<double>(result.outcome.nonzeros), result.outcome);
}

} // namespace hogwild
