// What a step adds to the rows of a pair: across times the other row, and along times the row itself.
#pragma once

#include "kernels/annotate.h"

namespace hogwild {

struct RowStep {
    float across = 0, along = 0;

    HOGWILD_HOST_DEVICE float of(float other, float own) const { return across * other + along * own; }
};

/// By what the steps of a pair's two rows are multiplied.
struct PairDamping {
    float user = 1, item = 1;
};

/// The steps of both rows.
struct PairStep {
    RowStep user, item;

    PairStep() = default;
    HOGWILD_HOST_DEVICE PairStep(float across, float along, const PairDamping& damping)
        : user{damping.user * across, damping.user * along}, item{damping.item * across, damping.item * along} {}
};

} // namespace hogwild
