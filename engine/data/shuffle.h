// The samples of a dataset in a fixed pseudo-random order, physically: what makes block order (engine/order/order.h) random.
//
// Ratings lie tile by tile (engine/data/ratings/tiles.h), in such an order within each part of a tile.
// Row i of other samples is row P(i) of the source, P a permutation that depends on the number of rows alone. The same bits at any
// thread count.
// Memory: ratings that were given away (engine/data/dataset.h) are moved in place, and take a bit a rating meanwhile; all others are
// copied, into huge pages.
// Thread-safety: any number of calls at once. Errors: throws Error when memory is refused.
#pragma once

#include "engine/data/dataset.h"

namespace hogwild {

/// Precondition: they may be moved (kMovable of kernels/views/any_view.h).
Dataset shuffled(Dataset source);

/// Whether such samples, given away, are not copied.
bool shuffles_in_place(const AnyView& samples);

} // namespace hogwild
