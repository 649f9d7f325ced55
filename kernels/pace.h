// With what to step: the step size, and the scale of lazy L2 (kernels/sparse_steps.h).
#pragma once

namespace hogwild {

struct Pace {
    double step = 0;
    double decay = 1; // factor on the scale per sample
    double scale = 1; // before the first sample
};

} // namespace hogwild
