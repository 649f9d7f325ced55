// With what to step: the step size, and the scale of lazy L2 (kernels/patterns/sparse_rows.h).
#pragma once

namespace hogwild {

struct Pace {
    double step = 0;
    double decay = 1; // factor on the scale per sample
    double scale = 1; // before the first sample
};

/// What a synchronous batch multiplies by.
struct BatchPace {
    float scale = 1;  // of the margins: the weights are scale x v
    float factor = 0; // of the summed gradients: -step / (samples x scale after)
};

} // namespace hogwild
