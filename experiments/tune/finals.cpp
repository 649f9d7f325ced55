#include "experiments/tune/finals.h"

#include "experiments/plans/random_order.h"

#include <algorithm>
#include <map>
#include <random>

namespace hogwild {
namespace {

constexpr double kSlack = 1.5; // of runs, over what it took
constexpr double kFar = 2;     // times the least cost of who stands, beyond which nobody comes to be the fastest

/// For each candidate that reached the target in most of a rung's runs: where it did so at the least cost.
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

/// Long enough for half as much again as what its slowest runs that got there took.
unsigned length_of(const Race& race, std::size_t arm) {
    double most = 0;
    for (const Rung& rung : race.rungs) {
        const auto stands = std::ranges::find(rung.order, arm, &Standing::arm);
        if (stands != rung.order.end() && stands->measured) most = std::max(most, length_of(*stands));
    }
    return doublings_of(kSlack * most);
}

void add(std::vector<std::size_t>& arms, std::size_t arm) {
    if (std::ranges::find(arms, arm) == arms.end()) arms.push_back(arm);
}

} // namespace

std::vector<Contender> contenders(const Race& race, const std::vector<std::size_t>& yardsticks) {
    const std::map<std::size_t, Standing> best = bests(race);
    const auto of_kind = [&](bool yardstick) { // whoever stands at the end of the races, then by cost
        std::vector<Standing> kind;
        for (const auto& [arm, standing] : best)
            if ((yardsticks[arm] == arm) == yardstick) kind.push_back(standing);
        std::ranges::stable_sort(kind, {}, &Standing::cost);
        const auto stands = std::ranges::find_first_of(race.order, kind, {}, &Standing::arm, &Standing::arm);
        if (!kind.empty()) {
            const std::size_t first = stands != race.order.end() ? stands->arm : kind.front().arm;
            std::erase_if(kind, [most = kFar * best.at(first).cost](const Standing& each) { return each.cost > most; });
        }
        std::vector<std::size_t> arms;
        if (stands != race.order.end()) add(arms, stands->arm);
        for (const Standing& each : kind) add(arms, each.arm);
        return arms;
    };
    std::vector<std::size_t> rivals = of_kind(false), arms;
    if (rivals.size() > kRivals) rivals.resize(kRivals);
    std::vector<std::size_t> beside;
    const std::vector<std::size_t> others = of_kind(true);
    if (!others.empty()) beside.push_back(others.front());
    if (!rivals.empty() && std::ranges::find(others, yardsticks[rivals.front()]) != others.end())
        add(beside, yardsticks[rivals.front()]);
    for (const std::size_t arm : others)
        if (beside.size() < kYardsticks) add(beside, arm);
    if (!rivals.empty()) arms.push_back(rivals.front());
    arms.insert(arms.end(), beside.begin(), beside.end());
    for (const std::size_t arm : rivals) add(arms, arm);
    std::vector<Contender> found;
    for (const std::size_t arm : arms) found.push_back({arm, length_of(race, arm)});
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
