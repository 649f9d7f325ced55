// Laws of the rows of problems (engine/plan/problem_traits.h).
#include "engine/plan/problem_traits.h"

#include "kernels/catalog.h"
#include "kernels/kernels.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hogwild;

TEST_CASE("every problem of the catalog has a row, in its order, which says what its kernels do") {
    CHECK(std::ranges::equal(all_problems(), catalog::names<Problems>, {}, &ProblemTraits::name));
    for (const ProblemTraits& row : all_problems()) {
        CAPTURE(row.name);
        CHECK(&problem_traits(row.name) == &row);
        const auto same = [&]<class P>(P) {
            const Kernels& kernels = kernels_of<P>();
            CHECK(row.takes_network == kernels.takes_network);
            CHECK(row.takes_batches == kernels.takes_batches);
            CHECK(row.shrinks_all == kernels.shrinks_all);
            CHECK(row.parameters.data() == kernels.parameters.data());
        };
        with_problem(row.name, same);
        CHECK_FALSE(row.scores.empty());
        CHECK((!row.convex || !is_linear(row.name))); // linear problems are convex anyway
        CHECK(row.usual_l2(10) >= 0);
    }
}

TEST_CASE("a name that no problem has takes nothing") {
    const ProblemTraits& none = problem_traits("nothing");
    CHECK(none.name.empty());
    CHECK(none.parameters.empty());
    CHECK(none.scores.empty());
    CHECK_FALSE((none.takes_network || none.takes_batches || none.touches_all || none.guided || none.runs_on_gpu));
}

TEST_CASE("the usual L2 of sparse rows is one over their number, that of ratings goes with their deviation") {
    CHECK(problem_traits("hinge").usual_l2(50) == 1.0 / 50);
    CHECK(problem_traits("hinge").usual_l2(50, 3) == 1.0 / 50);
    CHECK(problem_traits("hinge").usual_l2(0) == 1);
    CHECK(problem_traits("factorization").usual_l2(50, 3) == 3 * problem_traits("factorization").usual_l2(7));
}
