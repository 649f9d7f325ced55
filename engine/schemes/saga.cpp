// SAGA on one shared buffer. A sample's step goes by its slope less its last one, plus the mean of all last ones
// (kernels/steps/variance_reduction.h). No worker waits for another.
//
// Weights are racy: one that is overwritten is stepped on again. Slopes are exchanged, and their mean is added to, atomically: it
// stays the mean of the slopes that are remembered, to rounding. A slope is 0 until its sample is visited, which is a memory as good as any.
// An update is a step on one sample, of one slope.
// Source: Leblond, Pedregosa, Lacoste-Julien, "ASAGA: Asynchronous Parallel SAGA", AISTATS 2017; with L1, Pedregosa, Leblond,
// Lacoste-Julien, "Breaking the nonsmooth barrier", NIPS 2017.
#include "engine/plan/plan.h"
#include "engine/schemes/all.h"
#include "engine/schemes/kernels/corrected_kernels.h"
#include "engine/schemes/kernels/corrected_model.h"
#include "engine/schemes/kernels/real_of.h"
#include "engine/schemes/walk/claim_crew.h"
#include "engine/schemes/walk/walker.h"

namespace hogwild {
namespace {

class Saga : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

std::uint64_t models(const Plan&) { return 3; }
double cost(const Plan&, double threads) { return threads > 1 ? 12 : 1.5 * kStepCost; }

} // namespace

SchemeTotals Saga::run(Job& job) {
    return with_real_of(job.buffer, [&]<class Real>(Real) {
        const CorrectedModel<Real> model(job);
        const CorrectedKernels<Real>& kernels = corrected_kernels<Real>(job.plan.problem);
        const auto& forms = job.plan.threads == 1 ? kernels.at_visit : kernels.at_visit_of_many;
        const auto steps = forms[static_cast<std::size_t>(job.lanes)];
        const auto& data = job.data.as<SparseView>();
        const auto walker = [&] {
            return Walker(job, [&](const Chunk& chunk) { steps(data, chunk, model.memory()); });
        };
        return ClaimCrew(job).run(walker, [](unsigned, std::uint32_t) { return true; });
    });
}

constinit const SchemeTraits kSagaScheme{
    .name = "saga",
    .about = "steps on the one buffer, less what each sample's gradient was when it was visited last",
    .kind = SchemeKind::kAsync,
    .writers = Writers::kRacing,
    .steps_on = StepsOn::kSlopes,
    .no_telemetry = kNoProbes,
    .lacks = remembered_slopes,
    .models = models,
    .cost = cost,
    .make = make<Saga>,
};

} // namespace hogwild
