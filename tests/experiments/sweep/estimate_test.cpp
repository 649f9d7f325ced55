#include "experiments/sweep/estimate.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

/// Seconds that a delay of 1 ms adds to two epochs of 1,000 samples on 8 cores.
double added(const std::string& scheme, const std::string& guard, unsigned threads) {
    Plan plan;
    plan.scheme = scheme;
    plan.guard = guard;
    plan.threads = threads;
    plan.epochs = 2;
    const double without = predicted_seconds(plan, 1'000, 40'000, 8);
    plan.delay = 1e-3;
    return predicted_seconds(plan, 1'000, 40'000, 8) - without;
}

} // namespace

TEST_CASE("a delay of each gradient is waited for by all threads at once, but not by those that wait for a lock") {
    CHECK(added("serial", "none", 1) == doctest::Approx(2));
    CHECK(added("hogwild", "none", 4) == doctest::Approx(0.5));
    CHECK(added("hogwild", "none", 32) == doctest::Approx(0.25));
    CHECK(added("round-robin", "none", 4) == doctest::Approx(0.5));
    CHECK(added("hogwild", "locked", 4) == doctest::Approx(0.5));
    CHECK(added("hogwild", "locked-read", 4) == doctest::Approx(2));
    CHECK(added("hogwild", "global-lock", 4) == doctest::Approx(2));
}

TEST_CASE("twice the data take twice the time, but for a process's start") {
    const auto seconds = [](std::uint64_t rows) { return predicted_seconds(Plan{}, rows, 70 * rows, 2); };
    const double start = seconds(0);
    CHECK(seconds(2'000'000) - start == doctest::Approx(2 * (seconds(1'000'000) - start)));
    CHECK(start < 0.1);
}
