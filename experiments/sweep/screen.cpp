#include "experiments/sweep/screen.h"

#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "experiments/compare/compare_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace hogwild {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// One worker alone, time, then what stands for it; less is better.
using Badness = std::tuple<bool, double, double>;

Badness badness_of(const Plan& plan, const Chosen& chosen, bool rising) {
    const double at_end = chosen.score ? (rising ? -*chosen.score : *chosen.score) : chosen.loss.value_or(kForever);
    return {plan.threads < 2, chosen.seconds.value_or(kForever), at_end};
}

/// A scheme, and how bad its best combination is.
struct Best {
    std::string scheme;
    Badness badness;
};

/// What is minimised, of one data set: without L1 the same by schemes that know it and by those that do not.
std::string objective_of(const Plan& plan) {
    std::string text;
    const std::vector<std::string_view> columns = objective_columns();
    for (const auto& [name, value] : fields(plan)) {
        const bool tells = std::ranges::find(columns, name) != columns.end() && (name != "l1" || plan.l1 > 0);
        if (tells && !value.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
    }
    return text;
}

} // namespace

Screened screened(const ByKind& screen, const std::vector<Combination>& combinations, const std::vector<Chosen>& chosen,
                  bool rising) {
    std::map<std::pair<std::string, std::string_view>, std::vector<Best>> groups; // by objective and kind
    const auto group_of = [](const Plan& plan) { return std::pair(objective_of(plan), kind_of(plan.scheme)); };
    for (std::size_t i = 0; i < combinations.size(); ++i) {
        const Plan& plan = combinations[i].candidates.front().plan;
        const Badness badness = badness_of(plan, chosen[i], rising);
        std::vector<Best>& schemes = groups[group_of(plan)];
        const auto known = std::ranges::find(schemes, plan.scheme, &Best::scheme);
        if (known == schemes.end()) {
            schemes.push_back({plan.scheme, badness});
        } else {
            known->badness = std::min(known->badness, badness);
        }
    }
    Screened all;
    std::set<std::tuple<std::string, std::string_view, std::string>> kept;
    for (auto& [group, schemes] : groups) {
        std::ranges::stable_sort(schemes, {}, &Best::badness);
        const auto asked = screen.find(group.second);
        const std::size_t count = asked == screen.end() ? schemes.size() : std::min(asked->second, schemes.size());
        std::vector<std::string> in, out;
        for (std::size_t i = 0; i < schemes.size(); ++i) {
            (i < count ? in : out).push_back(schemes[i].scheme);
            if (i < count) kept.emplace(group.first, group.second, schemes[i].scheme);
        }
        if (out.empty()) continue;
        all.notes.push_back(fmt::format("screened: {}, {}: final runs of {}; none of {}", group.first, group.second,
                                        in.empty() ? "none" : fmt::format("{}", fmt::join(in, ", ")),
                                        fmt::join(out, ", ")));
    }
    for (std::size_t i = 0; i < combinations.size(); ++i) {
        const Plan& plan = combinations[i].candidates.front().plan;
        const auto [objective, kind] = group_of(plan);
        if (kept.contains({objective, kind, plan.scheme})) all.kept.push_back(i);
    }
    return all;
}

} // namespace hogwild
