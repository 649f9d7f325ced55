// Workers that claim chunks as under Hogwild, and walk them by steps of their scheme's own, on a buffer without a scale of L2.
//
// A worker walks by what its scheme makes for it. queue(positions) says what it will walk after what was queued before,
// at most one other chunk. walk(pace) walks what was queued first. Walker (engine/schemes/walk/walker.h) is one such.
// Thread-safety: a crew runs once.
#pragma once

#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/walk/claims.h"
#include "engine/schemes/walk/consumed.h"
#include "engine/schemes/walk/epoch_gate.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace hogwild {

class ClaimCrew {
public:
    explicit ClaimCrew(Job& job)
        : job_(job), gate_(job), claims_(job.timeline), lines_(job.plan.threads), consumed_(lines_) {}

    /// Walks the run's chunks, each worker by walker_of(), which it calls itself. Every worker calls begin(worker,
    /// epoch), in order, before each epoch's first chunk, and before epochs of which it has none. false: the run is
    /// interrupted.
    template <class WalkerOf>
    SchemeTotals run(const WalkerOf& walker_of, const std::function<bool(unsigned, std::uint32_t)>& begin) {
        job_.start();
        job_.team.run([&](unsigned worker) {
            auto walker = walker_of();
            walk(worker, walker, begin);
        });
        SchemeTotals totals;
        totals.least_share = consumed_.least_share();
        totals.by_worker = consumed_.each();
        return totals;
    }

private:
    template <class OwnWalker>
    void walk(unsigned worker, OwnWalker& walker, const std::function<bool(unsigned, std::uint32_t)>& begin) {
        const Timeline& timeline = job_.timeline;
        const std::uint64_t chunks = timeline.chunks();
        std::uint32_t begun = 0;
        const auto begin_all = [&](std::uint32_t epochs) {
            while (begun < epochs) {
                if (!begin(worker, begun++)) return false;
            }
            return true;
        };
        const auto claim = [&] {
            const Stretch claimed = job_.interrupted() ? Stretch{} : claims_.stretch(1);
            if (claimed.empty()) return chunks;
            walker.queue(timeline.positions(claimed.begin));
            return claimed.begin;
        };
        for (std::uint64_t g = claim(), next; g < chunks; g = next) {
            next = claim();
            const Positions positions = timeline.positions(g);
            if (!begin_all(positions.epoch + 1) || !gate_.enter(positions.epoch)) return;
            walker.walk(timeline.pace(g));
            consumed_.add(worker, positions.count);
            observe(job_, g, [&] { return consumed_.total(); });
        }
        begin_all(timeline.epochs());
    }

    Job& job_;
    EpochGate gate_;
    Claims claims_;
    std::vector<PublishedCount> lines_;
    Consumed consumed_;
};

} // namespace hogwild
