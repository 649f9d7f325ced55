// What labelled images look like: which classes they have, how dark they are.
//
// Results do not depend on the number of threads. Thread-safety: pure function.
#pragma once

#include "kernels/views/images_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

struct ImageStatistics {
    std::vector<std::uint64_t> images; // of each class
    double zero_share = 0;             // of all bytes: what a network reads there is an exact zero
    double mean = 0, deviation = 0;    // of what a network reads, byte / 255
};

/// Precondition: there are images.
ImageStatistics describe(const ImagesView& view);

} // namespace hogwild
