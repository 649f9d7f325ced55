#include "kernels/numbers/exponential.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace hogwild;

TEST_CASE("exponential is within 2e-7 of e^x over its range") {
    double worst = 0;
    for (int i = -870'000; i <= 880'000; i += 7) {
        const float x = static_cast<float>(i) * 1e-4f;
        const double truth = std::exp(static_cast<double>(x));
        worst = std::max(worst, std::abs(exponential(x) - truth) / truth);
    }
    CHECK(worst < 2e-7);
}

TEST_CASE("outside its range exponential saturates, and NaN stays NaN") {
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(exponential(infinity) == exponential(88.0f));
    CHECK(exponential(-infinity) == exponential(-87.0f));
    CHECK(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}
