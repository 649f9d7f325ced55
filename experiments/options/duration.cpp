#include "experiments/options/duration.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "experiments/options/number_fault.h"

#include <cmath>
#include <string_view>
#include <utility>

namespace hogwild {

double seconds_of(const std::string& option, const std::string& text) {
    std::string number = text;
    double unit = 1;
    for (const auto& [ending, seconds] :
         {std::pair<std::string_view, double>{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}}) {
        if (!number.ends_with(ending)) continue;
        unit = seconds;
        number.resize(number.size() - ending.size());
        break;
    }
    const auto value = parse_real(number);
    if (!value || !(*value > 0) || !std::isfinite(*value * unit)) {
        throw Error(
            Failure::kUsage, option + " cannot be '" + text + "'",
            why_no_number(number, value && *value > 0 ? "so many seconds are no number" : "it is no time above 0"),
            "give seconds, or write 90s, 5m, 1h");
    }
    return *value * unit;
}

} // namespace hogwild
