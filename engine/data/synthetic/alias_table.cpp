#include "engine/data/synthetic/alias_table.h"

#include <algorithm>

namespace hogwild {

std::vector<AliasSlot> alias_table(std::span<const double> probabilities) {
    // Slots with less than their share take the rest from one that has more. Probabilities fall, so the poor are walked
    // from the end and the rich from the front. A rich slot that has become poor is served at once.
    const auto size = static_cast<std::uint32_t>(probabilities.size());
    std::vector<AliasSlot> slots(size);
    auto share = [&](std::uint32_t i) { return probabilities[i] * size; };
    constexpr double kFull = 4294967296.0;
    auto fill = [&](std::uint32_t slot, double own, std::uint32_t alias) {
        slots[slot] = {static_cast<std::uint32_t>(std::clamp(own * kFull, 0.0, kFull - 1)), alias};
    };
    std::uint32_t rich = 0;
    std::uint32_t poor = size - 1;
    double left = share(rich);
    while (rich < poor) {
        if (left < 1) { // the rich slot itself needs the help of the next one
            fill(rich, left, rich + 1);
            left = share(rich + 1) - (1 - left);
            ++rich;
            continue;
        }
        const double own = share(poor);
        fill(poor, own, rich);
        left -= 1 - own;
        --poor;
    }
    fill(rich, 1, rich);
    return slots;
}

} // namespace hogwild
