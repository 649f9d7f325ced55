// Workers that step on models of their own, or of a few of them together, and exchange with the others without a barrier.
//
// Workers claim chunks as under Hogwild; the models, and how they come together, are an Exchange's:
//   begin(worker)                    once, while nobody steps, by the worker itself, so that its pages lie near it
//   weights(worker)                  what it steps on; of some worker the shared buffer, which is what is observed
//   stepped(worker, samples, step)   it has stepped through so many samples, with this step size
//   passed(worker, step)             optional: what it steps through next is of a later epoch
//   leave(worker, step)              it will wait for the others, or has stepped for the last time
//   rescale(worker, factor)          an era of the L2 scale ends (engine/order/timeline.h): its part of bringing all models together in the
//                                    buffer, times the factor, while nobody steps
//   enter(worker, step)              it goes on after an era's end
//   gather(worker)                   optional: its part of leaving in the buffer what the run ends with, while nobody
//                                    steps
//   exchanges()                      optional: what each worker's came to, once all have stepped for the last time
//
// Thread-safety: an Exchange is called by all workers at once, each with its own number.
#pragma once

#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/walk/claims.h"
#include "engine/schemes/walk/consumed.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/eras.h"
#include "engine/schemes/walk/start.h"
#include "engine/schemes/walk/walker.h"

#include <vector>

namespace hogwild {

template <class Exchange>
class ReplicaCrew {
public:
    explicit ReplicaCrew(Job& job)
        : job_(job),
          gate_(job),
          first_(first_chunk(job)),
          exchange_(job),
          eras_(job, job.plan.threads, first_.walked,
                [this](unsigned worker, float factor, std::uint64_t) { exchange_.rescale(worker, factor); }),
          claims_(job.timeline, first_.chunk),
          lines_(job.plan.threads),
          consumed_(lines_) {
        consumed_.set(0, first_.updates);
    }

    SchemeTotals run() {
        job_.team.run([&](unsigned worker) { exchange_.begin(worker); });
        job_.start();
        job_.team.run([&](unsigned worker) { walk(worker); });
        if constexpr (requires { exchange_.gather(0u); })
            job_.team.run([&](unsigned worker) { exchange_.gather(worker); });
        totals_.least_share = consumed_.least_share();
        totals_.by_worker = consumed_.each();
        if constexpr (requires { exchange_.exchanges(); }) totals_.exchanges = exchange_.exchanges();
        totals_.final_scale = job_.timeline.scale_after(job_.timeline.chunks() - 1);
        return totals_;
    }

private:
    void walk(unsigned worker) {
        Walker walker(job_, steps_kernel(job_, Racy::name, NoGuard::name, job_.plan.telemetry), job_.contexts[worker]);
        walker.use(exchange_.weights(worker));
        Eras::Visitor era(eras_, worker);
        const Timeline& timeline = job_.timeline;
        const std::uint64_t chunks = timeline.chunks();
        Stretch claimed;
        const auto claim = [&] {
            if (claimed.empty()) claimed = claims_.block([&](std::uint64_t g) { return walker.block_end(g); });
            if (claimed.empty() || job_.interrupted()) return chunks;
            const std::uint64_t g = claimed.begin++;
            walker.queue(timeline.positions(g));
            return g;
        };
        double step = 0;
        for (std::uint64_t g = claim(), next; g < chunks; g = next) {
            next = claim();
            const Positions positions = timeline.positions(g);
            const bool meets = era.due(g);
            if (meets) exchange_.leave(worker, step);
            era.reach(timeline.epoch_start(g));
            if (!gate_.enter(positions.epoch)) break;
            era.reach(g);
            if (meets) exchange_.enter(worker, step);
            const Pace pace = timeline.pace(g);
            step = pace.step;
            walker.walk(pace);
            exchange_.stepped(worker, positions.count, step);
            if constexpr (requires { exchange_.passed(worker, step); })
                if (next < chunks && timeline.epoch_start(next) > g) exchange_.passed(worker, step);
            consumed_.add(worker, positions.count);
            observe(job_, g, [&] { return consumed_.total(); });
        }
        exchange_.leave(worker, step);
        era.reach(chunks);
        if (worker == 0) totals_.rebases = era.passed();
    }

    Job& job_;
    EpochGate gate_;
    FirstChunk first_;
    Exchange exchange_;
    Eras eras_;
    Claims claims_;
    std::vector<PublishedCount> lines_;
    Consumed consumed_;
    SchemeTotals totals_;
};

} // namespace hogwild
