// A run's parts for tests of what lies below a run: a scheme with streams of its own, a worker's walk.
#pragma once

#include "engine/order/hot_ranges.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"

namespace hogwild {

/// Hinge, or another problem's kernels, on the host, by scalar code. `plan` and the samples are borrowed.
struct ToyJob {
    ToyJob(const Plan& plan, const AnyView& data, const std::atomic<bool>* interrupt = nullptr,
           const Kernels& kernels = kernels_of<Hinge>())
        : schedule(plan.step, plan.epochs),
          timeline(plan, static_cast<std::uint32_t>(data.rows())),
          buffer(data.coordinates(), MemoryKind::kHost, hot_ranges(plan, data)),
          recorder(data.coordinates(), timeline.observations(), 1 << 28),
          team(cpu_workers(plan), Pin::kNone, gpu_workers(plan) + bridges(plan)),
          contexts(plan, data, cpu_workers(plan), true,
                   kernels.step_scratch(data, most_cpu_batch(plan), plan.network.read == "copy")),
          job{plan, data,      kernels, InstructionSet::kScalar, schedule, timeline, buffer, recorder, team, contexts,
              true, interrupt, nullptr} {}

    Schedule schedule;
    Timeline timeline;
    ParameterBuffer buffer;
    Recorder recorder;
    WorkerTeam team;
    WorkerContexts contexts;
    Job job;
};

} // namespace hogwild
