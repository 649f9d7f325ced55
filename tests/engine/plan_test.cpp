#include "engine/plan.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

using namespace hogwild;

TEST_CASE("every field of a plan is in its text and in its hash") {
    std::vector<Plan> plans(1);
    const auto change = [&](auto apply) { apply(plans.emplace_back()); };
    change([](Plan& p) { p.problem = "squared"; });
    change([](Plan& p) { p.scheme = "serial"; });
    change([](Plan& p) { p.update = "atomic"; });
    change([](Plan& p) { p.guard = "locked"; });
    change([](Plan& p) { p.order = "stored"; });
    change([](Plan& p) { p.pin = "numa"; });
    change([](Plan& p) { p.telemetry = "exact"; });
    change([](Plan& p) { p.lanes = "scalar"; });
    change([](Plan& p) { p.threads = 2; });
    change([](Plan& p) { p.epochs = 2; });
    change([](Plan& p) { p.l2 = 1e-300; });
    change([](Plan& p) { p.batch = 2; });
    change([](Plan& p) { p.exchange = 2; });
    change([](Plan& p) { p.cas_limit = 2; });
    change([](Plan& p) { p.observations_per_epoch = 2; });
    change([](Plan& p) { p.seed = ~std::uint64_t{0}; });
    change([](Plan& p) { p.step.kind = "constant"; });
    change([](Plan& p) { p.step.size = 0.1 + 1e-16; });
    change([](Plan& p) { p.step.decay = 0.8; });
    change([](Plan& p) { p.step.half_life = 2; });
    change([](Plan& p) { p.step.plateau = 0.02; });
    std::set<std::uint64_t> hashes;
    std::set<std::vector<std::pair<std::string, std::string>>> texts;
    for (const Plan& plan : plans) {
        hashes.insert(hash(plan));
        texts.insert(fields(plan));
        CHECK(hash(plan) == hash(Plan(plan)));
    }
    CHECK(hashes.size() == plans.size());
    CHECK(texts.size() == plans.size());
    CHECK(plans.size() == 1 + fields(Plan{}).size()); // a new field wants a line above
}
