// CYCLADES: batches of samples whose conflicts are looked at first. Every connected component of conflicts is one
// worker's. So workers step side by side without a conflict, and end with serial's weights, bit for bit.
//
// A round is a batch for each worker, which finds that batch's components and shares them out
// (engine/schemes/conflicts/components.h). Then all walk batch after batch, each its share, with a barrier behind each.
// Who has walked its share of the last batch finds the next round's components while others still walk. A batch ends
// where an epoch, an era or an observation does (engine/order/timeline.h); there all meet.
//
// It pays where samples touch few coordinates and batches are so small that most components are, too. Where every
// sample touches hot coordinates a batch is one component, and one worker walks it. `conflict-free` (conflict_free.cpp)
// has no batches. Its pieces of consecutive samples wait for those earlier ones alone that they conflict with.
// Conflicts are told apart by 1,024 ranges of coordinates.
// Source: Pan et al., "CYCLADES: Conflict-free Asynchronous Machine Learning", NIPS 2016. Its batches are samples drawn at random; here they
// are consecutive in the run's order, each sample once an epoch.
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/conflicts/components.h"
#include "engine/schemes/sync/meeting.h"
#include "engine/schemes/walk/consumed.h"
#include "engine/schemes/walk/epoch_gate.h"
#include "engine/schemes/walk/eras.h"
#include "engine/schemes/walk/start.h"
#include "engine/schemes/walk/walker.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace hogwild {
namespace {

/// Steps through samples that need not be neighbours, with serial's step sizes and scales, bit for bit.
class ShareWalker {
public:
    ShareWalker(const Job& job, WorkerContext& context)
        : job_(job), kernel_(steps_kernel(job, Racy::name, NoGuard::name, job.plan.telemetry)), context_(context) {}

    void walk(std::uint32_t epoch, const BatchShare& share) {
        const Timeline& timeline = job_.timeline;
        const std::span<const std::uint32_t> at = share.positions;
        for (std::size_t begin = 0, end; begin < at.size(); begin = end) {
            const std::uint64_t g = timeline.chunk_of(std::uint64_t{epoch} * timeline.rows() + at[begin]);
            const Positions chunk = timeline.positions(g);
            for (end = begin; end < at.size() && at[end] < chunk.first + chunk.count;) ++end;
            walk(share, begin, end, chunk, timeline.pace(g));
        }
    }

private:
    /// Samples [begin, end) of the share, which lie in one chunk. Where the scale falls, those between them are passed by as serial steps
    /// through them.
    void walk(const BatchShare& share, std::size_t begin, std::size_t end, const Positions& chunk, const Pace& pace) {
        if (pace.decay == 1) return step(share, begin, end, chunk.epoch, pace, 1 / pace.scale);
        const double inverse_decay = 1 / pace.decay;
        Pace now = pace;
        double inverse = 1 / pace.scale;
        std::uint32_t passed = chunk.first;
        for (std::size_t next; begin < end; begin = next) {
            for (; passed < share.positions[begin]; ++passed) {
                now.scale *= pace.decay;
                inverse *= inverse_decay;
            }
            for (next = begin + 1; next < end && share.positions[next] == share.positions[next - 1] + 1;) ++next;
            step(share, begin, next, chunk.epoch, now, inverse);
        }
    }

    void step(const BatchShare& share, std::size_t begin, std::size_t end, std::uint32_t epoch, const Pace& pace,
              double inverse) {
        Chunk chunk{};
        chunk.samples = share.samples.data() + begin;
        chunk.count = static_cast<std::uint32_t>(end - begin);
        chunk.ahead = static_cast<std::uint32_t>(std::min<std::size_t>(share.samples.size() - end, Chunk::kMostAhead));
        chunk.primed = begin > 0;
        chunk.weights = job_.buffer.data();
        chunk.scale = pace.scale;
        chunk.inverse = inverse;
        chunk.decay = pace.decay;
        chunk.skip = 1;
        chunk.step = pace.step;
        chunk.epoch = epoch;
        chunk.seed = job_.plan.seed;
        chunk.batch = 1;
        kernel_(job_.data, chunk, context_);
    }

    const Job& job_;
    Kernels::Steps kernel_;
    WorkerContext& context_;
};

class BatchCrew {
public:
    explicit BatchCrew(Job& job)
        : job_(job),
          workers_(job.plan.threads),
          batch_(std::min(job.plan.batch.size, job.timeline.rows())),
          gate_(job),
          first_(first_chunk(job)),
          eras_(job, workers_, first_.walked),
          barrier_(workers_, job.yields, &job.team.failed()),
          lines_(workers_),
          consumed_(lines_),
          places_(workers_),
          waited_(workers_) {
        consumed_.set(0, first_.updates);
    }

