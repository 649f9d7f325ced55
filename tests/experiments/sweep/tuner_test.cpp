#include "experiments/sweep/tuner.h"

#include <doctest/doctest.h>

#include <vector>

using namespace hogwild;

namespace {

const Watched kLoss, kFalling{0, false}, kRising{0, true};

Ended reached(double seconds) { return {"", "done", "", 0, seconds, 0.3}; }
Ended missed(double loss) { return {"", "done", "", 0, std::nullopt, loss}; }
Ended scored(double score, double loss) { return {"", "done", "", 0, std::nullopt, loss, score}; }
const Ended kDiverged{"", "diverged", "", 0, std::nullopt, std::nullopt};

std::size_t best_of(const std::vector<std::vector<Ended>>& trials, const Watched& target) {
    return ranked(trials, target).front();
}

} // namespace

TEST_CASE("the best candidate has the smallest median time to target, where a miss takes forever") {
    CHECK(best_of({{reached(3), reached(1), reached(2)}, {reached(1), reached(1.5), reached(9)}}, kLoss) == 1);
    CHECK(best_of({{reached(1), missed(0.2), missed(0.2)}, {reached(8), reached(9), missed(0.4)}}, kLoss) == 1);
}

TEST_CASE("among candidates that mostly miss the lower median loss is better, and what diverged is worse than all") {
    CHECK(best_of({{missed(0.5), missed(0.4), reached(1)}, {missed(0.3), missed(0.45), missed(0.9)}}, kLoss) == 0);
    CHECK(best_of({{kDiverged, kDiverged, reached(1)}, {missed(0.3), missed(0.35), missed(0.9)}}, kLoss) == 1);
}

TEST_CASE("where the target is of a score, those that mostly miss are told by it, whatever their loss") {
    CHECK(best_of({{scored(1.2, 0.1)}, {scored(0.98, 0.4)}, {scored(1.0, 0.2)}}, kFalling) == 1);
    CHECK(best_of({{scored(0.2, 0.1)}, {scored(0.5, 0.4)}, {scored(0.4, 0.2)}}, kRising) == 1);
    CHECK(best_of({{kDiverged}, {scored(-0.1, 0.9)}}, kRising) == 1);
    CHECK(best_of({{kDiverged}, {scored(9, 0.9)}}, kFalling) == 1);
    CHECK(best_of({{scored(0.5, 0.1)}, {reached(7)}}, kRising) == 1);
}

TEST_CASE("of equals the first is taken") { CHECK(best_of({{reached(1)}, {reached(1)}}, kLoss) == 0); }

TEST_CASE("candidates are ranked whole, and of equals in their order") {
    CHECK(ranked({{reached(3)}, {missed(0.2)}, {reached(1)}, {kDiverged}, {reached(1)}, {missed(0.1)}}, kLoss) ==
          std::vector<std::size_t>{2, 4, 0, 5, 1, 3});
}
