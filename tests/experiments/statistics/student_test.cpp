#include "experiments/statistics/student.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

namespace hogwild {
namespace {

TEST_CASE("quantiles of Student's t are those of the tables") {
    struct Row {
        unsigned degrees;
        double two_sided_95, two_sided_99;
    };
    // Abramowitz and Stegun, table 26.10
    for (const Row row : {Row{1, 12.706, 63.657}, Row{2, 4.303, 9.925}, Row{3, 3.182, 5.841}, Row{4, 2.776, 4.604},
                          Row{9, 2.262, 3.250}, Row{30, 2.042, 2.750}, Row{120, 1.980, 2.617}}) {
        CAPTURE(row.degrees);
        CHECK(student_quantile(0.95, row.degrees) == doctest::Approx(row.two_sided_95).epsilon(5e-4));
        CHECK(student_quantile(0.99, row.degrees) == doctest::Approx(row.two_sided_99).epsilon(5e-4));
    }
}

TEST_CASE("one degree of freedom is the Cauchy distribution, two have a closed form") {
    for (const double x : {0.1, 1.0, 7.5}) {
        CHECK(student_within(x, 1) == doctest::Approx(2 / M_PI * std::atan(x)).epsilon(1e-14));
        CHECK(student_within(x, 2) == doctest::Approx(x / std::sqrt(2 + x * x)).epsilon(1e-14));
    }
}

TEST_CASE("the normal distribution is symmetric and has its known tail") {
    CHECK(normal_below(0) == 0.5);
    CHECK(normal_below(-1.959963984540054) == doctest::Approx(0.025).epsilon(1e-12));
    CHECK(normal_below(1.0) + normal_below(-1.0) == doctest::Approx(1).epsilon(1e-15));
}

} // namespace
} // namespace hogwild
