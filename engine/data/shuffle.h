// The samples of a dataset in a fixed pseudo-random order, physically: what makes block order (engine/order.h) random.
//
// Ratings lie tile by tile (engine/data/tiles.h), in such an order within each part of a tile.
// Row i of other samples is row P(i) of the source, P a permutation that depends on the number of rows alone. Copies in
// parallel into huge pages; the same bits at any thread count.
// Thread-safety: any number of calls at once. Errors: throws Error when memory is refused.
#pragma once

#include "engine/data/dataset.h"

namespace hogwild {

/// Precondition: they may be moved (kMovable of kernels/any_view.h).
Dataset shuffled(const Dataset& source);

} // namespace hogwild
