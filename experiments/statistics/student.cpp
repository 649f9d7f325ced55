#include "experiments/statistics/student.h"

#include <cmath>
#include <numbers>

namespace hogwild {

double student_within(double x, unsigned degrees) {
    const double angle = std::atan(x / std::sqrt(static_cast<double>(degrees)));
    const double cosine = std::cos(angle), sine = std::sin(angle);
    const bool odd = degrees % 2 == 1;
    double term = odd ? cosine : 1, sum = 0; // the series' next term, without the sine
    for (unsigned k = odd ? 1 : 0; k + 2 <= degrees; k += 2) {
        sum += term;
        term *= cosine * cosine * static_cast<double>(k + 1) / static_cast<double>(k + 2);
    }
    return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

double student_quantile(double share, unsigned degrees) {
    double below = 0, above = 1;
    while (student_within(above, degrees) < share) above *= 2;
    while (above - below > 1e-12 * above) {
        const double middle = 0.5 * (below + above);
        (student_within(middle, degrees) < share ? below : above) = middle;
    }
    return 0.5 * (below + above);
}

double normal_below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

} // namespace hogwild
