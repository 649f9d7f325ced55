// Laws of the rows of optimisers (engine/plan/optimizer_traits.h).
#include "engine/plan/optimizer_traits.h"

#include "kernels/catalog.h"
#include "kernels/network/optimizer.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hogwild;

TEST_CASE("every optimiser of the registry has a row, in its order; a name that none has takes nothing") {
    CHECK(std::ranges::equal(all_optimizers(), catalog::names<Optimizers>, {}, &OptimizerTraits::name));
    for (const OptimizerTraits& row : all_optimizers()) {
        CAPTURE(row.name);
        CHECK(&optimizer_traits(row.name) == &row);
        CHECK((row.usual_beta2 > 0 && row.usual_beta2 < 1));
        CHECK((row.state || !row.beta1)); // what is kept is kept somewhere
        CHECK((row.state || !row.beta2));
    }
    const OptimizerTraits& none = optimizer_traits("nothing");
    CHECK_FALSE((none.state || none.beta1 || none.beta2));
}
