#include "experiments/inputs/label_meaning.h"

#include <doctest/doctest.h>

#include <numeric>
#include <optional>
#include <vector>

using namespace hogwild;

namespace {

std::string said(const std::vector<double>& classes, std::optional<double> positive) {
    LoadReport report;
    report.classes = classes;
    report.positive_class = positive;
    return label_meaning_line("labels", report);
}

} // namespace

TEST_CASE("what labels became is said where they are not -1 and +1 already") {
    CHECK(said({10, 20}, 20) == "labels: 10 and 20 are -1 and +1");
    CHECK(said({1, 2}, 1) == "labels: 1 and 2 are +1 and -1");
    CHECK(said({0, 1}, 1) == "labels: 0 and 1 are -1 and +1");
    CHECK(said({-1, 1}, -1) == "labels: -1 and 1 are +1 and -1");
    CHECK(said({0.1F, 0.7F}, 0.7F) == "labels: 0.1 and 0.7 are -1 and +1");
    CHECK(said({7}, 7) == "labels: 7 is +1");
    CHECK(said({0}, 1) == "labels: 0 is -1");
    CHECK(said({1, 2, 3}, 3) == "labels: 3 is +1, every other (1, 2) -1");
    std::vector<double> many(13);
    std::iota(many.begin(), many.end(), 0.0);
    CHECK(said(many, 0) == "labels: 0 is +1, every other (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...) -1");
}

TEST_CASE("nothing is said of labels that are -1 and +1, of real ones and of none") {
    CHECK(said({-1, 1}, 1).empty());
    CHECK(said({1}, 1).empty());
    CHECK(said({-1}, 1).empty());
    CHECK(said({1, 2, 3}, std::nullopt).empty());
    CHECK(said({}, 1).empty());
}
