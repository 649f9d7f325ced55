// From axes to plans: every combination once, in the order of the axes, seeds innermost.
//
// A combination that cannot run is left out with its reason (why_not). Errors: Error (Failure::kUsage) for a value that
// nothing knows, even where the axis does not apply.
#pragma once

#include "engine/data/sparse/norms.h"
#include "engine/plan/axes.h"
#include "engine/plan/plan.h"
#include "experiments/options/axes.h"
#include "experiments/plans/hot_choice.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hogwild {

struct LeftOut {
    Plan plan;
    std::string why;
};

struct Product {
    std::vector<Plan> plans;
    std::vector<LeftOut> left_out; // one entry per reason that a person can act on, not one per seed
    HotReasons hot_reasons;        // of the plans that --hot-updates auto made
};

/// `rows` samples give 1/n its value, their scale the default step sizes theirs. `hot`: what --hot-updates auto chooses by; without it
/// auto is an error.
Product product(const Axes& axes, std::uint64_t rows, const SampleScale& scale = {}, const HotChooser* hot = nullptr);

/// Moves the plans for which `why_not` has a reason to `left_out`; plans that differ in their seed are one entry.
void leave_out(Product& product, const std::function<std::string(const Plan&)>& why_not);

/// Random order within each seed, the seeds one after another. What is compared with each other is measured close in
/// time, and no combination always runs first. Depends on the plans alone.
std::vector<std::size_t> interleaved(const std::vector<Plan>& plans);

/// The network of all of them; empty: they have none, or several.
std::string network_of_all(const std::vector<Plan>& plans);

} // namespace hogwild