    SchemeTotals run() {
        job_.team.run([&](unsigned worker) { // no page fault on the clock, and each worker's memory on its node
            Place& place = places_[worker];
            place.finder.emplace(job_.plan.order, job_.data, job_.plan.seed, batch_);
            for (std::optional<BatchShares>& shares : place.shares) shares.emplace(workers_, batch_);
        });
        SchemeTotals totals;
        job_.start();
        job_.team.run([&](unsigned worker) {
            Eras::Visitor era(eras_, worker);
            Meeting meeting(job_, barrier_, worker);
            work(worker, era, meeting);
            era.reach(job_.timeline.chunks());
            if (worker == 0) totals.rebases = era.passed();
            waited_[worker] = meeting.waited();
        });
        totals.by_worker = consumed_.each();
        totals.wait_seconds = 0;
        for (const double seconds : waited_) totals.wait_seconds += seconds / workers_;
        totals.final_scale = job_.timeline.scale_after(job_.timeline.chunks() - 1);
        return totals;
    }

private:
    struct alignas(64) Place {
        std::optional<ComponentFinder> finder;
        std::array<std::optional<BatchShares>, 2> shares; // of its batch of this round, and of the next one
    };

    void work(unsigned worker, Eras::Visitor& era, Meeting& meeting) {
        const Timeline& timeline = job_.timeline;
        ShareWalker walker(job_, job_.contexts[worker]);
        unsigned round = 0;
        for (std::uint64_t g = first_.chunk; g < timeline.chunks(); g = timeline.stretch_end(g)) {
            const std::uint32_t epoch = timeline.positions(g).epoch;
            const std::uint64_t end = timeline.updates_after(timeline.stretch_end(g) - 1);
            era.reach(timeline.epoch_start(g));
            if (worker == 0) stop_ = job_.interrupted() || !gate_.enter(epoch);
            era.reach(g);
            for (std::uint64_t begin = timeline.updates_before(g); begin < end;
                 begin += batch_ * std::uint64_t{workers_}) {
                if (worker == 0 && !stop_) stop_ = job_.interrupted();
                find(worker, begin + batch_ * std::uint64_t{worker}, end, epoch, round);
                meeting.wait();
                if (stop_) return;
                for (unsigned w = 0; w < workers_ && begin + batch_ * std::uint64_t{w} < end; ++w) {
                    if (w > 0) meeting.wait();
                    const BatchShare share = places_[w].shares[round % 2]->of(worker);
                    walker.walk(epoch, share);
                    consumed_.add(worker, share.samples.size());
                }
                ++round;
            }
            meeting.wait();
            // The others may be finding components by now, and wait for this one before they step.
            if (worker == 0) observe(job_, timeline.stretch_end(g) - 1, [&] { return consumed_.total(); });
        }
    }

    /// Finds the components of the batch that begins with this sample of the run, if it lies before `end`.
    void find(unsigned worker, std::uint64_t first, std::uint64_t end, std::uint32_t epoch, unsigned round) {
        if (first >= end) return;
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(batch_, end - first));
        Place& place = places_[worker];
        place.finder->find(epoch, static_cast<std::uint32_t>(first % job_.timeline.rows()), count,
                           *place.shares[round % 2]);
    }

    Job& job_;
    unsigned workers_;
    std::uint32_t batch_;
    EpochGate gate_;
    FirstChunk first_;
    Eras eras_;
    SpinBarrier barrier_;
    // Written by worker 0 before a barrier and read by all after it. Between two writes of a stretch there is another
    // barrier, or no batch.
    bool stop_ = false;
    std::vector<PublishedCount> lines_;
    Consumed consumed_;
    std::vector<Place> places_;
    std::vector<double> waited_;
};

class Cyclades : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

/// The components of each worker's batch.
std::uint64_t component_bytes(const Plan& plan, const AnyView& data, const Kernels&) {
    return (std::uint64_t{data.groups()} + 11 * std::min<std::uint64_t>(plan.batch.size, data.rows())) *
           sizeof(std::uint32_t) * plan.threads;
}

} // namespace

SchemeTotals Cyclades::run(Job& job) { return BatchCrew(job).run(); }

constinit const SchemeTraits kCycladesScheme{
    .name = "cyclades",
    .about = "conflict-free batch by batch: every connected component of a batch's conflicts is one worker's",
    .kind = SchemeKind::kSync,
    .writers = Writers::kDisjoint,
    .batches = true,
    .usual_batch = 1024,
    .no_telemetry = kNoConcurrentWriters,
    .bytes = component_bytes,
    .make = make<Cyclades>,
};

} // namespace hogwild
