// The update policies of a network's layers in eight bytes, for those who cannot follow a span of ranges
// (kernels/network/layer_update.h).
//
// Two bits of each layer: 0 as the run's, else one more than its policy's number among LayerPolicies. A plain value.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/layer_update.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

class LayerChoices {
public:
    static constexpr std::uint32_t kPolicies = 3; // at most

    /// `policy`: of LayerPolicies (kernels/network/layers/layer_updates.h). Once for a layer.
    constexpr void choose(std::uint32_t layer, std::uint8_t policy) {
        bits_ |= (std::uint64_t{policy} + 1) << kBits * layer;
    }

    /// Or LayerUpdate::kOfRun.
    HOGWILD_HOST_DEVICE constexpr std::uint8_t of(std::uint32_t layer) const {
        const auto own = static_cast<std::uint8_t>(bits_ >> kBits * layer & kPolicies);
        return own == 0 ? LayerUpdate::kOfRun : static_cast<std::uint8_t>(own - 1);
    }

private:
    static constexpr std::uint32_t kBits = 2;
    static_assert(kBits * NetworkShape::kMostLayers <= 64);

    std::uint64_t bits_ = 0;
};

} // namespace hogwild
