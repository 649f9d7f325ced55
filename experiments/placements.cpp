#include "experiments/placements.h"

#include "engine/data/placement.h"
#include "engine/data/shuffle.h"
#include "engine/run.h"

namespace hogwild {
namespace {

Dataset renumbered(const Dataset& data, const std::vector<std::uint32_t>& numbers) {
    return numbers.empty() ? data : placed(data, numbers);
}

} // namespace

Placements::Placements(const Dataset& train, const Dataset* test, const std::vector<Plan>& plans) {
    for (const Plan& plan : plans) {
        auto found = placed_.find(key(plan));
        if (found == placed_.end()) {
            const std::vector<std::uint32_t> numbers = placement(plan.placement, train.view(), plan.hot);
            PlacedSamples samples{renumbered(train, numbers), {}, {}};
            if (test != nullptr) samples.test = renumbered(*test, numbers);
            found = placed_.emplace(key(plan), std::move(samples)).first;
        }
        PlacedSamples& samples = found->second;
        if (!samples.shuffled && wants_shuffled(plan, samples.train)) samples.shuffled = shuffled(samples.train);
    }
}

} // namespace hogwild
