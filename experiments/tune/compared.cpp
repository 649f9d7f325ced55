#include "experiments/tune/compared.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hogwild {
namespace {

bool is_yardstick(const std::vector<std::size_t>& yardsticks, std::size_t arm) { return yardsticks[arm] == arm; }

std::pair<bool, double> by_cost(const Standing& each) { return {!each.measured, each.cost}; }

/// The best of those in whose rung `of` stands.
template <class Keep>
std::optional<Standing> best_beside(const Race& race, const Standing& of, Keep keep) {
    std::vector<Standing> there;
    for (const Rung& rung : race.rungs) {
        if (rung.race == of.race && rung.rung == of.rung)
            std::ranges::copy_if(rung.order, std::back_inserter(there), keep);
    }
    const auto best = std::ranges::min_element(there, {}, by_cost);
    return best == there.end() ? std::nullopt : std::optional(*best);
}

} // namespace

std::optional<Standing> compared(const Race& race, const std::vector<std::size_t>& yardsticks, const Standing& winner) {
    if (is_yardstick(yardsticks, winner.arm)) return winner;
    return best_beside(race, winner, [&](const Standing& each) { return is_yardstick(yardsticks, each.arm); });
}

void put_winner_first(Race& race, const std::vector<std::size_t>& yardsticks) {
    std::vector<Standing>& order = race.order;
    if (order.size() < 2 || !order[0].measured || !order[1].measured) return;
    const bool yardstick_leads = is_yardstick(yardsticks, order[0].arm);
    if (yardstick_leads == is_yardstick(yardsticks, order[1].arm)) return;
    const Standing rival = order[yardstick_leads ? 1 : 0], yardstick = order[yardstick_leads ? 0 : 1];
    const auto beside = compared(race, yardsticks, rival);
    if (!beside) return;
    const auto best = best_beside(race, yardstick, [](const Standing&) { return true; });
    const auto met = best_beside(race, rival, [&](const Standing& each) { return each.arm == yardstick.arm; });
    const bool is_beaten = best && by_cost(*best) < by_cost(yardstick);
    Standing winner = by_cost(*beside) < by_cost(rival) ? *beside : rival;
    if (!met && !is_beaten && yardstick.cost < std::min(rival.cost, beside->cost)) winner = yardstick;
    std::erase_if(order, [&](const Standing& each) { return each.arm == winner.arm; });
    order.insert(order.begin(), winner);
}

std::vector<Standing> shown(const Race& race, const std::optional<Standing>& yardstick, std::size_t most) {
    std::vector<Standing> all = race.order;
    if (all.size() > most) all.resize(most);
    if (!yardstick) return all;
    const auto known = std::ranges::find(all, yardstick->arm, &Standing::arm);
    if (known == all.end())
        all.push_back(*yardstick);
    else
        *known = *yardstick;
    return all;
}

} // namespace hogwild
