// DimmWitted's replication of the model. Clusters of workers race, each on a model of its own. All models are averaged
// time and again while everybody steps.
//
// A model for each core, each node or the whole machine is `cluster` 1, a node's cores, or all threads:
// engine/schemes/replicas/cluster_models.h. The whole machine's is Hogwild, one worker serial. Who averages what, and
// when: engine/schemes/replicas/cluster_averages.h. The first cluster's model is observed; the run ends with the
// average. Each of M models takes a step at one sample of M. Its scale of lazy L2 falls with the samples of all, so it
// falls by lambda / M for each of them. For clusters of several sizes that is right for their mean.
//
// Access by columns is a scheme of its own (engine/schemes/columns.cpp). Two parts of the paper are left out: access by
// columns to rows, and full replication of the data. The data sit in memory once, and every epoch's samples are shared
// out to all workers.
// Source: Zhang and Re, "DimmWitted: A Study of Main-Memory Statistical Analytics", VLDB 2014, section 3.
#include "engine/plan/derived/workers.h"
#include "engine/schemes/replicas/cluster_averages.h"
#include "engine/schemes/replicas/replica_crew.h"

namespace hogwild {
namespace {

class Replicated : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

std::string_view lacks(const Plan& plan) { return clusters(plan) > 1 ? kNotExchanged : ""; }
std::uint64_t models(const Plan& plan) { return clusters(plan); }

} // namespace

SchemeTotals Replicated::run(Job& job) { return ReplicaCrew<ClusterAverages>(job).run(); }

constinit const SchemeTraits kReplicatedScheme{
    .name = "replicated",
    .about = "a model per cluster of workers, all of which are averaged while everybody steps",
    .kind = SchemeKind::kAsync,
    .writers = Writers::kRacing,
    .replicas = Replication::kPerCluster,
    .merging = Merging::kAverages,
    .no_telemetry = kClocksOfClusters,
    .lacks = lacks,
    .unsure = unsure_of_claims,
    .models = models,
    .cost = own_model_cost,
    .make = make<Replicated>,
};

} // namespace hogwild
