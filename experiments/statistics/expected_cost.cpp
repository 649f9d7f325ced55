#include "experiments/statistics/expected_cost.h"

#include "experiments/table/final_table.h"

#include <algorithm>
#include <limits>

namespace hogwild {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

} // namespace

CostRange cost_range(double spent, double gained, double might_gain) {
    if (gained > 0) return {spent / gained, spent / gained};
    return {might_gain > 0 ? spent / might_gain : kForever, kForever};
}

CostRange cost_range(std::span<const Trial> trials) {
    Trial all;
    for (const Trial& trial : trials) {
        all.spent += trial.spent;
        all.gained += trial.gained;
        all.might_gain += trial.might_gain;
    }
    return cost_range(all.spent, all.gained, all.might_gain);
}

double expected_cost(std::span<const Trial> trials) { return cost_range(trials).high; }

double median_cost(std::span<const Trial> trials) {
    std::vector<double> costs;
    for (const Trial& trial : trials) costs.push_back(trial.gained > 0 ? trial.spent / trial.gained : kForever);
    return median(std::move(costs));
}

std::size_t successes(std::span<const Trial> trials) {
    return static_cast<std::size_t>(std::ranges::count_if(trials, [](const Trial& t) { return t.gained > 0; }));
}

} // namespace hogwild
