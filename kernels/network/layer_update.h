// A range of weights, a layer's of a network, with the policy that increments it. A plain value.
#pragma once

#include <cstdint>

namespace hogwild {

struct LayerUpdate {
    static constexpr std::uint8_t kOfRun = 255;

    std::uint32_t end;   // one past the last coordinate; the range begins where the one before ends
    std::uint8_t policy; // of LayerPolicies (kernels/network/layers/layer_updates.h), or kOfRun: as the run's

    friend bool operator==(const LayerUpdate&, const LayerUpdate&) = default;
};

} // namespace hogwild
