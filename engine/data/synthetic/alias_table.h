// Tables of the alias method (kernels/numbers/alias_slot.h).
//
// Thread-safety: a pure function.
#pragma once

#include "kernels/numbers/alias_slot.h"

#include <span>
#include <vector>

namespace hogwild {

/// `probabilities` fall and sum to 1; at least one.
std::vector<AliasSlot> alias_table(std::span<const double> probabilities);

} // namespace hogwild
