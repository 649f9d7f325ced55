#include "engine/schedule.h"

#include "kernels/power.h"

#include <cmath>

namespace hogwild {

double Schedule::step(std::uint32_t epoch, double within) const {
    if (step_.kind == "constant") return step_.size;
    if (step_.kind == "inverse-time") return step_.size / (1.0 + (epoch + within) / step_.half_life);
    if (step_.kind == "backoff") return current_;
    return step_.size * power(step_.decay, epoch);
}

void Schedule::decide(double loss) {
    const bool improved = previous_loss_ < 0 || previous_loss_ - loss >= step_.plateau * std::abs(previous_loss_);
    if (!improved) current_ *= step_.decay;
    previous_loss_ = loss;
}

} // namespace hogwild
