// Round-robin (RR): sample p belongs to worker p mod M; gradients are computed side by side, updates wait for their turn.
// Source: Langford, Smola, Zinkevich, "Slow learners are fast", NIPS 2009.
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/eras.h"
#include "engine/schemes/walk/start.h"
#include "engine/schemes/walk/walker.h"

namespace hogwild {
namespace {

/// Samples whose turn is over, when chunk g's all are. Others go on meanwhile; an abandoned turn says nothing.
std::uint64_t applied(Job& job, std::uint64_t g) {
    // Acquire: the tables of steps and scales of every epoch whose turns are over.
    const std::uint64_t turn = job.contexts.turn().load(std::memory_order_acquire);
    return turn == InTurn::kAbandoned ? job.timeline.updates_after(g) : turn;
}

class RoundRobin : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

double cost(const Plan&, double threads) { return threads > 1 ? 25 : kStepCost; }

} // namespace

SchemeTotals RoundRobin::run(Job& job) {
    SchemeTotals totals;
    const unsigned workers = job.plan.threads;
    EpochGate gate(job);
    const FirstChunk first = first_chunk(job);
    Eras eras(job, workers, first.walked);
    job.contexts.turn() = first.updates;
    const auto kernel = steps_kernel(job, Racy::name, InTurn::name, job.plan.telemetry);
    const auto abandon = [&] { // lets the others through
        job.contexts.turn().store(InTurn::kAbandoned, std::memory_order_release);
    };
    const auto walk = [&](unsigned worker) {
        WorkerContext& context = job.contexts[worker];
        Walker walker(job, kernel, context);
        Eras::Visitor era(eras, worker);
        // The next position of this worker that is not queued; sample p is worker p mod M's.
        std::uint64_t mine = first.updates + (worker + workers - first.updates % workers) % workers;
        context.next_turn = mine;
        std::uint32_t offset = 0, next_offset = 0;
        const auto queue = [&](std::uint64_t g) {
            const Positions positions = job.timeline.positions(g);
            next_offset = static_cast<std::uint32_t>(mine - (job.timeline.updates_after(g) - positions.count));
            walker.queue(positions, next_offset, workers);
            while (mine < job.timeline.updates_after(g)) mine += workers;
        };
        if (first.chunk < job.timeline.chunks()) queue(first.chunk);
        for (std::uint64_t g = first.chunk; g < job.timeline.chunks(); ++g) {
            era.reach(job.timeline.epoch_start(g));
            if (job.interrupted() || !gate.enter(job.timeline.positions(g).epoch)) {
                abandon();
                break;
            }
            offset = next_offset;
            if (g + 1 < job.timeline.chunks()) queue(g + 1);
            era.reach(g);
            walker.walk(job.timeline.pace(g));
            const std::uint32_t count = job.timeline.positions(g).count;
            const bool did_the_last = offset < count && (count - 1 - offset) % workers == 0;
            if (did_the_last) observe(job, g, [&] { return applied(job, g); });
        }
        era.reach(job.timeline.chunks());
        if (worker == 0) totals.rebases = era.passed();
    };
    job.start();
    job.team.run([&](unsigned worker) {
        try {
            walk(worker);
        } catch (...) {
            abandon();
            throw;
        }
    });
    totals.final_scale = job.timeline.scale_after(job.timeline.chunks() - 1);
    return totals;
}

constinit const SchemeTraits kRoundRobinScheme{
    .name = "round-robin",
    .about = "gradients side by side, updates in the samples' order",
    .kind = SchemeKind::kSync,
    .writers = Writers::kTurns,
    .optimizer_states = true,
    .unsure = unsure_of_a_chunk,
    .cost = cost,
    .make = make<RoundRobin>,
};

} // namespace hogwild
