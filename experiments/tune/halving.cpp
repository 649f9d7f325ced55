#include "experiments/tune/halving.h"

#include "experiments/plans/random_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <utility>

namespace hogwild {
namespace {

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

constexpr std::size_t kFewestNew = 2; // that another race is worth
constexpr double kShareOfRace = 0.75; // of what is left, where neighbours of its winners come after it

unsigned repeats_of(std::size_t arms) { return arms <= kFew ? kRepeats : 1; }

class Halving {
public:
    Halving(const std::vector<std::size_t>& yardsticks, double budget, const Lengths& lengths, const Measure& measure,
            const Neighbours& neighbours)
        : yardsticks_(yardsticks),
          budget_(budget),
          lengths_(lengths),
          expected_(lengths.most),
          measure_(measure),
          neighbours_(neighbours),
          seeds_at_first_(repeats_of(yardsticks.size())) {}

    Race run() {
        std::vector<std::size_t> untried(yardsticks_.size()), champions;
        std::iota(untried.begin(), untried.end(), std::size_t{0});
        std::vector<Standing> head;
        while (!untried.empty() && !over()) {
            end_ = begun_ + (neighbours_ ? kShareOfRace : 1) * (of_races() - begun_);
            std::vector<std::size_t> arms = champions;
            arms.insert(arms.end(), untried.begin(), untried.end());
            const std::size_t fewest = std::min(arms.size(), champions.size() + kFewestNew);
            const auto end = arms.begin() + static_cast<std::ptrdiff_t>(fewest);
            if (!head.empty() && !bears({arms.begin(), end}, 0, 0, begun_)) break;
            const std::vector<Standing> finish = one_race(std::move(arms));
            std::erase_if(untried, [&](std::size_t arm) { return best_.contains(arm); });
            if (finish.empty()) break; // cut off: the winner before stands
            head = best_of(head, finish);
            for (const bool yardsticks : {true, false})
                for (Standing& each : head)
                    if (is_yardstick(each.arm) == yardsticks) each = ascend(each);
            std::ranges::stable_sort(head, {}, by_cost);
            std::erase_if(untried, [&](std::size_t arm) { return best_.contains(arm); });
            champions.clear();
            for (const Standing& each : head) champions.push_back(each.arm);
            ++number_;
            expected_ = finish.front().measured ? finish.front().doublings : lengths_.most;
            begun_ = race_.spent;
            seeds_at_first_ = repeats_of(champions.size() + untried.size());
            std::erase_if(least_, [&](const auto& known) { return best_.at(known.first).rung == 0; });
        }
        race_.left_out = untried.size();
        race_.seeds = seeds_;
        race_.order = head;
        std::vector<Standing> others;
        for (const auto& [arm, standing] : best_) {
            if (std::ranges::find(head, arm, &Standing::arm) == head.end()) others.push_back(standing);
        }
        std::ranges::stable_sort(others, [](const Standing& a, const Standing& b) {
            return std::tuple(b.doublings, b.rung, a.cost) < std::tuple(a.doublings, a.rung, b.cost);
        });
        race_.order.insert(race_.order.end(), others.begin(), others.end());
        return race_;
    }

private:
    /// The order of its last rung; empty where it was cut off before that.
    std::vector<Standing> one_race(std::vector<std::size_t> arms) {
        bool last = false;
        std::vector<Standing> finish;
        std::vector<std::size_t> stand; // of arms, those that are not there beside their rival alone
        for (unsigned rung = 0, doublings = 0;; ++rung) {
            const std::vector<Standing> order = climb(arms, {rung, doublings, last ? 1 : repeats_of(arms.size())});
            rungs_ = rung + 1;
            for (const Standing& each : order) best_[each.arm] = each;
            if (order.empty()) return finish;
            if (last) finish = order;
            if (over() || (last && (all_measured(stand) || doublings == lengths_.most))) return finish;
            if (!last) {
                arms.clear();
                for (const Standing& each : order) arms.push_back(each.arm);
                arms = better_half(arms);
                while (std::ranges::max(groups(arms)) > 1 && !bears(arms, rung + 1, doublings + 1, race_.spent))
                    arms = better_half(arms);
                last = std::ranges::max(groups(arms)) <= 1;
                stand = arms;
                if (last) add_own_yardstick(arms);
            }
            if (!all_measured(stand)) doublings = std::min(doublings + 1, lengths_.most);
        }
    }

