#include "experiments/table/row_groups.h"

#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "experiments/folder/result.h"
#include "experiments/table/final_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace hogwild {

double median(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) return kNone;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    if (values.size() % 2 == 1 || values[half] == values[half - 1]) return values[half];
    return 0.5 * (values[half - 1] + values[half]);
}

std::vector<double> Group::values(const std::function<double(const Result&)>& of) const {
    std::vector<double> all;
    for (const Result* run : runs) all.push_back(of(*run));
    return all;
}

double Group::median_of(const std::function<double(const Result&)>& of) const { return median(values(of)); }

std::vector<Group> by_seed(const std::vector<Result>& results) {
    std::vector<Group> groups;
    std::map<std::vector<std::pair<std::string, std::string>>, std::size_t> position;
    for (const Result& result : results) {
        Plan key = result.plan;
        key.seed = 0;
        const auto [at, fresh] = position.emplace(fields(key), groups.size());
        if (fresh) groups.push_back({result.plan, {}});
        groups[at->second].runs.push_back(&result);
    }
    return groups;
}

bool has_target(const Result& result) { return std::isfinite(result.target); }

double time_or_forever(const Result& result) {
    return result.to_target.reached ? result.to_target.seconds : std::numeric_limits<double>::infinity();
}

double speed(const Group& group) {
    if (has_target(*group.runs[0])) return 1.0 / group.median_of(time_or_forever);
    for (const Result* run : group.runs) {
        if (!status_traits(run->outcome.status).done) return 0;
    }
    return group.median_of(updates_per_second);
}

bool has_serial(const std::vector<Group>& groups) {
    return std::any_of(groups.begin(), groups.end(), [](const Group& group) { return is_serial(group.plan); });
}

bool compares_batches(const std::vector<Group>& groups) {
    if (std::ranges::any_of(groups, [](const Group& group) { return has_target(*group.runs[0]); })) return false;
    std::set<std::uint32_t> batches;
    bool serial = false;
    for (const Group& group : groups) {
        if (!means::batch(group.plan)) continue;
        batches.insert(group.plan.batch.size);
        serial |= is_serial(group.plan);
    }
    return serial && batches.size() > 1;
}

const Group* yardstick(const std::vector<Group>& groups, const Plan& plan) {
    const bool by_batch = compares_batches(groups);
    const Group* best = nullptr;
    for (const Group& group : groups) {
        const Plan& other = group.plan;
        const bool same = other.problem == plan.problem && other.l2 == plan.l2 && other.l1 == plan.l1 &&
                          other.delay == plan.delay && other.network.layers == plan.network.layers &&
                          parameters(other) == parameters(plan);
        if (!is_serial(other) || !same || !(speed(group) > 0)) continue;
        const auto rank = [&](const Group& of) {
            return std::pair(by_batch && of.plan.batch.size == plan.batch.size, speed(of));
        };
        if (best == nullptr || rank(group) > rank(*best)) best = &group;
    }
    return best;
}

} // namespace hogwild
