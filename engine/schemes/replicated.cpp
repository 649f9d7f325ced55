// DimmWitted's replication of the model: clusters of workers, each racing on a model of its own, all of which are averaged time and again
// while everybody steps.
//
// A model for each core, each node or the whole machine is `cluster` 1, a node's cores, or all threads: engine/schemes/replicas/cluster_models.h.
// The whole machine's is Hogwild, one worker serial. Who averages what, and when: engine/schemes/replicas/cluster_averages.h.
// The first cluster's model is observed; the run ends with the average. Of M models each takes a step at one sample of M, so their scale of
// lazy L2, which falls with the samples of all, falls by lambda / M of them; of clusters of several sizes that is right for their mean.
//
// Access by columns is a scheme of its own (engine/schemes/columns.cpp). Not built of the paper: access by columns to rows; full replication
// of the data, which sits in memory once, and of which every epoch's samples are shared out to all workers.
// Source: Zhang and Re, "DimmWitted: A Study of Main-Memory Statistical Analytics", VLDB 2014, section 3.
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
