#include "experiments/tune/tune.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/machine/provenance.h"
#include "engine/numbers.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "engine/run.h"
#include "experiments/folder/long_command.h"
#include "experiments/folder/result.h"
#include "experiments/folder/run_key.h"
#include "experiments/inputs/announce.h"
#include "experiments/inputs/inputs.h"
#include "experiments/options/old_spellings.h"
#include "experiments/plans/product.h"
#include "experiments/session/measured.h"
#include "experiments/session/session.h"
#include "experiments/statistics/expected_cost.h"
#include "experiments/table/notes.h"
#include "experiments/tune/arms.h"
#include "experiments/tune/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <tuple>

namespace hogwild {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr double kMissed = 1e6; // times the forecast: what a run of full length that missed stands for
constexpr std::uint64_t kFirstSeed = 1001;
constexpr std::size_t kShown = 5;         // who is told of where there were no finals, but for serial code
constexpr std::uint32_t kTimedEpochs = 4; // at most, of the run that says what an epoch costs

/// What a trial leaves behind: the seconds and the updates until it reached the target, or all of them.
struct Run {
    Trial trial;
    double updates;
    bool disturbed;
};

Run run_of(const Result& result) {
    const TimeToTarget& target = result.to_target;
    const bool disturbed = was_disturbed(result);
    if (target.reached) return {{target.seconds, 1, 1}, target.updates, disturbed};
    return {{result.outcome.seconds, 0, status_traits(result.outcome.status).done ? 1.0 : 0.0},
            static_cast<double>(result.outcome.updates),
            disturbed};
}

class Tuning {
public:
    Tuning(const TuneOptions& options, const Arms& arms, const Origin& origin, const Objectives& objectives,
           ResultsFolder* folder, const Interrupt& interrupt)
        : options_(options),
          arms_(arms),
          plans_(arms.plans),
          yardsticks_(yardsticks(arms.plans)),
          objectives_(objectives),
          session_(options.run, origin, objectives, folder, interrupt) {}

    Race race() {
        session_.warm_up(plans_.front());
        const Plan& longest = longest_of(plans_);
        const std::uint32_t some = std::min(longest.epochs, kTimedEpochs);
        const double one = seconds_of_epochs(1), all = some > 1 ? seconds_of_epochs(some) : one;
        const double more = some > 1 ? std::max(0.0, all / one - 1) / (some - 1) : 0; // of an epoch, after the first
        const auto weight = [&](unsigned doublings) { return 1 + more * (epochs_of(longest, doublings) - 1); };
        Race race = halve(
            yardsticks_, options_.budget - spent_, {most_doublings(longest), weight, kShareOfFinals},
            [this](std::size_t arm, const Turn& turn) { return measure(arm, turn, Json::object()); },
            [this](std::size_t arm) { return neighbours(plans_, arm); });
        put_reached_first(race.order, arms_.usual);
        race.spent = spent_;
        return race;
    }

    /// None where the target was met before the first step.
    Finals meet(const Race& race) {
        if (race.stopped || race.order.empty() || race.order.front().cost == 0) return {};
        in_finals_ = true;
        Finals met = finals(race, contenders(race, yardsticks_), options_.budget - spent_,
                            [this](std::size_t arm, const Turn& turn) {
                                return measure(arm, turn, {{"finals", true}});
                            });
        const auto got_there = [&](const Contender& each) {
            return finalist(each.arm, met.race, 0, met.seeds, each.doublings).reached > 0;
        };
        if (std::ranges::none_of(met.contenders, got_there)) {
            met.contenders.clear();
            met.seeds = 0;
        }
        return met;
    }

    /// Best first, and compared.
    void put_finalists(Tuned& tuned) const {
        const Finals& of = tuned.finals;
        std::vector<std::pair<Finalist, std::size_t>> found;
        for (const auto& [arm, doublings] : of.contenders)
            found.emplace_back(finalist(arm, of.race, 0, of.seeds, doublings), arm);
        if (of.seeds == 0) {
            bool serial = false; // of it one at least, where it raced
            for (const Standing& each : tuned.race.order) {
                if (found.size() >= kShown && (serial || !is_yardstick(each.arm))) continue;
                serial |= is_yardstick(each.arm);
                found.emplace_back(finalist(each.arm, each.race, each.rung, each.runs, each.doublings), each.arm);
            }
        } else {
            std::ranges::stable_sort(found, {}, [](const auto& each) { return each.first.seconds; });
        }
        for (std::size_t i = 0; i < found.size() && !tuned.serial; ++i)
            if (is_yardstick(found[i].second)) tuned.serial = i;
        if (tuned.serial) {
            const auto& given = options_.run.axes.given;
            const bool searched = !given.contains("--step-size") && !given.contains("--step-scale");
            const std::size_t arm = found[*tuned.serial].second;
            tuned.serial_step = step_sides(tuned.race, of.contenders, arm, beside(plans_, arm), searched);
        }
        for (auto& [each, arm] : found) {
            if (of.seeds > 0 && tuned.serial && arm != found[*tuned.serial].second)
                each.over_serial = over(arm, found[*tuned.serial].second, of);
            tuned.finalists.push_back(each);
        }
        for (const Contender& each : of.contenders)
            for (const Run& run : runs_.at({each.arm, of.race, 0})) tuned.disturbed += run.disturbed ? 1 : 0;
    }

