#include "engine/run.h"

#include "engine/data/shuffle.h"
#include "engine/error.h"
#include "engine/machine/memory_budget.h"
#include "engine/machine/parallel.h"
#include "engine/memory/memory_kind.h"
#include "engine/order/hot_ranges.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "engine/run/evaluate_run.h"
#include "engine/run/fits.h"
#include "engine/schemes/scheme.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kSnapshotBudget = std::uint64_t{2} << 30;

InstructionSet instruction_set(const Plan& plan) {
    const InstructionSet best = best_instruction_set();
    const auto named = std::ranges::find(kInstructionSetNames, plan.lanes);
    if (named == kInstructionSetNames.end()) return best; // auto
    const auto wanted = static_cast<InstructionSet>(named - kInstructionSetNames.begin());
    if (wanted > best) {
        throw Error(Failure::kMissing, fmt::format("--lanes {} cannot run", plan.lanes),
                    "this processor or build does not have it", "use --lanes auto");
    }
    return wanted;
}

void initialise(const Plan& plan, const AnyView& data, ParameterBuffer& buffer) {
    constexpr std::uint64_t kGrain = 1 << 16;
    parallel_for(buffer.size(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        kernels_named(plan.problem)
            .initialise(data, plan.seed, buffer.data(), static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(end));
    });
    buffer.upload();
}

/// Shows snapshots to a sink until nobody takes any more, whatever ends the run.
class Shown {
public:
    Shown(Recorder& recorder, SnapshotSink* sink, const Schedule& schedule) : sink_(sink) {
        if (sink_ != nullptr) recorder.show(sink_, schedule);
    }
    ~Shown() { end(); }
    Shown(const Shown&) = delete;
    Shown& operator=(const Shown&) = delete;

    void end() const {
        if (sink_ != nullptr) sink_->ended();
    }

private:
    SnapshotSink* sink_;
};

/// What a GPU does in a run, if it does anything: streams that step, or batches.
struct GpuPart {
    std::unique_ptr<GpuWorkers> workers;
    std::unique_ptr<GpuBatches> batches;

    GpuPart(const Plan& plan, const AnyView& data, ParameterBuffer& buffer, const WorkerContexts& contexts,
            const Recorder& recorder) {
        if (gpu_workers(plan) > 0) {
            workers = make_gpu_workers(plan, data, buffer, contexts.shadow(), recorder.slots());
        } else if (device_traits(plan).gpu) {
            batches = make_gpu_batches(plan, data, buffer, recorder.slots());
        }
    }

    /// Null: no GPU takes part.
    GpuSide* side() const { return workers ? static_cast<GpuSide*>(workers.get()) : batches.get(); }
};

/// No page fault on the clock, and each worker's scratch on its node.
void touch_scratch(WorkerTeam& team, WorkerContexts& contexts, unsigned workers) {
    if (workers == 0 || contexts[0].scratch.empty()) return;
    team.run([&](unsigned worker) {
        if (worker < workers) std::ranges::fill(contexts[worker].scratch, 0.0F);
    });
}

void go_on(const Part& before, Job& job) {
    const Snapshot& last = before.snapshots.back();
    std::copy_n(last.values, job.buffer.size(), job.buffer.data());
    job.recorder.go_on_from(before.snapshots);
    job.start_at = {last.updates, last.scale, before.losses};
}

/// What was counted while workers stepped. `whole`: of all of the run.
Outcome counted(Job& job, const SchemeTotals& totals, bool whole) {
    Outcome outcome;
    outcome.seconds = job.recorder.seconds();
    outcome.wait_seconds = whole ? totals.wait_seconds : kNone;
    outcome.least_share = whole ? totals.least_share : kNone;
    if (whole) outcome.worker_updates = totals.by_worker;
    outcome.worker_exchanges = totals.exchanges;
    outcome.rebases = totals.rebases;
    outcome.saturated = job.buffer.saturated();
    outcome.batches = totals.batches;
    outcome.disturbance = job.disturbance.read();
    return outcome;
}

/// What the GPU and the probes have to tell, off the clock.
void settle(Outcome& outcome, const SchemeTotals& totals, WorkerContexts& contexts, GpuSide* gpu) {
    if (gpu != nullptr) {
        gpu->settle(totals.scale_at);
        outcome.gpu = gpu->share();
    }
    outcome.telemetry = contexts.telemetry(outcome.gpu.increments_issued);
    outcome.telemetry.steps_dropped += outcome.gpu.steps_dropped;
    outcome.telemetry.gradients_dropped = totals.gradients_dropped;
}

