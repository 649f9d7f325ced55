// HOGWILD!: workers claim chunks of samples from one counter and step on one buffer, under the plan's update policy and guard.
//
// The claim is the only thing ordered: it hands every sample of an epoch to exactly one worker, balances the load, and ties
// the step size and the L2 scale to the samples consumed by all. One claim serves up to 256 steps.
// Source: Recht, Re, Wright, Niu, "HOGWILD!", NIPS 2011.
#include "engine/schemes/all.h"
#include "engine/schemes/consumed.h"
#include "engine/schemes/eras.h"
#include "engine/schemes/walker.h"

#include <algorithm>

namespace hogwild {

SchemeTotals Hogwild::run(Job& job) {
    SchemeTotals totals;
    EpochGate gate(job);
    Eras eras(job, job.plan.threads);
    PublishedCount claimed;
    Consumed consumed(job.plan.threads);
    const std::uint64_t chunks = job.timeline.chunks();
    const auto kernel = steps_kernel(job, job.plan.update, job.plan.guard, job.plan.telemetry);
    job.recorder.start(job.buffer);
    job.team.run([&](unsigned worker) {
        Walker walker(job, kernel, job.contexts[worker]);
        Eras::Visitor era(eras, worker);
        const auto claim = [&] {
            const std::uint64_t g =
                job.interrupted() ? chunks : std::min(chunks, claimed.value.fetch_add(1, std::memory_order_relaxed));
            if (g < chunks) walker.queue(job.timeline.positions(g));
            return g;
        };
        for (std::uint64_t g = claim(), next; g < chunks; g = next) {
            next = claim(); // one ahead, so that its first rows are on their way when this chunk ends
            era.reach(job.timeline.epoch_start(g));
            if (!gate.enter(job.timeline.positions(g).epoch)) break;
            era.reach(g);
            walker.walk(job.timeline.pace(g));
            consumed.add(worker, job.timeline.positions(g).count);
            observe(job, g, [&] { return consumed.total(); });
        }
        era.reach(chunks);
        if (worker == 0) totals.rebases = era.passed();
    });
    totals.final_scale = job.timeline.scale_after(chunks - 1);
    return totals;
}

} // namespace hogwild
