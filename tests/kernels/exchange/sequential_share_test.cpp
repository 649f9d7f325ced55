// The share of increments against what it stands for: workers one after the other.
#include "kernels/exchange/sequential_share.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace hogwild;

TEST_CASE("workers side by side that give their share come as far as workers one after the other") {
    for (const unsigned workers : {1u, 2u, 3u, 16u, 64u}) {
        const SequentialShare share(workers);
        for (double e = 0x1p-15; e < 100; e *= 1.07) {
            CAPTURE(workers);
            CAPTURE(e);
            double left = 1; // of the way, worker after worker
            for (unsigned w = 0; w < workers; ++w) left *= std::exp(-e);
            const double each = 1 - std::exp(-e);
            CHECK(workers * share(static_cast<float>(e)) * each == doctest::Approx(1 - left).epsilon(1e-3));
            const double without_table = SequentialShare::of(static_cast<float>(e), workers);
            CHECK(workers * without_table * each == doctest::Approx(1 - left).epsilon(1e-6));
        }
    }
}

TEST_CASE(
    "the share is 1 where nobody moved and of one worker, one of M where all came to their place, and falls between") {
    for (const unsigned workers : {2u, 16u}) {
        const SequentialShare share(workers);
        CHECK(share(0) == 1);
        CHECK(share(-1) == 1);
        CHECK(share(1e30f) == doctest::Approx(1.0 / workers));
        CHECK(share(INFINITY) == doctest::Approx(1.0 / workers));
        for (const float e : {0.0f, -1.0f, 0x1p-17f, NAN}) CHECK(SequentialShare::of(e, workers) == 1);
        CHECK(SequentialShare::of(INFINITY, workers) == doctest::Approx(1.0 / workers));
        float before = 1;
        for (float e = 0x1p-20f; e < 1e4f; e *= 1.01f) {
            CHECK(share(e) <= before);
            before = share(e);
        }
    }
    const SequentialShare alone(1);
    for (const float e : {0.0f, 1e-3f, 1.0f, 50.0f, 1e3f}) CHECK(alone(e) == doctest::Approx(1));
}
