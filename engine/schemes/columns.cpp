// Access by columns: asynchronous coordinate descent, a coordinate's whole column a step (engine/schemes/column_descent.h).
//
// Samples are turned about, columns for rows, before the clock starts, as they are read and shuffled before. Model and margins are the
// machine's, one of each. Without L2 a coordinate that no sample has stays where it is.
//
// The hinge is refused. Where its kinks meet, F is least along every coordinate by itself and not along several
// together. So exact steps stop short of the minimum. Steps by subgradients need falling sizes, and no bound says
// which. Its dual, which has no kinks, is what solvers of it step on (engine/optimum/dual_descent.h).
// Sources: Zhang and Re, "DimmWitted", VLDB 2014, section 3 (access methods); the others are those of kernels/steps/column_steps.h.
#include "engine/schemes/column_descent.h"

#include "engine/data/sparse/transpose.h"
#include "engine/plan/choices.h"
#include "engine/schemes/all.h"

namespace hogwild {
namespace {

class Columns : public Scheme {
public:
    SchemeTotals run(Job& job) override;
};

std::string_view lacks(const Plan&) { return "margins, as roundings left them, are in no snapshot"; }

std::uint64_t turned_bytes(const Plan&, const AnyView& data, const Kernels&) {
    return transposed_bytes(data.as<SparseView>());
}

double cost(const Plan& plan, double threads) {
    return (update_traits(plan).adds() ? 11 : threads > 1 ? 6 : 4) / threads;
}

} // namespace

SchemeTotals Columns::run(Job& job) {
    return with_real_of(job.buffer, [&]<class Real>(Real) { return ColumnDescent<Real>(job).run(); });
}

constinit const SchemeTraits kColumnsScheme{
    .name = "columns",
    .about = "coordinate descent: workers claim coordinates, each of which steps by its column of the samples and "
             "their margins",
    .kind = SchemeKind::kAsync,
    .writers = Writers::kRacing,
    .steps_on = StepsOn::kColumns,
    .updates = UpdateChoice::kMargins,
    .no_telemetry = kNoProbes,
    .lacks = lacks,
    .bytes = turned_bytes,
    .cost = cost,
    .make = make<Columns>,
};

} // namespace hogwild
