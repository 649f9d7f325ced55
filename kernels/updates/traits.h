// What holds of an update policy. Each says it in its own file; who has a name only asks `update_traits` of kernels/catalog.h.
#pragma once

namespace hogwild {

struct UpdateTraits {
    bool writes = true;  // increments reach the weights; where none does, nothing is learnt
    bool atomic = false; // no increment is written over by another: an instruction that locks its line for each
    bool drops = false;  // an increment that meets too much contention is given up, and counted
    bool on_gpu = true;  // has a form under kernels/cuda/updates

    /// Plain stores: what others wrote meanwhile may be lost.
    constexpr bool overwrites() const { return writes && !atomic; }

    /// Every increment arrives, however many write.
    constexpr bool adds() const { return atomic && !drops; }
};

} // namespace hogwild
