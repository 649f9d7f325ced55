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

/// Options that were given several values.
struct Lists {
    std::vector<std::string> words; // "the 400 values of --l2"
    std::size_t combinations = 1;   // kMany: as many or more
};

constexpr std::size_t kMany = 1'000'000'000'000'000'000;

std::size_t times(std::size_t a, std::size_t b) { return a > kMany / std::max<std::size_t>(b, 1) ? kMany : a * b; }

Lists given_lists(const Axes& axes) {
    Lists lists;
    const auto add = [&](const std::string& option, std::size_t count) {
        if (count <= 1 || !axes.given.contains(option)) return;
        lists.words.push_back(fmt::format("the {} values of {}", grouped(count), option));
        lists.combinations = times(lists.combinations, count);
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
    const Lists lists = given_lists(axes);
    const std::string made =
        lists.words.empty() ? fmt::format("the {} values that are tried where no {} is given", grouped(values), option)
                            : fmt::format("{}", fmt::join(lists.words, " and "));
    const std::size_t count = std::max(times(plans, values), lists.combinations); // other lists are not multiplied yet
    throw Error(Failure::kUsage,
                fmt::format("{}{} combinations are too many", grouped(count), count == kMany ? " or more" : ""),
                fmt::format("they are made by {}; one command makes {} at most", made, grouped(kMostPlans)),
                lists.words.empty() ? fmt::format("give {} and others", option)
                                    : "give fewer values, or several commands");
}

} // namespace hogwild