    /// Goes to the fastest neighbour, as long as there is one that is faster.
    Standing ascend(Standing from) {
        while (neighbours_ && !over()) {
            std::vector<std::size_t> arms = neighbours_(from.arm);
            near_.insert(from.arm);
            std::erase_if(arms, [&](std::size_t arm) { return near_.contains(arm); });
            const unsigned doublings = from.measured ? doublings_of(length_of(from)) : from.doublings;
            const double one = seconds_.at(from.arm) * lengths_.weight(doublings);
            const double room = one > 0 ? (limit() - race_.spent) / one : 0;
            if (room < static_cast<double>(arms.size())) arms.resize(static_cast<std::size_t>(room));
            if (arms.empty()) break;
            near_.insert(arms.begin(), arms.end());
            const std::vector<Standing> order = climb(arms, {rungs_++, doublings, 1, true});
            for (const Standing& each : order) {
                const auto known = best_.find(each.arm);
                if (known == best_.end() || each.measured || !known->second.measured) best_[each.arm] = each;
            }
            const auto found = std::ranges::min_element(order, {}, by_cost);
            if (found == order.end() || by_cost(*found) >= by_cost(from)) break;
            from = *found;
        }
        return from;
    }

    static std::pair<bool, double> by_cost(const Standing& each) { return {!each.measured, each.cost}; }

    /// In the last rung that each was in.
    bool all_measured(const std::vector<std::size_t>& arms) const {
        return std::ranges::all_of(arms, [&](std::size_t arm) {
            const auto known = best_.find(arm);
            return known != best_.end() && known->second.measured;
        });
    }

    /// Adds the yardstick of the rival that is left.
    void add_own_yardstick(std::vector<std::size_t>& arms) const {
        const auto rival = std::ranges::find_if(arms, [&](std::size_t arm) { return !is_yardstick(arm); });
        if (rival == arms.end()) return;
        const std::size_t own = yardsticks_[*rival];
        if (own != kNoYardstick && std::ranges::find(arms, own) == arms.end()) arms.push_back(own);
    }

    bool is_yardstick(std::size_t arm) const { return yardsticks_[arm] == arm; }

    bool over() const { return race_.stopped || race_.spent >= limit(); }

    /// Finals want somebody who got there.
    double limit() const { return got_there_ ? of_races() : budget_; }

    /// What is left of the budget where finals follow.
    double of_races() const { return (1 - lengths_.kept) * budget_; }

    /// {rivals, yardsticks} of these.
    std::array<std::size_t, 2> groups(const std::vector<std::size_t>& arms) const {
        std::array<std::size_t, 2> counts{};
        for (const std::size_t arm : arms) ++counts[is_yardstick(arm) ? 1 : 0];
        return counts;
    }

    /// Whoever of each kind stands at a race's end, or stood before and is known to be better.
    std::vector<Standing> best_of(const std::vector<Standing>& before, std::vector<Standing> end) const {
        std::ranges::stable_sort(end, {}, by_cost);
        std::vector<Standing> best;
        for (Standing now : end) {
            const auto of_kind = [&](const Standing& each) { return is_yardstick(each.arm) == is_yardstick(now.arm); };
            if (std::ranges::any_of(best, of_kind)) continue;
            const auto old = std::ranges::find_if(before, of_kind);
            const bool known = old != before.end() && old->measured;
            if (known && (!now.measured || (old->arm != now.arm && old->cost < now.cost))) now = *old;
            best.push_back(now);
        }
        std::ranges::stable_sort(best, {}, by_cost);
        return best;
    }

