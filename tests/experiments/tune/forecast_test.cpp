#include "experiments/tune/forecast.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace hogwild;

namespace {

template <class Loss>
std::vector<Observation> observed(double until, const Loss& loss) {
    std::vector<Observation> all;
    for (double seconds = 0; seconds <= until; seconds += 0.125) {
        Observation each;
        each.seconds = seconds;
        each.train_loss = loss(seconds);
        each.scores[0] = loss(seconds);
        all.push_back(each);
    }
    return all;
}

} // namespace

TEST_CASE("a gap that halves each second reaches a thousandth after ten, however little of it was seen") {
    for (const double until : {0.125, 1.0, 4.0}) {
        const auto run = observed(until, [](double seconds) { return 0.25 + std::exp2(-seconds); });
        CHECK(forecast(run, 0.25 + 0x1p-10, 0.25, {}) == doctest::Approx(10));
    }
}

TEST_CASE("without an optimum, and of scores that fall or rise, the way is straight") {
    const auto falling = observed(1, [](double seconds) { return 1 - seconds / 8; });
    CHECK(forecast(falling, 0.5, kNone, {}) == doctest::Approx(4));
    CHECK(forecast(falling, 0.5, 0.25, {.score = 0, .rising = false}) == doctest::Approx(4));
    const auto rising = observed(1, [](double seconds) { return seconds / 8; });
    CHECK(forecast(rising, 0.5, kNone, {.score = 0, .rising = true}) == doctest::Approx(4));
}

TEST_CASE("who gets no better never gets there, and the best observation counts, not the last") {
    CHECK(std::isinf(forecast({}, 0.5, 0, {})));
    CHECK(std::isinf(forecast(observed(1, [](double seconds) { return 1 + seconds; }), 0.5, 0, {})));
    CHECK(std::isinf(forecast(observed(1, [](double seconds) { return seconds > 0 ? NAN : 1.0; }), 0.5, 0, {})));
    const auto swinging = observed(2, [](double seconds) { return seconds <= 1 ? 1 - seconds / 2 : 5.0; });
    CHECK(forecast(swinging, 0.25, kNone, {}) == doctest::Approx(1.5));
}
