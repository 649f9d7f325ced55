// Conflict-free: lock-free SGD with serial's weights, bit for bit. Workers step side by side on samples that touch no coordinate in
// common, and one after the other, in serial's order, on those that do.
//
// A window over the run's order says which those are. It is one of tiles (engine/schemes/conflicts/tile_window.h), or
// of pieces that list what they touch (engine/schemes/conflicts/window.h). It pays where samples touch few coordinates
// and their order keeps neighbours apart from those behind them, as tiles of ratings do. Where every sample touches hot
// coordinates one worker walks and the others wait.
// Sources: Gemulla et al., "Large-Scale Matrix Factorization with Distributed Stochastic Gradient Descent", KDD 2011
// (strata of blocks). Pan et al., "CYCLADES: Conflict-free Asynchronous Machine Learning", NIPS 2016 (serial
// equivalence).
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/conflicts/conflicts.h"
#include "engine/schemes/conflicts/tile_window.h"
#include "engine/schemes/conflicts/window.h"
#include "engine/schemes/walk/consumed.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/eras.h"
#include "engine/schemes/walk/start.h"
#include "engine/schemes/walk/walker.h"
#include "kernels/spin_wait.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace hogwild {
namespace {

using Clock = std::chrono::steady_clock;

template <class Window>
class Crew {
public:
    /// make(first): a window from sample `first` of the run on.
    Crew(Job& job, const auto& make)
        : job_(job),
          timeline_(job.timeline),
          gate_(job),
          first_(first_chunk(job)),
          eras_(job, job.plan.threads, first_.walked),
          window_(make(first_.updates)),
          lines_(job.plan.threads),
          consumed_(lines_),
          waited_(job.plan.threads) {
        consumed_.set(0, first_.updates);
    }

    SchemeTotals run() {
        SchemeTotals totals;
        job_.start();
        job_.team.run([&](unsigned worker) {
            Eras::Visitor era(eras_, worker);
            work(worker, era);
            era.reach(timeline_.chunks());
            if (worker == 0) totals.rebases = era.passed();
        });
        totals.by_worker = consumed_.each();
        totals.wait_seconds = 0;
        for (const Clock::duration waited : waited_)
            totals.wait_seconds += std::chrono::duration<double>(waited).count() / job_.plan.threads;
        totals.final_scale = timeline_.scale_after(timeline_.chunks() - 1);
        return totals;
    }

private:
    using Piece = typename Window::Piece;

    void work(unsigned worker, Eras::Visitor& era) {
        Walker walker(job_, steps_kernel(job_, Racy::name, NoGuard::name, job_.plan.telemetry), job_.contexts[worker]);
        while (true) {
            // Before anything of it is claimed: others may wait there for this worker.
            const std::uint64_t stretch = window_.stretch();
            const std::uint64_t g = timeline_.chunk_of(stretch);
            if (g >= timeline_.chunks()) return;
            era.reach(timeline_.epoch_start(g));
            if (job_.interrupted() || !gate_.enter(timeline_.positions(g).epoch)) return;
            era.reach(g);
            while (true) {
                const Piece piece = next_piece(worker, stretch);
                if (piece.empty()) break;
                walk(walker, piece.positions);
                consumed_.add(worker, piece.positions.count);
                if (window_.done(piece)) observe(job_, timeline_.stretch_end(g) - 1, [&] { return consumed_.total(); });
            }
        }
    }

    /// Waits for one that is ready. Empty: the stretch has been walked, or the run is interrupted.
    Piece next_piece(unsigned worker, std::uint64_t stretch) {
        Piece piece = window_.claim(stretch, worker);
        if (!piece.empty() || window_.stretch() != stretch) return piece;
        const Clock::time_point begun = Clock::now();
        for (SpinWait wait(job_.yields); piece.empty() && window_.stretch() == stretch && !job_.interrupted();) {
            wait.pause();
            piece = window_.claim(stretch, worker);
        }
        waited_[worker] += Clock::now() - begun;
        return piece;
    }

    /// By parts that lie within chunks.
    void walk(Walker& walker, const Positions& piece) {
        const std::uint64_t before = std::uint64_t{piece.epoch} * timeline_.rows() + piece.first;
        const auto part = [&](std::uint32_t done) {
            const std::uint64_t g = timeline_.chunk_of(before + done);
            const auto left = static_cast<std::uint32_t>(timeline_.updates_after(g) - (before + done));
            return Positions{piece.epoch, piece.first + done, std::min(left, piece.count - done)};
        };
        walker.queue(part(0));
        for (std::uint32_t done = 0; done < piece.count;) {
            const std::uint32_t count = part(done).count;
            if (done + count < piece.count) walker.queue(part(done + count));
            walker.walk(timeline_.pace(timeline_.chunk_of(before + done)));
            done += count;
        }
    }

    Job& job_;
    const Timeline& timeline_;
    EpochGate gate_;
    FirstChunk first_;
    Eras eras_;
    Window window_;
    std::vector<PublishedCount> lines_;
    Consumed consumed_;
    std::vector<Clock::duration> waited_;
};

class ConflictFree : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// A window of samples, and what was consumed during the copy.
std::uint64_t unsure(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot) {
    return (lies_in_tiles(plan.problem) ? rows : ConflictWindow::kMostSamples) + snapshot.consumed;
}

} // namespace

SchemeTotals ConflictFree::run(Job& job) {
    const Plan& plan = job.plan;
    if (orders_tiles(plan.order, job.data)) {
        const SampleOrder order = sample_order(plan.order, job.data, plan.seed);
        const auto window = [&](std::uint64_t first) { return TileWindow(job.timeline, order, first, plan.threads); };
        return Crew<TileWindow>(job, window).run();
    }
    Conflicts conflicts(job.timeline, plan.order, job.data, plan.seed);
    const auto window = [&](std::uint64_t first) { return ConflictWindow(job.timeline, conflicts, first, job.yields); };
    return Crew<ConflictWindow>(job, window).run();
}

constinit const SchemeTraits kConflictFreeScheme{
    .name = "conflict-free",
    .about = "side by side only what touches nothing in common: serial's weights",
    .kind = SchemeKind::kSync,
    .writers = Writers::kDisjoint,
    .no_telemetry = kNoConcurrentWriters,
    .unsure = unsure,
    .make = make<ConflictFree>,
};

} // namespace hogwild
