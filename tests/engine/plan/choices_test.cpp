// Laws of the rows of choices (engine/plan/choices.h).
#include "engine/data/sparse/placement.h"
#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/meaning.h"
#include "engine/plan/names.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

using namespace hogwild;

namespace {

template <class Row, std::size_t size>
bool are_names_of(std::string_view axis, const Row (&rows)[size]) {
    return std::ranges::equal(known_names(axis), rows, {}, {}, &Row::name);
}

} // namespace

TEST_CASE("every name of a choice has a row, and every row a name") {
    CHECK(are_names_of("order", kOrderTraits));
    CHECK(are_names_of("pin", kPinTraits));
    CHECK(are_names_of("placement", kPlacementTraits));
    CHECK(are_names_of("device", kDeviceTraits));
    CHECK(are_names_of("hot-updates", kHotUpdateTraits));
    CHECK(are_names_of("step", kStepTraits));
    CHECK(are_names_of("combine", kCombineTraits));
    CHECK(are_names_of("batch-rule", kBatchRuleTraits));
    CHECK(are_names_of("state", kStateTraits));
}

TEST_CASE("what is asked of a name is its row's") {
    for (const DeviceTraits& row : kDeviceTraits) CHECK(&choice_named(kDeviceTraits, row.name) == &row);
    for (const StepTraits& row : kStepTraits) CHECK(&choice_named(kStepTraits, row.name) == &row);
}

TEST_CASE("a placement's row says where the hottest coordinates come") {
    CHECK(kPlacementTraits[0].name == "stored");
    for (const PlacementTraits& row : kPlacementTraits) {
        CAPTURE(row.name);
        CHECK(row.leads_with_hot() == (row.name == "hottest" || row.name == "hot-first"));
        CHECK(row.knows_hot() == (row.leads_with_hot() || row.name == "hot-apart"));
        CHECK(row.counted == row.name.starts_with("hot-"));
        Plan plan;
        plan.placement = row.name;
        CHECK(places_hot(plan) == row.counted);
    }
}

TEST_CASE("a device's home is a memory that all who step on it reach") {
    for (const DeviceTraits& row : kDeviceTraits) {
        CAPTURE(row.name);
        CHECK((row.threads || row.gpu));
        const MemoryKind home = parse_memory(row.home).value();
        CHECK((!row.threads || host_reaches(home)));
        CHECK((!row.gpu || device_reaches(home)));
    }
}

TEST_CASE("the first row of a choice is what a plan has unasked") {
    const Plan plan;
    CHECK(kOrderTraits[0].name == plan.order);
    CHECK(kPlacementTraits[0].name == plan.placement);
    CHECK(kDeviceTraits[0].name == plan.device);
    CHECK(kHotUpdateTraits[0].name == plan.hot.updates);
    CHECK(kCombineTraits[0].name == plan.exchange.combine);
    CHECK(kBatchRuleTraits[0].name == plan.batch.rule);
}
