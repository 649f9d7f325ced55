// Draws ranks 0, 1, ... with probability proportional to 1 / (rank + 1)^exponent, in constant time (kernels/numbers/alias_slot.h).
//
// Immutable after construction; any number of threads may draw.
#pragma once

#include "kernels/numbers/alias_slot.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class Zipf {
public:
    Zipf(std::uint32_t ranks, double exponent);

    /// `slot` and `coin` are 32 random bits each.
    std::uint32_t operator()(std::uint32_t slot, std::uint32_t coin) const {
        return draw(slots_.data(), static_cast<std::uint32_t>(slots_.size()), slot, coin);
    }

    double probability(std::uint32_t rank) const { return probabilities_[rank]; }

private:
    std::vector<double> probabilities_;
    std::vector<AliasSlot> slots_;
};

} // namespace hogwild
