// A number that is not known; an empty field where it is printed.
#pragma once

#include <limits>

namespace hogwild {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

} // namespace hogwild
