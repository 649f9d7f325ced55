#include "experiments/options/target_option.h"

#include "engine/error.h"
#include "engine/nearest.h"
#include "engine/numbers.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hogwild {
namespace {

[[noreturn]] void refuse(const std::string& target, const std::string& why, const std::string& suggestion) {
    throw Error(Failure::kUsage, "--target cannot be '" + target + "'", why, suggestion);
}

} // namespace

TargetOption parse_target(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string what = colon == std::string::npos ? "" : text.substr(0, colon);
    TargetOption target;
    target.is_gap = what == "gap";
    if (!target.is_gap) target.score = what;
    const auto value = parse_real(std::string_view(text).substr(colon == std::string::npos ? 0 : colon + 1));
    if (colon == 0 || !value || !std::isfinite(*value) || (target.is_gap && (*value <= 0 || *value >= 1))) {
        refuse(text, "it is neither a loss, nor gap:X with X between 0 and 1, nor SCORE:X",
               "give one like 0.31 or test_error:0.02, or where an optimum can be certified gap:1e-2");
    }
    target.value = *value;
    return target;
}

std::string to_string(const TargetOption& target) {
    const std::string of = target.is_gap ? "gap" : target.score;
    return (of.empty() ? "" : of + ':') + exact(target.value);
}

std::string bare_number_line(const TargetOption& target, std::string_view problem) {
    if (target.is_gap || !target.score.empty() || target.value <= 0 || target.value >= 1) return "";
    const std::span<const Score> scores = problem_traits(problem).scores;
    if (!is_linear(problem) && scores.empty()) return "";
    const std::string number = exact(target.value);
    return fmt::format("no run reached --target {0}: a bare number is a training loss, {1}:{0} {2}", number,
                       is_linear(problem) ? "gap" : scores.front().name,
                       is_linear(problem) ? "a gap to the optimum" : "a score");
}

void check_target(const TargetOption& target, std::string_view problem) {
    if (target.score.empty()) return;
    const std::span<const Score> known = problem_traits(problem).scores;
    const auto at = std::ranges::find(known, target.score, &Score::name);
    if (at == known.end()) {
        std::vector<std::string> names;
        for (const Score& each : known) names.emplace_back(each.name);
        const std::string meant = nearest(target.score, names);
        refuse(to_string(target), fmt::format("{} is scored by {}", problem, fmt::join(names, ", ")),
               meant.empty() ? "name one of these, or give a loss, --target 0.3"
                             : fmt::format("did you mean {}:{}?", meant, exact(target.value)));
    }
    if (target.value >= at->least && target.value <= at->most) return;
    refuse(to_string(target),
           std::isinf(at->most) ? fmt::format("{} is never below {}", at->name, at->least)
                                : fmt::format("{} is from {} to {}", at->name, at->least, at->most),
           at->most == 1 ? "give a share; 2 % are 0.02" : "give what it can be");
}

} // namespace hogwild
