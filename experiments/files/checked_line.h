// Lines of files that only grow: the XXH3 of a JSON text in hexadecimal, a blank, the JSON. What a crash tore or a disk changed
// is seen to be.
//
// Thread-safety: pure functions.
#pragma once

#include "experiments/text/json_fwd.h"

#include <optional>
#include <string>
#include <string_view>

namespace hogwild {

/// With its newline.
std::string checked_line(const Json& record);

/// Nothing where the line is torn or damaged. Null where its hash fits a text that is no JSON.
std::optional<Json> checked_record(std::string_view line);

} // namespace hogwild
