// How many combinations one command makes, and what is said of more.
//
// Thread-safe: a pure function.
#pragma once

#include "experiments/options/axes.h"

#include <cstddef>
#include <string_view>

namespace hogwild {

/// Counted before they are made: `plans`, each with so many `values` of the option, "--threads". Errors: usage for more than anybody
/// waits for. It names the options that were given several values; that one only where none was.
void check_product_size(const Axes& axes, std::size_t plans, std::size_t values, std::string_view option);

} // namespace hogwild
