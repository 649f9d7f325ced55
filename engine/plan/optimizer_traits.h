// What an optimiser takes, and what suits it where nothing is said: one row each, from its rule (kernels/network/optimizer.h).
// Unknown names: engine/plan/choice_rows.h. Thread-safety: rows are constants; all functions are pure.
#pragma once

#include <span>
#include <string_view>

namespace hogwild {

struct OptimizerTraits {
    std::string_view name{};
    bool state = false; // it keeps numbers of every coordinate
    bool beta1 = false, beta2 = false;
    double usual_beta2 = 0;
    double usual_step = 0; // 0: that of plain SGD, times (1 - beta1) with beta1
};

/// Every optimiser's row, in the order of the registry.
std::span<const OptimizerTraits> all_optimizers();

/// The row of that name.
const OptimizerTraits& optimizer_traits(std::string_view name);

} // namespace hogwild