    /// From what runs of so many doublings need at least.
    void expect(double needs, unsigned doublings) {
        if (!std::isfinite(needs)) return;
        const double all = doublings + std::ceil(std::log2(std::max(needs, 1.0))) + 1;
        expected_ = static_cast<unsigned>(std::min<double>(all, lengths_.most));
    }

    struct Round {
        unsigned rung, doublings, repeats;
        bool near = false;
    };

    /// What each candidate's runs come to, of the seeds on which every one of them ran: of `repeats` at most.
    std::vector<Standing> standings(std::map<std::size_t, std::vector<Reading>>& readings, const Round& round,
                                    std::size_t repeats) const {
        std::size_t all = repeats;
        for (const auto& [arm, runs] : readings) all = std::min(all, runs.size());
        std::vector<Standing> order;
        for (auto& [arm, runs] : readings) {
            runs.resize(all);
            std::vector<double> costs;
            for (const Reading& run : runs) costs.push_back(run.cost);
            const auto measured = static_cast<std::size_t>(std::ranges::count(runs, true, &Reading::measured));
            double most = 0;
            for (const Reading& run : runs) most = std::max(most, run.measured ? run.needs : 1);
            order.push_back({.arm = arm,
                             .cost = median(costs),
                             .race = number_,
                             .rung = round.rung,
                             .doublings = round.doublings,
                             .measured = 2 * measured > all,
                             .needs = most,
                             .runs = all});
        }
        return order;
    }

    /// The rung's candidates by their medians; empty where one of them had no run.
    std::vector<Standing> climb(const std::vector<std::size_t>& arms, const Round& round) {
        const auto [rung, doublings, repeats, near] = round;
        Rung about{
            .race = number_, .rung = rung, .doublings = doublings, .near = near, .arms = arms.size(), .order = {}};
        about.repeats = repeats;
        std::map<std::size_t, std::vector<Reading>> readings;
        std::vector<std::size_t> begun; // with the next one
        double needs = std::numeric_limits<double>::infinity();
        for (unsigned repeat = 0; repeat < about.repeats && !race_.stopped; ++repeat) {
            const Turn turn{number_, rung, doublings, seeds_++};
            std::vector<std::size_t> turns = arms;
            if (repeat > 0) std::erase_if(turns, [&](std::size_t arm) { return !readings.contains(arm); });
            if (rung > 0) put_in_random_order(turns, random_);
            for (const std::size_t arm : turns) {
                if (rung == 0 && repeat == 0) {
                    begun.push_back(arm);
                    if (about.runs > 0 && !bears(begun, 0, 0, begun_)) break;
                }
                if (over()) break;
                const auto reading = measure_(arm, turn);
                if (!reading) {
                    race_.stopped = true;
                    break;
                }
                readings[arm].push_back(*reading);
                about.spent += reading->spent;
                race_.spent += reading->spent;
                ++about.runs;
                if (number_ == 0 && !near) {
                    needs = std::min(needs, reading->needs);
                    expect(needs, doublings);
                }
                seconds_[arm] = reading->spent / lengths_.weight(doublings);
                if (near) continue; // whose first runs load what later ones find
                double& least = least_.try_emplace(arm, std::numeric_limits<double>::infinity()).first->second;
                least = std::min(least, reading->spent / lengths_.weight(doublings));
            }
            if (rung == 0 && repeat == 0) about.arms = readings.size();
        }
        std::vector<Standing> order = standings(readings, round, about.repeats);
        got_there_ |= std::ranges::any_of(order, &Standing::measured);
        std::ranges::stable_sort(order, {}, &Standing::cost);
        const bool measured = !order.empty() && (rung == 0 || near || order.size() == arms.size());
        about.whole = measured && about.runs == about.arms * about.repeats;
        if (!measured) order.clear();
        about.order = order;
        if (about.runs > 0) race_.rungs.push_back(about);
        return order;
    }

