// Times on the command line: 90, 90s, 500ms, 5m, 1h.
#pragma once

#include <string>

namespace hogwild {

/// In seconds. Errors: Error (Failure::kUsage) that names the option, for what is no time above 0.
double seconds_of(const std::string& option, const std::string& text);

} // namespace hogwild
