#include "experiments/sweep/equal_chances.h"

#include "engine/numbers.h"
#include "engine/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace hogwild {
namespace {

bool is_step(const Setting& setting) { return setting.option == "step-scale" || setting.option == "step-size"; }

/// All but the step, as one text.
std::string rest_of(const Case& tried) {
    std::string rest;
    for (const Setting& setting : tried) {
        if (!is_step(setting)) rest += setting.option + '=' + setting.value + '\n';
    }
    return rest;
}

std::uint64_t draw_of(const Candidate& candidate) {
    Plan plan = candidate.plan;
    plan.seed = 0;
    return hash(plan);
}

/// Keeps the order of those that it keeps.
void thin(std::vector<Candidate>& candidates, std::size_t count) {
    std::vector<std::uint64_t> draws;
    for (const Candidate& each : candidates) draws.push_back(draw_of(each));
    std::ranges::nth_element(draws, draws.begin() + static_cast<std::ptrdiff_t>(count));
    std::erase_if(candidates, [limit = draws[count]](const Candidate& each) { return draw_of(each) >= limit; });
}

} // namespace

std::vector<Case> between(const std::vector<Candidate>& candidates) {
    std::map<std::string, std::map<double, const Case*>> ladders; // by the rest: steps in rising order
    for (const Candidate& each : candidates) {
        const auto step = std::ranges::find_if(each.tried, is_step);
        const auto value = step == each.tried.end() ? std::nullopt : parse_real(step->value);
        if (value && *value > 0) ladders[rest_of(each.tried)].emplace(*value, &each.tried);
    }
    std::vector<std::pair<double, Case>> found; // with the factor between its neighbours, in hundredths of a power of e
    for (const auto& [rest, ladder] : ladders) {
        for (auto low = ladder.begin(); low != ladder.end() && std::next(low) != ladder.end(); ++low) {
            const double high = std::next(low)->first;
            Case tried = *low->second;
            std::ranges::find_if(tried, is_step)->value = fmt::format("{:.3g}", std::sqrt(low->first * high));
            found.emplace_back(std::round(100 * std::log(high / low->first)), std::move(tried));
        }
    }
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Case> cases;
    for (auto& [factor, tried] : found) cases.push_back(std::move(tried));
    return cases;
}

void level(SweepInputs& swept, Combination& combination, std::size_t count) {
    while (combination.candidates.size() < count) {
        bool added = false;
        for (const Case& tried : between(combination.candidates)) {
            if (combination.candidates.size() < count) added |= swept.add(combination, tried);
        }
        if (!added) break;
    }
    if (combination.candidates.size() > count) thin(combination.candidates, count);
}

} // namespace hogwild
