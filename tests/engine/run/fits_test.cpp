#include "engine/run/fits.h"

#include "engine/plan/plan.h"
#include "engine/run.h"

#include <doctest/doctest.h>

namespace hogwild {
namespace {

std::string refusal(std::uint64_t rows, std::uint32_t users) {
    Plan plan;
    plan.problem = "factorization";
    plan.scheme = "serial";
    plan.parameters = {32, 1};
    RatingsView view;
    view.rows = rows;
    view.users = users;
    view.items = 1;
    return why_not(plan, Dataset{"ratings", 1, view, nullptr});
}

TEST_CASE("ids that hardly any rating names are no run, before memory is asked for") {
    CHECK(refusal(20, 2'000'000) ==
          "2000000 users and 1 items are numbered, each has factors, and 20 ratings name few of them; "
          "number them one after the other");
    CHECK_FALSE(refusal(20, 1'000'000).starts_with("1000000 users"));
    CHECK_FALSE(refusal(30'000, 2'000'000).starts_with("2000000 users"));
}

TEST_CASE("weights beyond 32 bits are refused by their number, which does not wrap around") {
    CHECK(refusal(1'000'000'000, 1'000'000'000) ==
          "it asks for 33000000033 weights, and a run takes up to 2^31 - 1; take a smaller model");
    CHECK(refusal(1'000'000'000, 130'150'525).starts_with("it asks for 4294967358 weights")); // 62 of 32 bits
}

} // namespace
} // namespace hogwild
