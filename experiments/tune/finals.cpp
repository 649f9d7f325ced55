#include "experiments/tune/finals.h"

#include "experiments/random_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <utility>

namespace hogwild {
namespace {

/// Of each candidate that reached the target in most of a rung's runs: where it did so at the least cost.
std::map<std::size_t, Standing> bests(const Race& race) {
    std::map<std::size_t, Standing> best;
    for (const Rung& rung : race.rungs) {
        for (const Standing& each : rung.order) {
            if (!each.measured) continue;
            const auto [known, is_new] = best.try_emplace(each.arm, each);
            if (!is_new && each.cost < known->second.cost) known->second = each;
        }
    }
    return best;
}

} // namespace

std::vector<std::size_t> contenders(const Race& race, const std::vector<std::size_t>& yardsticks) {
    const auto is_yardstick = [&](std::size_t arm) { return yardsticks[arm] == arm; };
    const std::map<std::size_t, Standing> best = bests(race);
    std::vector<Standing> by_cost;
    for (const auto& [arm, standing] : best) by_cost.push_back(standing);
    std::ranges::stable_sort(by_cost, {}, &Standing::cost);
    std::vector<std::size_t> found;
    const auto add = [&](std::size_t arm) {
        if (best.contains(arm) && std::ranges::find(found, arm) == found.end()) found.push_back(arm);
    };
    const auto of_kind = [&](bool yardstick, std::size_t most) {
        std::size_t left = most;
        for (const Standing& each : by_cost) {
            if (is_yardstick(each.arm) != yardstick || left == 0) continue;
            add(each.arm);
            --left;
        }
    };
    for (const bool yardstick : {false, true}) { // who stands, one of each kind
        const auto stands =
            std::ranges::find_if(race.order, [&](const Standing& each) { return is_yardstick(each.arm) == yardstick; });
        if (stands != race.order.end()) add(stands->arm);
    }
    const std::optional<std::size_t> rival =
        found.empty() || is_yardstick(found.front()) ? std::nullopt : std::optional(found.front());
    of_kind(true, 1);
    of_kind(false, 1);
    if (rival && yardsticks[*rival] != kNoYardstick) add(yardsticks[*rival]);
    of_kind(true, kYardsticks);
    of_kind(false, kRivals);
    return found;
}

unsigned doublings_of(const Race& race, const std::vector<std::size_t>& contenders) {
    unsigned most = 0;
    for (const std::size_t arm : contenders) {
        unsigned first = ~0u, last = 0; // in which it got there
        for (const Rung& rung : race.rungs) {
            const auto stands = std::ranges::find(rung.order, arm, &Standing::arm);
            if (stands == rung.order.end() || !stands->measured) continue;
            first = std::min(first, rung.doublings);
            last = std::max(last, rung.doublings);
        }
        if (first <= last) most = std::max(most, std::min(first + 1, last));
    }
    return most;
}

Finals finals(const Race& race, const std::vector<std::size_t>& contenders, double budget, const Measure& measure) {
    Finals found{.arms = contenders,
                 .race = race.rungs.empty() ? 0 : race.rungs.back().race + 1,
                 .doublings = doublings_of(race, contenders)};
    std::mt19937_64 random(1);
    for (unsigned seed = 0; seed < kMostSeeds; ++seed) {
        std::vector<std::size_t> turns = found.arms, ran;
        if (seed > 0) {
            if (found.spent + found.spent / seed > budget) break;
            put_in_random_order(turns, random);
        }
        for (const std::size_t arm : turns) {
            const double one = ran.empty() ? 0 : found.spent / static_cast<double>(ran.size()); // in the first seed
            const bool enough = seed == 0 && ran.size() >= 2 && found.spent + one > budget / kRepeats;
            if (found.spent >= budget || enough) break;
            const auto reading = measure(arm, {found.race, 0, found.doublings, race.seeds + seed});
            if (!reading) {
                found.stopped = true;
                break;
            }
            ran.push_back(arm);
            ++found.runs;
            found.spent += reading->spent;
        }
        if (found.stopped) break;
        if (seed == 0) found.arms = ran;
        if (ran.empty() || ran.size() < found.arms.size()) break;
        ++found.seeds;
    }
    if (found.seeds == 0) found.arms.clear();
    return found;
}

} // namespace hogwild
