// Samples held out of a dataset, to test on: which, a seed says.
//
//   sample i is held out where Philox(i; seed) < share 2^32
//
// So the same samples for the same seed, whatever the machine; about share x samples of them. Both parts keep the samples' order.
// Both parts of ratings take the mean of the training part.
// Memory: ratings that are given away (engine/data/dataset.h) are parted in place, and take a bit each meanwhile; all others are
// copied.
// Thread-safety: pure function. Errors: Error (Failure::kUsage) where a part would hold nothing.
#pragma once

#include "engine/data/dataset.h"

#include <cstdint>

namespace hogwild {

struct TrainTest {
    Dataset train;
    Dataset test;
};

/// share: between 0 and 1.
TrainTest held_out(Dataset all, double share, std::uint64_t seed);

} // namespace hogwild
