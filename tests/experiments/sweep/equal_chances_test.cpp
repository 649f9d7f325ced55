#include "engine/plan/plan.h"
#include "experiments/sweep/equal_chances.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace hogwild;

namespace {

const Case kSettings{{"data", "synthetic:rows=60,features=20,nonzeros=4"}, {"no-cache", "true"}, {"threads", "1"}};

std::vector<Case> settings() {
    std::vector<Case> all;
    for (const char* scheme : {"serial", "hogwild"}) {
        all.push_back(kSettings);
        all.back().push_back({"scheme", scheme});
    }
    return all;
}

/// 3 for serial, 6 for hogwild.
std::vector<Case> tried(const Case&) {
    std::vector<Case> all;
    for (const char* step : {"0.1", "1", "10"}) {
        for (const char* update : {"racy", "atomic"}) all.push_back({{"step-scale", step}, {"update", update}});
    }
    return all;
}

std::vector<Combination> levelled(std::size_t count) { return SweepInputs(settings(), tried, count).combinations(); }

std::size_t different(const Combination& of) {
    std::set<std::uint64_t> plans;
    for (const Candidate& each : of.candidates) plans.insert(hash(each.plan));
    return plans.size();
}

} // namespace

TEST_CASE("every combination has as many candidates as asked for, all different") {
    const std::vector<Combination> as_they_are = levelled(0);
    CHECK(as_they_are.at(0).candidates.size() == 3);
    CHECK(as_they_are.at(1).candidates.size() == 6);
    for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 6u, 9u, 20u}) {
        CAPTURE(count);
        for (const Combination& each : levelled(count)) {
            CHECK(each.candidates.size() == count);
            CHECK(different(each) == count);
        }
    }
}

TEST_CASE("finer steps lie between those of the lists, whose own stay; what is drawn is among them") {
    const auto step_of = [](const Candidate& each) { return std::stod(*value_of(each.tried, "step-scale")); };
    for (const Combination& each : levelled(11)) {
        std::set<double> steps;
        for (const Candidate& candidate : each.candidates) steps.insert(step_of(candidate));
        CHECK(*steps.begin() == 0.1);
        CHECK(*steps.rbegin() == 10.0);
        CHECK(steps.contains(1));
        CHECK(steps.contains(0.316));
    }
    for (const Combination& each : levelled(2)) {
        for (const Candidate& candidate : each.candidates)
            CHECK(std::set<double>{0.1, 1, 10}.contains(step_of(candidate)));
    }
}

TEST_CASE("what is drawn is the same at every start") {
    const std::vector<Candidate> first = levelled(3).at(1).candidates, second = levelled(3).at(1).candidates;
    for (std::size_t i = 0; i < 3; ++i) CHECK(hash(first[i].plan) == hash(second[i].plan));
}
