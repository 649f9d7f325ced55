// How teams that step on replicas of a network's weights exchange with the shared ones
// (kernels/exchange/replica_exchange.h). The rule says when, and which share of its increments a team gives. Readable
// by the host compiler.
#pragma once

#include "kernels/annotate.h"
#include "kernels/exchange/sequential_share.h"

#include <cstdint>

namespace hogwild {

struct ReplicaRule {
    std::uint32_t period = 0;  // samples of a team between two exchanges; 0: teams step on the shared weights
    std::uint32_t workers = 1; // teams of all launches
    float steepness = 0;       // of losses, for each unit of `stepped`; 0: `share` is every increment's
    float share = 1;

    HOGWILD_HOST_DEVICE bool any() const { return period > 0; }

    /// The share of increments that these step sizes made. `stepped`: their sum over samples.
    HOGWILD_HOST_DEVICE float share_of(float stepped) const {
        return steepness > 0 ? SequentialShare::of(steepness * stepped, workers) : share;
    }
};

} // namespace hogwild
