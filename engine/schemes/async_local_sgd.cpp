// Asynchronous local SGD. Every worker steps on a replica of its own, and exchanges increments with the one shared
// model. It does so without a barrier and without waiting for anybody.
//
// Workers claim chunks as under Hogwild. Steps touch memory that no other core does; what is exchanged, when, and how increments
// of several workers come together say engine/schemes/replicas/shared_model.h and kernels/exchange/sequential_share.h. The shared model is what is
// observed and what the run ends with, when all have given it what they had. One worker has nobody to exchange with: it steps on the
// shared model itself, which is serial's path.
// At the end of its share of a pass a worker exchanges everything. Then the shared model has each sample once, but for
// what is on its way. Where an era of the L2 scale ends (engine/order/timeline.h) all increments come together first.
// On a GPU a team is a worker, and exchanges by itself (kernels/cuda/network/team_replica.cuh): streams claim what teams step on, as
// under Hogwild.
// Sources: Zhang, Choromanska, LeCun, "Deep learning with elastic averaging SGD", NIPS 2015; Zhang, Hsieh, Akella, "HogWild++",
// ICDM 2016; the share of increments is this engine's.
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/replicas/replica_crew.h"
#include "engine/schemes/replicas/shared_model.h"

#include <optional>
#include <vector>

namespace hogwild {
namespace {

class Replicas {
public:
    explicit Replicas(Job& job) : job_(job), model_(job), replicas_(job.plan.threads) {}

    void begin(unsigned worker) {
        if (replicas_.size() > 1) replicas_[worker].emplace(model_, worker).begin();
    }

    float* weights(unsigned worker) { return replicas_[worker] ? replicas_[worker]->weights() : job_.buffer.data(); }

    void stepped(unsigned worker, std::uint32_t samples, double step) {
        if (replicas_[worker]) replicas_[worker]->stepped(samples, step);
    }

    void passed(unsigned worker, double step) {
        if (replicas_[worker]) replicas_[worker]->passed(step);
    }

    void leave(unsigned worker, double step) {
        if (replicas_[worker]) replicas_[worker]->give_all(step);
    }

    void rescale(unsigned worker, float factor) {
        const CoordinateRange range = slice(job_.buffer.size(), worker, job_.plan.threads);
        job_.buffer.rescale(range.begin, range.end, factor);
    }

    /// Gives nothing: takes the rescaled model.
    void enter(unsigned worker, double step) { leave(worker, step); }

    std::vector<ExchangeCounts> exchanges() const {
        std::vector<ExchangeCounts> counts(replicas_.size());
        for (std::size_t w = 0; w < counts.size(); ++w)
            if (replicas_[w]) counts[w] = replicas_[w]->counts();
        return counts;
    }

private:
    Job& job_;
    SharedModel model_;
    std::vector<std::optional<Replica>> replicas_;
};

class AsyncLocalSgd : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

std::string_view lacks(const Plan& plan) { return plan.threads > 1 ? kNotExchanged : ""; }
std::uint64_t models(const Plan& plan) { return 2 * cpu_workers(plan) + 1; }

} // namespace

SchemeTotals AsyncLocalSgd::run(Job& job) {
    return job.gpu != nullptr ? kHogwildScheme.make()->run(job) : ReplicaCrew<Replicas>(job).run();
}

constinit const SchemeTraits kAsyncLocalSgdScheme{
    .name = "async-local-sgd",
    .about = "a replica per worker, which exchanges increments with the one buffer and waits for nobody",
    .kind = SchemeKind::kAsync,
    .writers = Writers::kOwn,
    .replicas = Replication::kPerWorker,
    .merging = Merging::kExchanges,
    .on_gpu = OnGpu::kTeams,
    .no_telemetry = kNoConcurrentWriters,
    .lacks = lacks,
    .models = models,
    .cost = own_model_cost,
    .make = make<AsyncLocalSgd>,
};

} // namespace hogwild
