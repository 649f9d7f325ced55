#include "experiments/inputs/placements.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/data/shuffle.h"
#include "engine/data/sparse/placement.h"
#include "engine/machine/memory_budget.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/run.h"

#include <fmt/format.h>

#include <algorithm>

namespace hogwild {
namespace {

Dataset renumbered(const Dataset& data, const std::vector<std::uint32_t>& numbers) {
    return numbers.empty() ? data : placed(data, numbers);
}

} // namespace

Placements::Placements(Dataset train, std::optional<Dataset> test, const std::vector<Plan>& plans)
    : train_(std::move(train)), test_(std::move(test)) {
    const bool in_place = shuffles_in_place(train_.view());
    const auto wants_now = [&](const Plan& plan) { return wants_shuffled(plan, train_); };
    if (in_place && !plans.empty() && std::ranges::all_of(plans, wants_now)) train_ = shuffled(std::move(train_));
    for (const Plan& plan : plans) {
        auto found = placed_.find(key(plan));
        if (found == placed_.end()) {
            const std::vector<std::uint32_t> numbers = placement(plan.placement, train_.view(), plan.hot.count);
            PlacedSamples samples{renumbered(train_, numbers), {}, {}};
            if (test_) samples.test = renumbered(*test_, numbers);
            found = placed_.emplace(key(plan), std::move(samples)).first;
        }
        PlacedSamples& samples = found->second;
        if (samples.shuffled || !wants_shuffled(plan, samples.train)) continue;
        if (in_place) { // else the plan would have been left out
            require_memory(array_bytes(train_.view()), fmt::format("{} in tiles beside its own order", train_.name()),
                           "run plans of one order and device at a time");
        }
        samples.shuffled = shuffled(samples.train);
    }
}

Placements::Key Placements::key(const Plan& plan) { return {plan.placement, places_hot(plan) ? plan.hot.count : 0}; }

const PlacedSamples& Placements::of(const Plan& plan) const { return placed_.at(key(plan)); }

} // namespace hogwild
