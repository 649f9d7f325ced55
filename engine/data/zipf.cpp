#include "engine/data/zipf.h"

#include "engine/data/portable_math.h"

#include <algorithm>

namespace hogwild {

Zipf::Zipf(std::uint32_t ranks, double exponent) : probabilities_(ranks), slots_(ranks) {
    double total = 0;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        probabilities_[rank] = portable::pow(rank + 1.0, -exponent);
        total += probabilities_[rank];
    }
    for (double& probability : probabilities_) probability /= total;

    // Slots with less than their share take the rest from one that has more. Popularity falls with the rank, so the
    // poor are walked from the end and the rich from the front; a rich slot that has become poor is served at once.
    auto share = [&](std::uint32_t rank) { return probabilities_[rank] * ranks; };
    constexpr double kFull = 4294967296.0;
    auto fill = [&](std::uint32_t slot, double own, std::uint32_t alias) {
        slots_[slot] = {static_cast<std::uint32_t>(std::clamp(own * kFull, 0.0, kFull - 1)), alias};
    };
    std::uint32_t rich = 0;
    std::uint32_t poor = ranks - 1;
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
}

} // namespace hogwild
