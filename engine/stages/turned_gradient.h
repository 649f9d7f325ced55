// The gradient of some images as going back through winners leaves it (kernels/network/stages/by_winners.h). Local to its owner.
#pragma once

#include "engine/memory/pages.h"
#include "kernels/network/stages/tile_shape.h"

#include <algorithm>
#include <cstddef>

namespace hogwild {

struct TurnedGradient {
    explicit TurnedGradient(const TileShape& tile)
        : windows(std::size_t{tile.of.filters} * tile.turned()), biases(tile.filters()) {}

    void clear() {
        std::ranges::fill(windows.span(), 0.0f);
        std::ranges::fill(biases.span(), 0.0f);
    }

    PageArray<float> windows, biases;
};

} // namespace hogwild
