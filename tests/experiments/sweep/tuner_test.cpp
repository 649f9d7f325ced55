#include "experiments/sweep/tuner.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

Ended reached(double seconds) { return {"", "done", "", 0, seconds, 0.3}; }
Ended missed(double loss) { return {"", "done", "", 0, std::nullopt, loss}; }
const Ended kDiverged{"", "diverged", "", 0, std::nullopt, std::nullopt};

} // namespace

TEST_CASE("the best candidate has the smallest median time to target, where a miss takes forever") {
    CHECK(best_of({{reached(3), reached(1), reached(2)}, {reached(1), reached(1.5), reached(9)}}) == 1);
    CHECK(best_of({{reached(1), missed(0.2), missed(0.2)}, {reached(8), reached(9), missed(0.4)}}) == 1);
}

TEST_CASE("among candidates that mostly miss the lower median loss is better, and what diverged is worse than all") {
    CHECK(best_of({{missed(0.5), missed(0.4), reached(1)}, {missed(0.3), missed(0.45), missed(0.9)}}) == 0);
    CHECK(best_of({{kDiverged, kDiverged, reached(1)}, {missed(0.3), missed(0.35), missed(0.9)}}) == 1);
}

TEST_CASE("of equals the first is taken") { CHECK(best_of({{reached(1)}, {reached(1)}}) == 0); }
