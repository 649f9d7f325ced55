#include "engine/order/schedule.h"

#include "kernels/numbers/power.h"

#include <algorithm>
#include <cmath>

namespace hogwild {

namespace {

constexpr double kLeast = 1e-4; // share of the first step, and of a step at the warm-up's start

} // namespace

double Schedule::step(std::uint32_t epoch, double within) const {
    const double size = warm(epoch, within), done = epoch + within;
    return done < step_.warm_up ? size * std::max(done / step_.warm_up, kLeast) : size;
}

double Schedule::warm(std::uint32_t epoch, double within) const {
    if (kind_.plateau) return current_;
    if (kind_.half_life) return step_.size / (1.0 + (epoch + within) / step_.half_life);
    if (kind_.knows_end) return step_.size * std::max(1.0 - (epoch + within) / epochs_, kLeast);
    return kind_.decay ? step_.size * power(step_.decay, epoch) : step_.size;
}

void Schedule::decide(double loss) {
    const std::size_t seen = seen_.load(std::memory_order_relaxed);
    const bool warming = static_cast<double>(seen) < step_.warm_up + 1; // in the epoch before
    const bool improved =
        seen == 0 || warming || losses_[seen - 1] - loss >= step_.plateau * std::abs(losses_[seen - 1]);
    if (!improved) current_ *= step_.decay;
    losses_.at(seen) = loss;
    seen_.store(seen + 1, std::memory_order_release); // hands it over to losses()
}

} // namespace hogwild
