// What a problem's samples are scored by, beside its loss: a column of results.
#pragma once

#include <limits>
#include <string_view>

namespace hogwild {

/// Which samples a score is of.
enum class Scored { kTraining, kTest };

struct Score {
    std::string_view name;
    Scored samples;
    bool more_is_better = false;
    double least = 0, most = std::numeric_limits<double>::infinity(); // that it can be
};

} // namespace hogwild
