#include "kernels/numbers/simplex.h"

#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace hogwild;

namespace {

/// By sorting, in double: Duchi et al. 2008, figure 1.
std::vector<double> projected(const std::vector<float>& x) {
    std::vector<double> sorted(x.begin(), x.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0, tau = 0;
    for (std::size_t j = 0; j < sorted.size(); ++j) {
        sum += sorted[j];
        const double here = (sum - 1) / static_cast<double>(j + 1);
        if (sorted[j] > here) tau = here;
    }
    std::vector<double> result;
    for (const float each : x) result.push_back(std::max(double{each} - tau, 0.0));
    return result;
}

} // namespace

TEST_CASE("a projection onto the simplex is that of sorting, in double") {
    TestNumbers numbers(4);
    for (const std::size_t size : {1u, 2u, 3u, 4u, 10u, 15u, 16u, 17u, 31u, 33u, 64u, 200u, 1024u}) {
        for (const double scale : {0.01, 0.3, 1.0, 20.0}) {
            CAPTURE(size);
            CAPTURE(scale);
            std::vector<float> x = numbers.vector<float>(size, scale);
            const std::vector<double> expected = projected(x);
            project_onto_simplex(x.data(), static_cast<std::uint32_t>(size));
            // A sum of n terms up to `scale` rounds by n scale 2^-24 at most.
            const double bound = 4 * static_cast<double>(size) * (scale + 1) * 0x1p-24;
            for (std::size_t k = 0; k < size; ++k) CHECK(std::abs(double{x[k]} - expected[k]) <= bound);
        }
    }
}

TEST_CASE("what lies on the simplex stays, but for rounding; what is projected lies on it") {
    TestNumbers numbers(5);
    for (const std::uint32_t size : {2u, 5u, 16u, 100u}) {
        std::vector<float> x = numbers.vector<float>(size, 3);
        project_onto_simplex(x.data(), size);
        double sum = 0;
        for (const float each : x) {
            CHECK(each >= 0);
            sum += double{each};
        }
        CHECK(sum == doctest::Approx(1).epsilon(1e-5));
        std::vector<float> again = x;
        project_onto_simplex(again.data(), size);
        for (std::uint32_t k = 0; k < size; ++k) CHECK(std::abs(again[k] - x[k]) < 1e-5f);
    }
    std::vector<float> corner{0, 1, 0, 0};
    project_onto_simplex(corner.data(), 4);
    CHECK(corner == std::vector<float>{0, 1, 0, 0});
}

TEST_CASE("of two numbers the projection clamps the first, as projecting both does") {
    for (const float x : {-3.0f, -1e-9f, 0.0f, 0.25f, 0.5f, 0.999f, 1.0f, 1.5f, 1e9f}) {
        std::vector<double> both{double{x}, 1 - double{x}};
        project_onto_simplex(both.data(), 2);
        CHECK(double{project_onto_segment(x)} == doctest::Approx(both[0]).epsilon(1e-9));
    }
}

TEST_CASE("entries that are not finite end the rounds") {
    for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity(), 3e38f}) {
        std::vector<float> x{0.5f, wrong, 0.25f, wrong};
        project_onto_simplex(x.data(), 4);
        CHECK(x.size() == 4);
    }
}
