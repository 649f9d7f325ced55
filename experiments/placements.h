// The samples in every placement of the coordinates that some run wants (engine/data/placement.h): renumbered once, used by
// all.
//
// Thread-safety: immutable once made.
#pragma once

#include "engine/data/dataset.h"
#include "engine/plan.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hogwild {

/// Training and test samples of one placement; `shuffled`: the training samples shuffled, where runs go by blocks.
struct PlacedSamples {
    Dataset train;
    std::optional<Dataset> test;
    std::optional<Dataset> shuffled;
};

class Placements {
public:
    /// `test` may be null.
    Placements(const Dataset& train, const Dataset* test, const std::vector<Plan>& plans);

    /// Plans of one key step on the same samples.
    using Key = std::pair<std::string, std::uint32_t>;
    static Key key(const Plan& plan) { return {plan.placement, plan.placement.starts_with("hot-") ? plan.hot : 0}; }

    const PlacedSamples& of(const Plan& plan) const { return placed_.at(key(plan)); }

private:
    std::map<Key, PlacedSamples> placed_;
};

} // namespace hogwild
