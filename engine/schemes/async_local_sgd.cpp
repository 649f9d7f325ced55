// Asynchronous local SGD: every worker steps on a replica of its own, and exchanges increments with the one shared model, without a
// barrier and without waiting for anybody.
//
// Workers claim chunks as under Hogwild. Steps touch memory that no other core does; what is exchanged, when, and how increments
// of several workers come together say engine/schemes/shared_model.h and kernels/sequential_share.h. The shared model is what is
// observed and what the run ends with, when all have given it what they had. One worker has nobody to exchange with: it steps on the
// shared model itself, which is serial's path.
// Where an era of the L2 scale ends (engine/timeline.h) all increments come together first.
// Sources: Zhang, Choromanska, LeCun, "Deep learning with elastic averaging SGD", NIPS 2015; Zhang, Hsieh, Akella, "HogWild++",
// ICDM 2016; the share of increments is this engine's.
#include "engine/schemes/all.h"
#include "engine/schemes/claims.h"
#include "engine/schemes/consumed.h"
#include "engine/schemes/eras.h"
#include "engine/schemes/shared_model.h"
#include "engine/schemes/start.h"
#include "engine/schemes/walker.h"

#include <optional>
#include <vector>

namespace hogwild {
namespace {

class ReplicaCrew {
public:
    explicit ReplicaCrew(Job& job)
        : job_(job),
          gate_(job),
          first_(first_chunk(job)),
          eras_(job, job.plan.threads, first_.walked),
          claims_(job.timeline, first_.chunk),
          lines_(job.plan.threads),
          consumed_(lines_),
          model_(job),
          replicas_(job.plan.threads) {
        consumed_.set(0, first_.updates);
    }

    SchemeTotals run() {
        if (job_.plan.threads > 1)
            job_.team.run([&](unsigned worker) { replicas_[worker].emplace(model_, worker).begin(); });
        job_.start();
        job_.team.run([&](unsigned worker) { walk(worker); });
        totals_.least_share = consumed_.least_share();
        totals_.final_scale = job_.timeline.scale_after(job_.timeline.chunks() - 1);
        return totals_;
    }

private:
    void walk(unsigned worker) {
        Walker walker(job_, steps_kernel(job_, Racy::name, NoGuard::name, job_.plan.telemetry), job_.contexts[worker]);
        std::optional<Replica>& replica = replicas_[worker];
        if (replica) walker.use(replica->weights());
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
            const bool meets = replica && era.due(g);
            if (meets) replica->give_all(step);
            era.reach(timeline.epoch_start(g));
            if (!gate_.enter(positions.epoch)) break;
            era.reach(g);
            if (meets) replica->give_all(step); // nothing: takes the rescaled model
            const Pace pace = timeline.pace(g);
            step = pace.step;
            walker.walk(pace);
            if (replica) replica->stepped(positions.count, step);
            consumed_.add(worker, positions.count);
            observe(job_, g, [&] { return consumed_.total(); });
        }
        if (replica) replica->give_all(step);
        era.reach(chunks);
        if (worker == 0) totals_.rebases = era.passed();
    }

    Job& job_;
    EpochGate gate_;
    FirstChunk first_;
    Eras eras_;
    Claims claims_;
    std::vector<PublishedCount> lines_;
    Consumed consumed_;
    SharedModel model_;
    std::vector<std::optional<Replica>> replicas_;
    SchemeTotals totals_;
};

} // namespace

SchemeTotals AsyncLocalSgd::run(Job& job) { return ReplicaCrew(job).run(); }

} // namespace hogwild