/// For a run that has stepped through all of its samples.
void finish(Outcome& outcome, const Job& job, bool keeps_weights) {
    const ParameterBuffer& buffer = job.buffer;
    outcome.updates = std::uint64_t{job.plan.epochs} * job.data.rows();
    outcome.nonzeros = std::uint64_t{job.plan.epochs} * job.data.nonzeros();
    job.recorder.observe(job.timeline.observations(), Moment{outcome.updates, 1.0}, buffer.data());
    if (keeps_weights) outcome.weights.assign(buffer.data(), buffer.data() + buffer.size());
}

/// For a run that an interrupt ended, before its last sample or while it was evaluated: how far it had come.
void break_off(Outcome& outcome, const AnyView& data, const SchemeTotals& totals, bool beside_gpu,
               std::size_t left_out) {
    outcome.status = kInterruptedStatus.name;
    outcome.reason = "stopped by a signal";
    if (left_out > 0)
        outcome.reason +=
            fmt::format("; {} of {} observations were not evaluated", left_out, left_out + outcome.observations.size());
    if (beside_gpu) {
        outcome.updates = totals.by_threads + outcome.gpu.updates;
    } else { // that is known of its last observation
        outcome.seconds = outcome.observations.back().seconds;
        outcome.updates = outcome.observations.back().updates;
    }
    outcome.nonzeros = static_cast<std::uint64_t>(
        static_cast<double>(data.nonzeros()) / static_cast<double>(data.rows()) * static_cast<double>(outcome.updates));
}

Outcome run_on_own_copy(const Plan& plan, RunInputs inputs) {
    const Dataset own = shuffled(inputs.train);
    inputs.shuffled = &own;
    return run(plan, inputs);
}

/// Who steps on batches, or averages, looks between samples whether an observation is due; others look between chunks.
Recorder::Epoch moments(const Plan& plan, const Timeline& timeline) {
    const bool by_samples = scheme_traits(plan).is_minibatch() || scheme_traits(plan).merging == Merging::kAverages;
    return {plan.observations_per_epoch, by_samples ? timeline.rows() : timeline.chunks() / timeline.epochs()};
}

} // namespace

Outcome run(const Plan& plan, const RunInputs& inputs) {
    check(plan, inputs);
    const bool shuffles = wants_shuffled(plan, inputs.train);
    if (shuffles && inputs.shuffled == nullptr) return run_on_own_copy(plan, inputs);
    const Kernels& kernels = kernels_named(plan.problem);
    const AnyView data = bound((shuffles ? *inputs.shuffled : inputs.train).view(), plan);
    Schedule schedule(plan.step, plan.epochs);
    Timeline timeline(plan, static_cast<std::uint32_t>(data.rows()));
    ParameterBuffer buffer(data.coordinates(), memory_kind(plan), hot_ranges(plan, data), plan.int8_range);
    initialise(plan, data, buffer);
    Recorder recorder(data.coordinates(), timeline.observations(),
                      std::min(kSnapshotBudget, memory_budget().available / 4), moments(plan, timeline));
    const Shown shown(recorder, inputs.sink, schedule);
    WorkerTeam team(cpu_workers(plan), parse_pin(plan.pin), gpu_workers(plan) + bridges(plan));
    WorkerContexts contexts(plan, data, cpu_workers(plan), team.oversubscribed(),
                            kernels.step_scratch(data, most_cpu_batch(plan), reads_copy(plan)));
    touch_scratch(team, contexts, cpu_workers(plan));
    const GpuPart gpu(plan, data, buffer, contexts, recorder);
    Job job{plan,
            data,
            kernels,
            instruction_set(plan),
            schedule,
            timeline,
            buffer,
            recorder,
            team,
            contexts,
            team.oversubscribed(),
            inputs.interrupt,
            inputs.progress,
            gpu.workers.get(),
            gpu.batches.get()};
    if (inputs.before != nullptr) go_on(*inputs.before, job);

    const SchemeTotals totals = make_scheme(plan.scheme)->run(job);
    buffer.download();
    if (totals.final_scale != 1) // the flush of lazy L2, on the clock
        buffer.rescale(0, buffer.size(), static_cast<float>(totals.final_scale));

    Outcome outcome = counted(job, totals, inputs.before == nullptr);
    shown.end();
    settle(outcome, totals, contexts, gpu.side());
    const bool finished = !job.left_work.load(std::memory_order_relaxed);
    if (finished) finish(outcome, job, inputs.keeps_weights);
    const Evaluated seen = evaluate_into(outcome, plan, inputs, data, recorder.taken(), gpu.side());
    if (!finished || seen.left_out > 0) {
        break_off(outcome, data, totals, gpu.side() != nullptr, seen.left_out);
        return outcome;
    }
    outcome.observations.back().seconds = outcome.seconds;
    certify(outcome.observations.back(), plan, inputs, data, buffer);
    judge(outcome, plan, data.rows(), seen.broken);
    return outcome;
}

} // namespace hogwild
