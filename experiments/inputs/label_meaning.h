// What the labels of a file became, in one line for people.
//
// Thread-safe: pure functions. Errors: none.
#pragma once

#include "engine/data/load.h"

#include <string>

namespace hogwild {

/// "labels: 10 and 20 are -1 and +1", "labels: 3 is +1, every other (1, 2) -1"; `whose` is the first word. Empty where labels are
/// -1 and +1 already, are real numbers, or are none.
std::string label_meaning_line(const std::string& whose, const LoadReport& report);

} // namespace hogwild