    std::size_t trials() const { return trials_; }

private:
    bool is_yardstick(std::size_t arm) const { return yardsticks_[arm] == arm; }

    /// What a candidate's first runs in that rung say.
    Finalist finalist(std::size_t arm, unsigned race, unsigned rung, std::size_t count, unsigned doublings) const {
        Finalist of{.plan = plans_[arm], .runs = count, .over_serial = {}};
        const std::vector<Run>& runs = runs_.at({arm, race, rung});
        std::vector<Trial> trials;
        double updates = 0, seconds = 0;
        for (std::size_t i = 0; i < count; ++i) {
            trials.push_back(runs[i].trial);
            updates += runs[i].updates;
            seconds += runs[i].trial.spent;
        }
        of.reached = successes(trials);
        const bool searched = !options_.run.axes.given.contains("--epochs");
        if (searched && of.reached > 0) of.plan.epochs = epochs_of(of.plan, doublings);
        of.seconds = expected_cost(trials);
        of.updates = of.reached > 0 ? updates / static_cast<double>(of.reached) : kNone;
        of.rate = seconds > 0 ? updates / seconds : kNone;
        return of;
    }

    RatioInterval over(std::size_t arm, std::size_t serial, const Finals& of) const {
        std::vector<TrialPair> pairs;
        for (unsigned seed = 0; seed < of.seeds; ++seed)
            pairs.push_back({runs_.at({arm, of.race, 0})[seed].trial, runs_.at({serial, of.race, 0})[seed].trial});
        return ratio_interval(pairs);
    }

    /// What a run of so many costs, all in: of the first candidate, and dropped. It is of the budget.
    double seconds_of_epochs(std::uint32_t epochs) {
        Plan plan = plans_.front();
        plan.epochs = epochs;
        const double begun = now();
        session_.attempt(plan, fmt::format("how long {} epochs take", epochs));
        const double spent = now() - begun;
        spent_ += spent;
        return spent;
    }

    std::optional<Reading> measure(std::size_t arm, const Turn& turn, const Json& about) {
        Plan plan = plans_[arm];
        plan.epochs = epochs_of(plan, turn.doublings);
        const auto& seeds = options_.run.axes.counts("seed");
        const bool given = options_.run.axes.given.contains("--seed");
        plan.seed = (given ? std::ranges::max(seeds) + 1 : kFirstSeed) + turn.seed; // none that a run of its own takes
        const double begun = now();
        const std::string name = fmt::format("{:04}-{}", trials_ + 1, short_name(plan));
        const std::string where = in_finals_ ? "finals" : fmt::format("rung {}", turn.rung + 1);
        const std::string title =
            fmt::format("[{:.0f} of {:.0f} s, {}] {}", spent_, options_.budget, where, describe(plan));
        const Result result = session_.trial(plan, name, title, about);
        if (status_traits(result.outcome.status).interrupted) return {};
        ++trials_;
        Reading reading{.spent = now() - begun,
                        .cost = cost_of(result, plan.epochs == plans_[arm].epochs),
                        .measured = result.to_target.reached};
        reading.needs = reading.measured ? result.to_target.updates / static_cast<double>(result.outcome.updates)
                                         : cost_of(result, false) / result.outcome.seconds;
        spent_ += reading.spent;
        runs_[{arm, turn.race, turn.rung}].push_back(run_of(result));
        return reading;
    }

    double cost_of(const Result& result, bool whole) const {
        if (result.to_target.reached) return result.to_target.seconds;
        if (!status_traits(result.outcome.status).done) return std::numeric_limits<double>::infinity();
        const Objective& objective = objectives_.of(result.plan);
        const double expected = forecast(result.outcome.observations, result.target, objective.optimum,
                                         watched(result.plan, result.target_of));
        return whole ? kMissed * expected : expected;
    }

