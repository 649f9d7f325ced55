// Round-robin (RR): sample p belongs to worker p mod M; gradients are computed side by side, updates wait for their turn.
// Source: Langford, Smola, Zinkevich, "Slow learners are fast", NIPS 2009.
#include "engine/schemes/all.h"
#include "engine/schemes/eras.h"
#include "engine/schemes/walker.h"

namespace hogwild {

SchemeTotals RoundRobin::run(Job& job) {
    SchemeTotals totals;
    const unsigned workers = job.plan.threads;
    EpochGate gate(job);
    Eras eras(job, workers);
    const auto kernel = steps_kernel(job, Racy::name, InTurn::name, job.plan.telemetry);
    job.start();
    job.team.run([&](unsigned worker) {
        WorkerContext& context = job.contexts[worker];
        Walker walker(job, kernel, context);
        Eras::Visitor era(eras, worker);
        std::uint64_t mine = worker; // the next position of this worker that is not queued
        std::uint32_t offset = 0, next_offset = 0;
        const auto queue = [&](std::uint64_t g) {
            const Positions positions = job.timeline.positions(g);
            next_offset = static_cast<std::uint32_t>(mine - (job.timeline.updates_after(g) - positions.count));
            walker.queue(positions, next_offset, workers);
            while (mine < job.timeline.updates_after(g)) mine += workers;
        };
        queue(0);
        for (std::uint64_t g = 0; g < job.timeline.chunks(); ++g) {
            era.reach(job.timeline.epoch_start(g));
            if (job.interrupted() || !gate.enter(job.timeline.positions(g).epoch)) {
                job.contexts.turn().store(InTurn::kAbandoned, std::memory_order_release); // lets the others through
                break;
            }
            offset = next_offset;
            if (g + 1 < job.timeline.chunks()) queue(g + 1);
            era.reach(g);
            walker.walk(job.timeline.pace(g));
            const std::uint32_t count = job.timeline.positions(g).count;
            const bool did_the_last = offset < count && (count - 1 - offset) % workers == 0;
            if (did_the_last) observe(job, g, [&] { return job.timeline.updates_after(g); });
        }
        era.reach(job.timeline.chunks());
        if (worker == 0) totals.rebases = era.passed();
    });
    totals.final_scale = job.timeline.scale_after(job.timeline.chunks() - 1);
    return totals;
}

} // namespace hogwild
