// What a problem's samples are scored by, beside its loss: a column of results.
#pragma once

#include <string_view>

namespace hogwild {

/// Which samples a score is of.
enum class Scored { kTraining, kTest };

struct Score {
    std::string_view name;
    Scored samples;
};

} // namespace hogwild
