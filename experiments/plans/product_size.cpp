#include "experiments/plans/product_size.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/problem_traits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace hogwild {
namespace {

constexpr std::size_t kMostPlans = 100'000;

/// "the 400 values of --l2", for each option that was given several.
std::vector<std::string> given_lists(const Axes& axes) {
    std::vector<std::string> lists;
    const auto add = [&](const std::string& option, std::size_t count) {
        if (count > 1 && axes.given.contains(option))
            lists.push_back(fmt::format("the {} values of {}", grouped(count), option));
    };
    for (const Axis* row : hogwild::axes())
        add(option_of(*row), std::visit([](const auto& list) { return list.size(); }, axes.values(row->name)));
    for (const auto& [name, values] : axes.parameters)
        add(option_of(Parameter{name, 0, 0, 0, false, {}}), values.size());
    return lists;
}

} // namespace

void check_product_size(const Axes& axes, std::size_t plans, std::size_t values, std::string_view option) {
    if (values <= kMostPlans / std::max<std::size_t>(plans, 1)) return;
    const std::vector<std::string> lists = given_lists(axes);
    const std::string made =
        lists.empty() ? fmt::format("the {} values that are tried where no {} is given", grouped(values), option)
                      : fmt::format("{}", fmt::join(lists, " and "));
    throw Error(Failure::kUsage, fmt::format("{} combinations are too many", grouped(plans * values)),
                fmt::format("they are made by {}; one command makes {} at most", made, grouped(kMostPlans)),
                lists.empty() ? fmt::format("give {} and others", option) : "give fewer values, or several commands");
}

} // namespace hogwild
