// What holds of a guard. Each says it in its own file; who has a name only asks `guard_traits` of kernels/guards.h.
#pragma once

#include <cstdint>

namespace hogwild {

struct GuardTraits {
    enum class Locks : std::uint8_t { kNone, kOne, kStriped };

    bool orders = true;         // of two increments of one coordinate none is written over by the other
    bool alone = false;         // nobody writes between a step's read and its write
    bool publishes = false;     // steps read, and replace, vectors of all weights
    bool is_choice = true;      // may be asked for by name; others belong to a scheme or a rule
    Locks locks = Locks::kNone; // that it takes
};

} // namespace hogwild