    const TuneOptions& options_;
    const Arms& arms_;
    const std::vector<Plan>& plans_; // theirs
    const std::vector<std::size_t> yardsticks_;
    const Objectives& objectives_;
    Session session_;
    std::map<std::tuple<std::size_t, unsigned, unsigned>, std::vector<Run>> runs_; // by arm, race and rung
    std::size_t trials_ = 0;
    bool in_finals_ = false;
    double spent_ = 0;
};

[[noreturn]] void refuse_budget(double budget, double spent) {
    throw Error(
        Failure::kUsage, fmt::format("--budget {} is too short", human_seconds(budget)),
        fmt::format("runs that say how long epochs take spent {} before anything was measured", human_seconds(spent)),
        fmt::format("leave it out, or give it {:.0f}s or more", std::max(10.0, std::ceil(20 * spent))));
}

void refuse_gpus(const std::vector<Plan>& plans) {
    if (std::ranges::none_of(plans, wants_gpu)) return;
    throw Error(Failure::kUsage, "what is tuned cannot step on a GPU", "tuning runs on CPU threads",
                "leave --device and --memory out, and compare with hogwild run --device cpu,gpu");
}

/// `longest`: the plan with the most epochs.
void run_finals(Tuning& tuning, const Plan& longest, Tuned& tuned) {
    tuned.finals = tuning.meet(tuned.race);
    for (const Contender& each : tuned.finals.contenders) tuned.final_epochs.insert(epochs_of(longest, each.doublings));
    tuned.race.stopped |= tuned.finals.stopped;
    tuned.race.spent += tuned.finals.spent;
    tuned.trials = tuning.trials();
    tuning.put_finalists(tuned);
}

TargetOption target_of(const RunOptions& options) {
    if (options.target) return *options.target;
    return {.value = 1e-2, .is_gap = true};
}

} // namespace

Tuned tune(const TuneOptions& options, const std::vector<std::string>& command, bool keeps, Interrupt& interrupt) {
    const double begun = now();
    if (keeps) ResultsFolder::check(options.run.output);
    TuneOptions asked = options;
    asked.run.target = target_of(options.run);
    const CoreBudget cores = core_budget();
    const bool capped = !asked.run.oversubscribe && cap_threads(asked.run.axes.counts("threads"), cores.usable);
    searched(asked.run.axes); // what cannot be is said before a long load
    Inputs inputs = load_inputs(asked.run);
    const Arms tried = arms(asked.run.axes, inputs.train);
    const std::vector<Plan>& plans = tried.plans;
    refuse_gpus(plans);
    const Announce announce(!asked.run.quiet);
    announce.lines(spelling_lines(asked.run.axes));
    if (capped) announce.capped(plans, cores);
    announce.train(inputs);
    const Objectives objectives(asked.run, plans, inputs.train, inputs.test.has_value());
    announce.lines(objectives.notes());
    const Provenance provenance = read_provenance();
    announce.busy(provenance.machine.load_average, cores);
    const Placements placements(std::move(inputs.train), std::move(inputs.test), plans);
    const Origin origin =
        origin_of(placements, in_short(command), provenance, asked_text(asked.run.target, asked.run.optimum));
    Tuned tuned;
    tuned.candidates = plans.size();
    tuned.serials = std::ranges::any_of(plans, is_serial);
    tuned.rivals = !std::ranges::all_of(plans, is_serial);
    tuned.target = to_string(*asked.run.target);
    tuned.before = now() - begun;
    interrupt.arm();
    std::optional<ResultsFolder> folder;
    if (keeps) {
        folder.emplace(options.run.output);
        keep_command(folder->path(), command);
    }
    Tuning tuning(asked, tried, origin, objectives, folder ? &*folder : nullptr, interrupt);
    tuned.race = tuning.race();
    for (const Rung& rung : tuned.race.rungs) tuned.epochs.push_back(epochs_of(longest_of(plans), rung.doublings));
    tuned.trials = tuning.trials();
    if (tuned.race.order.empty()) {
        if (folder) folder->discard();
        tuned.race.stopped |= interrupt.requested().load(std::memory_order_relaxed);
        if (!tuned.race.stopped) refuse_budget(asked.budget, tuned.race.spent);
        return tuned;
    }
    run_finals(tuning, longest_of(plans), tuned);
    if (folder) tuned.folder = folder->path();
    std::vector<Setting> typed = options.typed;
    if (!options.run.target) typed.push_back({"target", tuned.target});
    tuned.settings = settings_of(tuned.finalists.front().plan, typed, placements.train());
    return tuned;
}

} // namespace hogwild
