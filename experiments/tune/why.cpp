// What tuning found, and why: for people and for programs.
#include "engine/called.h"
#include "engine/numbers.h"
#include "engine/plan/scheme_traits.h"
#include "experiments/folder/manifest.h"
#include "experiments/plans/product.h"
#include "experiments/scripts/scripts.h"
#include "experiments/statistics/judgement.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/text/json.h"
#include "experiments/text/text_table.h"
#include "experiments/tune/tune.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace hogwild {
namespace {

std::string command_of(const Tuned& tuned) {
    std::vector<std::string> words = words_of(tuned.settings);
    for (std::string& word : words) word = shell_word(word);
    words[0] = called();
    return fmt::format("{}", fmt::join(words, " "));
}

const char* remark(const Rung& rung) {
    if (rung.near) return rung.whole ? "neighbours" : "neighbours, cut off by the budget";
    return rung.whole ? "" : "cut off by the budget";
}

std::string rungs_text(const Tuned& tuned) {
    TextTable table;
    for (const char* title : {"race", "rung", "candidates", "epochs", "seeds", "runs", "seconds"})
        table.add_column(title, Align::kRight);
    table.add_column("", Align::kLeft);
    for (std::size_t i = 0; i < tuned.race.rungs.size(); ++i) {
        const Rung& rung = tuned.race.rungs[i];
        table.add_row({fmt::format("{}", rung.race + 1), fmt::format("{}", rung.rung + 1), grouped(rung.arms),
                       fmt::format("{}", tuned.epochs.at(i)), fmt::format("{}", rung.repeats), grouped(rung.runs),
                       human(rung.spent), remark(rung)});
    }
    if (const Finals& of = tuned.finals; of.seeds > 0) {
        const std::set<std::uint32_t>& lengths = tuned.final_epochs;
        const std::string epochs = lengths.size() > 1 ? fmt::format("{} to {}", *lengths.begin(), *lengths.rbegin())
                                                      : fmt::format("{}", fmt::join(lengths, ""));
        table.add_row({"finals", "", grouped(of.contenders.size()), epochs, fmt::format("{}", of.seeds),
                       grouped(of.runs), human(of.spent), ""});
    }
    return table.text();
}

std::string interval_text(const RatioInterval& of) {
    if (of.low == 0 && std::isinf(of.high)) return human(of.ratio) + " [unknown]"; // of too few seeds
    return fmt::format("{} [{} .. {}]", human(of.ratio), human(of.low), human(of.high));
}

std::string verdict_of(const RatioInterval& speed_up) {
    return std::string(name(judge({1 / speed_up.ratio, 1 / speed_up.high, 1 / speed_up.low})));
}

std::string finalists_text(const Tuned& tuned) {
    TextTable table;
    table.add_column(tuned.finals.seeds > 0 ? "finalist" : "candidate", Align::kLeft);
    for (const char* title :
         {"reached", "time to target", "= updates to it", "/ updates per second", "over serial [95 %]"})
        table.add_column(title, Align::kRight);
    table.add_column("verdict", Align::kLeft);
    for (const Finalist& each : tuned.finalists) {
        table.add_row({describe(each.plan), fmt::format("{}/{}", each.reached, each.runs), human_seconds(each.seconds),
                       human(each.updates), human(each.rate),
                       each.over_serial ? interval_text(*each.over_serial) : human(kNone),
                       each.over_serial ? verdict_of(*each.over_serial) : ""});
    }
    std::string text = table.text();
    if (tuned.finals.seeds == 0) {
        text += fmt::format("times of the last rungs in which these were, of different seeds and lengths: {}\n",
                            tuned.finals.runs > 0 ? "no finals came to an end" : "there were no finals");
    } else {
        text += "time to target: what all runs took, over how many got there\n";
    }
    if (tuned.disturbed > 0) {
        text += fmt::format(
            "{} of {} runs waited for cores in more than a twentieth of their time: tune on a quiet machine\n",
            tuned.disturbed, tuned.finals.runs);
    }
    return text;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json interval_json(const std::optional<RatioInterval>& of) {
    if (!of) return {};
    return {{"ratio", number(of->ratio)},
            {"low", number(of->low)},
            {"high", number(of->high)},
            {"verdict", verdict_of(*of)}};
}

Json finalist_json(const Finalist& of) {
    return {{"plan", plan_json(of.plan)},
            {"reached", of.reached},
            {"runs", of.runs},
            {"seconds_to_target", number(of.seconds)},
            {"updates_to_target", number(of.updates)},
            {"updates_per_second", number(of.rate)},
            {"over_serial", interval_json(of.over_serial)}};
}

/// time = updates / rate, of one that got there.
Json times_json(const Finalist& of) {
    const auto known = [&](double value) { return std::isfinite(of.seconds) ? number(value) : Json(); };
    return {{"seconds_to_target", known(of.seconds)},
            {"updates_to_target", known(of.updates)},
            {"updates_per_second", known(of.rate)}};
}

const char* name(StepSides of) {
    return of == StepSides::kUntried ? "untried" : of == StepSides::kEdge ? "edge" : "tried";
}

struct Advised {
    std::string said, advice;
};

constexpr double kFewer = 0.9; // of serial code's updates: what averages of workers may save, but seldom do
constexpr const char* kLonger = "try a longer --budget, more --epochs, another --step, or a target further off";

/// For a winner that is serial code.
Advised why_serial(const Tuned& tuned) {
    const auto rival = std::ranges::find_if(
        tuned.finalists, [](const Finalist& each) { return !is_serial(each.plan) && each.over_serial.has_value(); });
    if (rival != tuned.finalists.end() && rival->reached == 0)
        return {"no other one reached the target in the finals", ""};
    if (rival != tuned.finalists.end()) {
        const std::string verdict = verdict_of(*rival->over_serial);
        return {fmt::format("{}: the best other one is at {} of its speed, {}",
                            verdict == name(Judgement::kSlower) ? "nothing was faster than serial code"
                                                                : "serial code was the soonest, but not for certain",
                            interval_text(*rival->over_serial), verdict),
                ""};
    }
    if (!tuned.rivals) return {"nothing but serial code was asked for", ""};
    return {"nothing but serial code reached the target in most runs of a rung",
            tuned.race.left_out > 0 ? "a longer --budget tries more" : ""};
}

/// For a winner that met serial code in finals, where both got there.
Advised why_rival(const Tuned& tuned) {
    const Finalist &best = tuned.finalists.front(), &serial = tuned.finalists[*tuned.serial];
    const unsigned seeds = tuned.finals.seeds;
    const RatioInterval& over = *best.over_serial;
    const std::string verdict = verdict_of(over);
    const bool undecided = verdict == name(Judgement::kUndecided), fewer = best.updates < kFewer * serial.updates;
    const bool open = tuned.serial_step == StepSides::kUntried, edge = tuned.serial_step == StepSides::kEdge;
    std::string said = fmt::format(
        "{} times as fast as serial = {} times the updates per second / {} times the updates: {}, {} seed{}",
        interval_text(over), human(best.rate / serial.rate), human(best.updates / serial.updates), verdict, seeds,
        seeds == 1 ? "" : "s");
    if (undecided) said += "\nundecided: serial code may be as fast";
    if (open) said += "\nserial code may be faster at a step beside its best one, which was not tried long enough";
    if (edge) said += "\nserial code may be faster at a step beyond its best one, the last that is searched";
    if (fewer && !open && !edge)
        said += "\nit needs fewer updates than serial code, which is slower at every other step that was tried";
    if (undecided && !open && seeds == kMostSeeds) return {said, "a sweep of the two with more seeds could tell"};
    return {said, undecided || open ? "try a longer --budget" : edge ? "try --step-scale" : ""};
}

Advised reason(const Tuned& tuned) {
    const Finalist& best = tuned.finalists.front();
    if (!std::isfinite(best.seconds))
        return {"no candidate reached the target in most of its last runs, so these are the defaults", kLonger};
    if (!mostly_reached(best))
        return {fmt::format("it reached the target in {} of {} runs only", best.reached, best.runs), kLonger};
    if (best.seconds == 0) return {"the target is reached before the first step, by whomever", "try a harder one"};
    if (tuned.finals.seeds == 0)
        return {tuned.finals.runs > 0
                    ? "the finals were cut off or nobody reached the target in them, so nothing is compared"
                    : "the best did not meet in finals, so nothing is compared",
                "try a longer --budget"};
    if (!tuned.serials) return {"serial code was not asked for, so nothing is compared with it", "add it to --scheme"};
    if (!tuned.serial)
        return {"serial code did not reach the target in most runs of any rung, so nothing is compared with it", ""};
    if (tuned.serial == 0u) return why_serial(tuned);
    const Finalist& serial = tuned.finalists[*tuned.serial];
    if (!std::isfinite(serial.seconds)) return {"serial code did not reach the target beside it", ""};
    return why_rival(tuned);
}

} // namespace

std::string why(const Tuned& tuned) {
    const bool stopped = tuned.race.stopped;
    const Advised of = reason(tuned);
    std::string text = stopped ? fmt::format("interrupted after {}: ", human_seconds(tuned.race.spent)) : "";
    text += of.said;
    if (!stopped && !of.advice.empty()) text += "; " + of.advice;
    const Finalist& best = tuned.finalists.front();
    if (mostly_reached(best) && best.reached < best.runs)
        text += fmt::format("\nit missed the target in {} of {} runs, whose time is counted: more --epochs may help",
                            best.runs - best.reached, best.runs);
    if (2 * tuned.disturbed > tuned.finals.runs)
        text += "\nmost runs waited for cores, which no interval knows of: tune on a quiet machine";
    return text + '\n';
}

std::string tuned_text(const Tuned& tuned, double budget) {
    const Finalist& best = tuned.finalists.front();
    const bool compares =
        tuned.serial && std::isfinite(best.seconds) && std::isfinite(tuned.finalists[*tuned.serial].seconds);
    Json json{{"budget_seconds", budget}, {"spent_seconds", tuned.race.spent}, {"trials", tuned.trials}};
    json.update(times_json(best));
    json["seeds"] = tuned.finals.seeds;
    json["over_serial"] = interval_json(best.over_serial);
    json["serial"] = compares ? times_json(tuned.finalists[*tuned.serial]) : Json();
    json["command"] = words_of(tuned.settings);
    return json_text(json);
}

std::string tune_report(const Tuned& tuned, double budget) {
    const std::size_t begun = tuned.candidates - tuned.race.left_out;
    std::string text =
        fmt::format("{} of {} candidates in {} runs, {} of a budget of {}; {} before for samples and "
                    "optimum\ntarget {}\n\n",
                    grouped(begun), grouped(tuned.candidates), grouped(tuned.trials), human_seconds(tuned.race.spent),
                    human_seconds(budget), human_seconds(tuned.before), tuned.target);
    text += rungs_text(tuned) + '\n' + finalists_text(tuned) + '\n';
    const Finalist& best = tuned.finalists.front();
    text += (std::isfinite(best.seconds) ? "best: " : "by default: ") + describe(best.plan) + '\n' + why(tuned);
    return text + "again: " + command_of(tuned) + '\n';
}

std::string tune_json(const Tuned& tuned, double budget) {
    Json json{{"budget_seconds", budget},
              {"spent_seconds", tuned.race.spent},
              {"before_seconds", tuned.before},
              {"candidates", tuned.candidates},
              {"candidates_begun", tuned.candidates - tuned.race.left_out},
              {"trials", tuned.trials},
              {"interrupted", tuned.race.stopped},
              {"target", tuned.target},
              {"command", words_of(tuned.settings)},
              {"serial", tuned.serial ? finalist_json(tuned.finalists[*tuned.serial]) : Json()},
              {"serial_step", tuned.serial ? Json(name(tuned.serial_step)) : Json()},
              {"disturbed", tuned.disturbed},
              {"final",
               {{"candidates", tuned.finals.contenders.size()},
                {"epochs", tuned.final_epochs},
                {"seeds", tuned.finals.seeds},
                {"runs", tuned.finals.runs},
                {"seconds", tuned.finals.spent}}}};
    for (std::size_t i = 0; i < tuned.race.rungs.size(); ++i) {
        const Rung& rung = tuned.race.rungs[i];
        json["rungs"].push_back({{"race", rung.race + 1},
                                 {"rung", rung.rung + 1},
                                 {"neighbours", rung.near},
                                 {"candidates", rung.arms},
                                 {"epochs", tuned.epochs.at(i)},
                                 {"seeds", rung.repeats},
                                 {"runs", rung.runs},
                                 {"seconds", rung.spent},
                                 {"whole", rung.whole}});
    }
    for (const Finalist& each : tuned.finalists) json["finalists"].push_back(finalist_json(each));
    return json_text(json, -1) + '\n';
}

} // namespace hogwild