    /// Whether what is left of a race of these from this rung on fits into the budget without what was `spent`. It goes
    /// by what runs cost so far. Runs double in length with every rung as far as is expected.
    bool bears(const std::vector<std::size_t>& arms, unsigned rung, unsigned doublings, double spent) const {
        double runs = 0; // of no doublings, that all rungs together are worth
        const bool compared = std::ranges::any_of(yardsticks_, [](std::size_t own) { return own != kNoYardstick; });
        std::array<std::size_t, 2> room = groups(arms);
        for (;; ++rung, ++doublings) {
            const bool last = rung > 0 && std::ranges::max(room) <= 1;
            const std::size_t now = room[0] + room[1] + (last && compared ? 1 : 0); // the winner's own yardstick
            const double length = lengths_.weight(std::min(doublings, expected_));
            const unsigned seeds = rung == 0 ? seeds_at_first_ : last ? 1 : repeats_of(now);
            runs += static_cast<double>(now * seeds) * length;
            if (last) break;
            room = half_of(room);
        }
        double each = 0;
        for (const auto& [arm, least] : least_) each += least / static_cast<double>(least_.size());
        return runs * each <= end_ - spent;
    }

    static std::array<std::size_t, 2> half_of(std::array<std::size_t, 2> counts) {
        for (std::size_t& count : counts) count = (count + 1) / 2;
        return counts;
    }

    /// The better half of rivals and of yardsticks each, rounded up.
    std::vector<std::size_t> better_half(const std::vector<std::size_t>& all) const {
        std::vector<std::size_t> left;
        std::array<std::size_t, 2> room = half_of(groups(all));
        for (const std::size_t arm : all) {
            std::size_t& places = room[is_yardstick(arm) ? 1 : 0];
            if (places == 0) continue;
            --places;
            left.push_back(arm);
        }
        return left;
    }

    const std::vector<std::size_t>& yardsticks_;
    const double budget_;
    const Lengths& lengths_;
    unsigned expected_; // doublings of the last runs of this race
    const Measure& measure_;
    const Neighbours& neighbours_;
    unsigned seeds_at_first_;               // in this race's rung 0
    std::mt19937_64 random_{1};             // the order of runs within a seed
    std::map<std::size_t, Standing> best_;  // of each that was measured
    std::map<std::size_t, double> seconds_; // of a run of no doublings, by each one's last run
    std::set<std::size_t> near_;            // that were tried as neighbours, or whose neighbours were
    unsigned number_ = 0, seeds_ = 0;       // of this race; of the next seed
    unsigned rungs_ = 0;                    // of this race so far
    double begun_ = 0, end_ = 0;            // of this race: what was spent before, and may be in the end
    bool got_there_ = false;                // somebody, in most runs of a rung
    std::map<std::size_t, double> least_;   // seconds of a run of rung 0, by each one's cheapest run
    Race race_;
};

} // namespace

double length_of(const Standing& of) { return std::ldexp(of.needs, static_cast<int>(of.doublings)); }

unsigned doublings_of(double length) { return static_cast<unsigned>(std::max(0.0, std::ceil(std::log2(length)))); }

void put_reached_first(std::vector<Standing>& order, const std::vector<bool>& usual) {
    const auto reached = [](const Standing& each) { return each.measured; };
    if (std::stable_partition(order.begin(), order.end(), reached) != order.begin()) return;
    const auto taken = std::ranges::find_if(order, [&](const Standing& each) { return usual[each.arm]; });
    if (taken != order.end()) std::rotate(order.begin(), taken, taken + 1);
}

Race halve(const std::vector<std::size_t>& yardsticks, double budget, const Lengths& lengths, const Measure& measure,
           const Neighbours& neighbours) {
    return Halving(yardsticks, budget, lengths, measure, neighbours).run();
}

} // namespace hogwild
