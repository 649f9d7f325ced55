// Access by columns: asynchronous coordinate descent, a coordinate's whole column a step (engine/schemes/column_descent.h).
//
// Samples are turned about, columns for rows, before the clock starts, as they are read and shuffled before. Model and margins are the
// machine's, one of each. Without L2 a coordinate that no sample has stays where it is.
//
// Not of the hinge: where its kinks meet, F is least along every coordinate by itself and not along several together, so that
// exact steps stop short of the minimum, and steps by subgradients need falling sizes, and no bound says which. Its dual, which has no
// kinks, is what solvers of it step on (engine/optimum/dual_descent.h).
// Sources: Zhang and Re, "DimmWitted", VLDB 2014, section 3 (access methods); the others are those of kernels/steps/column_steps.h.
#include "engine/schemes/column_descent.h"

namespace hogwild {

SchemeTotals Columns::run(Job& job) {
    return with_real_of(job.buffer, [&]<class Real>(Real) { return ColumnDescent<Real>(job).run(); });
}

} // namespace hogwild
