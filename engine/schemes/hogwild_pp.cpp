// HogWild++: clusters of workers, each racing on a model of its own, on a ring round which a token goes. The cluster
// that has it exchanges with the next.
//
// Inside a cluster it is Hogwild, racy. Which workers make one: engine/schemes/replicas/cluster_models.h; what is exchanged and when, and where that
// differs from what was published: engine/schemes/replicas/token_ring.h. No model is the ring's: the first cluster's is observed, and the run
// ends with the ring's total. One cluster is Hogwild, one worker serial.
// Source: Zhang, Hsieh, Akella, "HogWild++: A New Mechanism for Decentralized Asynchronous Stochastic Gradient Descent", ICDM 2016.
#include "engine/plan/derived/workers.h"
#include "engine/schemes/replicas/replica_crew.h"
#include "engine/schemes/replicas/token_ring.h"

namespace hogwild {
namespace {

class HogwildPp : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

std::string_view lacks(const Plan& plan) { return clusters(plan) > 1 ? kNotExchanged : ""; }
std::uint64_t models(const Plan& plan) { return 2 * clusters(plan); }

} // namespace

SchemeTotals HogwildPp::run(Job& job) { return ReplicaCrew<TokenRing>(job).run(); }

constinit const SchemeTraits kHogwildPpScheme{
    .name = "hogwild++",
    .about = "a model per cluster of workers, on a ring round which a token goes: who has it exchanges with the next",
    .kind = SchemeKind::kAsync,
    .writers = Writers::kRacing,
    .replicas = Replication::kPerCluster,
    .merging = Merging::kExchanges,
    .no_telemetry = kClocksOfClusters,
    .lacks = lacks,
    .unsure = unsure_of_claims,
    .models = models,
    .cost = own_model_cost,
    .make = make<HogwildPp>,
};

} // namespace hogwild
