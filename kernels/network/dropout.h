// Which outputs of a dropout layer are left out: a function of (seed, epoch, sample, layer, unit), the same on every device.
//
// Source: Srivastava, Hinton, Krizhevsky, Sutskever, Salakhutdinov, "Dropout", JMLR 2014.
#pragma once

#include "kernels/annotate.h"
#include "kernels/numbers/random.h"

#include <cstdint>

namespace hogwild {

/// What a step draws by.
struct DropoutDraws {
    std::uint64_t seed = 0;
    std::uint32_t epoch = 0;
    bool trains = false; // false: nothing is left out

    /// What unit u of a layer is multiplied by: 0, or 1 / (1 - rate).
    HOGWILD_HOST_DEVICE float factor(std::uint32_t sample, std::uint32_t layer, std::uint32_t unit, float rate) const {
        constexpr std::uint32_t kStream = 0x64726F70; // sets these words apart from those of other uses of the seed
        if (!trains) return 1;
        const PhiloxCounter words = philox({unit / 4, sample, epoch, kStream + layer}, philox_key(seed));
        return unit_float(words[unit % 4]) < rate ? 0.0f : 1.0f / (1.0f - rate);
    }
};

} // namespace hogwild
