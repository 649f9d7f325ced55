#include "experiments/tune/finals.h"

#include "experiments/random_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>

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

/// Doublings of runs in which it got there, and twice as long, if it had such; of nobody who got there none.
std::optional<unsigned> length_of(const Race& race, std::size_t arm) {
    std::optional<unsigned> first;
    unsigned last = 0;
    for (const Rung& rung : race.rungs) {
        const auto stands = std::ranges::find(rung.order, arm, &Standing::arm);
        if (stands == rung.order.end() || !stands->measured) continue;
        first = std::min(first.value_or(rung.doublings), rung.doublings);
        last = std::max(last, rung.doublings);
    }
    if (!first) return {};
    return std::min(*first + 1, last);
}

} // namespace

std::vector<Contender> contenders(const Race& race, const std::vector<std::size_t>& yardsticks,
                                  const Neighbours& neighbours) {
    const std::map<std::size_t, Standing> best = bests(race);
    const auto is = [&](bool yardstick, std::size_t arm) { return (yardsticks[arm] == arm) == yardstick; };
    const auto fastest = [&](bool yardstick) { // by the least cost in any rung
        std::optional<Standing> found;
        for (const auto& [arm, standing] : best)
            if (is(yardstick, arm) && (!found || standing.cost < found->cost)) found = standing;
        return found ? std::optional(found->arm) : std::nullopt;
    };
    const auto standing = [&](bool yardstick) { // at the end of the races; of nobody who ever got there the fastest
        const auto stands =
            std::ranges::find_if(race.order, [&](const Standing& each) { return is(yardstick, each.arm); });
        return stands != race.order.end() && best.contains(stands->arm) ? std::optional(stands->arm)
                                                                        : fastest(yardstick);
    };
    std::vector<Contender> found;
    const auto add = [&](std::optional<std::size_t> arm, unsigned otherwise = 0) {
        if (!arm || std::ranges::find(found, *arm, &Contender::arm) != found.end()) return;
        found.push_back({*arm, length_of(race, *arm).value_or(otherwise)});
    };
    const auto rival = standing(false), yardstick = fastest(true);
    add(rival);
    add(standing(true));
    add(yardstick);
    for (const auto& of : {yardstick, rival}) {
        if (!of) continue;
        for (const std::size_t arm : neighbours(*of)) add(arm, length_of(race, *of).value_or(0) + 1);
    }
    if (rival && best.contains(yardsticks[*rival])) add(yardsticks[*rival]);
    add(fastest(false));
    return found;
}

Finals finals(const Race& race, const std::vector<Contender>& contenders, double budget, const Measure& measure) {
    Finals found{.contenders = contenders, .race = race.rungs.empty() ? 0 : race.rungs.back().race + 1};
    std::mt19937_64 random(1);
    for (unsigned seed = 0; seed < kMostSeeds; ++seed) {
        std::vector<Contender> turns = found.contenders, ran;
        if (seed > 0) {
            if (found.spent + found.spent / seed > budget) break;
            put_in_random_order(turns, random);
        }
        for (const Contender& each : turns) {
            const double one = ran.empty() ? 0 : found.spent / static_cast<double>(ran.size()); // in the first seed
            const bool enough = seed == 0 && ran.size() >= 2 && found.spent + one > budget / kRepeats;
            if (found.spent >= budget || enough) break;
            const auto reading = measure(each.arm, {found.race, 0, each.doublings, race.seeds + seed});
            if (!reading) {
                found.stopped = true;
                break;
            }
            ran.push_back(each);
            ++found.runs;
            found.spent += reading->spent;
        }
        if (found.stopped) break;
        if (seed == 0) found.contenders = ran;
        if (ran.empty() || ran.size() < found.contenders.size()) break;
        ++found.seeds;
    }
    const auto least = std::min<std::size_t>(2, contenders.size());
    if (found.contenders.size() < least) found.seeds = 0; // nobody to be compared with
    if (found.seeds == 0) found.contenders.clear();
    return found;
}

} // namespace hogwild
