// Draws ranks 0, 1, ... with probability proportional to 1 / (rank + 1)^exponent, in constant time.
//
// Source: Walker 1977, Vose 1991 (the alias method). Probabilities are rounded to 2^-32 of a slot. Immutable after
// construction; any number of threads may draw.
#pragma once

#include <cstdint>
#include <vector>

namespace hogwild {

class Zipf {
public:
    Zipf(std::uint32_t ranks, double exponent);

    /// `slot` and `coin` are 32 random bits each.
    std::uint32_t operator()(std::uint32_t slot, std::uint32_t coin) const {
        const auto chosen = static_cast<std::uint32_t>((std::uint64_t{slot} * slots_.size()) >> 32);
        return coin < slots_[chosen].threshold ? chosen : slots_[chosen].alias;
    }

    double probability(std::uint32_t rank) const { return probabilities_[rank]; }

private:
    struct Slot {
        std::uint32_t threshold; // of 2^32: below it the slot's own rank is drawn
        std::uint32_t alias;
    };

    std::vector<double> probabilities_;
    std::vector<Slot> slots_;
};

} // namespace hogwild
