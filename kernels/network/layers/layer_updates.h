// Update policies of single layers of a network, beside that of the run.
//
// Ranges of weights up to the last one, each with a policy. No ranges: all weights have the run's.
// Cost: a look at a few ranges for each row of weights that is written; without ranges one comparison.
// Borrowed memory; immutable once made, so any number of workers may read it.
#pragma once

#include "kernels/network/layer_update.h"
#include "kernels/updates/atomic_add.h"
#include "kernels/updates/noop.h"
#include "kernels/updates/racy.h"

#include <cstdint>
#include <span>
#include <variant>

namespace hogwild {

/// What a layer may have; never instantiated.
using LayerPolicies = std::variant<Racy, AtomicAdd, Noop>;

/// write(policy) with that of a coordinate; `of_run`: the run's. Precondition: the coordinate is below the last range's end.
template <class Update>
[[gnu::always_inline]] inline void with_layer_update(std::span<const LayerUpdate> layers, std::uint32_t coordinate,
                                                     const Update& of_run, const auto& write) {
    if (layers.empty()) return write(of_run);
    const LayerUpdate* layer = layers.data();
    while (coordinate >= layer->end) ++layer;
    switch (layer->policy) {
    case 0: return write(std::variant_alternative_t<0, LayerPolicies>());
    case 1: return write(std::variant_alternative_t<1, LayerPolicies>());
    case 2: return write(std::variant_alternative_t<2, LayerPolicies>());
    default: return write(of_run);
    }
}

} // namespace hogwild
