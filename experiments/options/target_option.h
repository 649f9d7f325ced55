// What runs are to reach, as it is typed: --target.
//
// Thread-safe: pure functions. Errors: Error (Failure::kUsage) that names the option, the value and what is possible.
#pragma once

#include <string>
#include <string_view>

namespace hogwild {

/// A loss, absolute or F* + gap (F(w0) - F*), or a score of the problem.
struct TargetOption {
    double value = 0;
    bool is_gap = false;
    std::string score{}; // its name; empty: a training loss
};

/// "0.31", "gap:1e-2" or "test_rmse:4.1". Whether a problem has such a score is for check_target to say.
TargetOption parse_target(const std::string& text);

/// As parse_target reads it.
std::string to_string(const TargetOption& target);

/// Where nobody reached a bare number that may be meant as a share: that it is a loss, and how the problem's gap or score is typed.
/// Empty: it is none such.
std::string bare_number_line(const TargetOption& target, std::string_view problem);

/// Throws unless the problem, which is in the catalog, has the score, and it can be what is asked for.
void check_target(const TargetOption& target, std::string_view problem);

} // namespace hogwild
