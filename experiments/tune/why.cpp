// What tuning found, and why: for people and for programs.
#include "experiments/json.h"
#include "experiments/manifest.h"
#include "experiments/numbers.h"
#include "experiments/product.h"
#include "experiments/scripts.h"
#include "experiments/sweep/run_words.h"
#include "experiments/text_table.h"
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
    return fmt::format("{}", fmt::join(words, " "));
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
                       human(rung.spent), rung.whole ? "" : "cut off by the budget"});
    }
    return table.text();
}

std::string finalists_text(const Tuned& tuned) {
    const std::vector<Finalist>& finalists = tuned.finalists;
    TextTable table;
    table.add_column("finalist", Align::kLeft);
    for (const char* title : {"race", "rung", "reached"}) table.add_column(title, Align::kRight);
    table.add_column("time to target", Align::kRight);
    table.add_column("= updates to it", Align::kRight);
    table.add_column("/ updates per second", Align::kRight);
    for (const Finalist& each : finalists) {
        table.add_row({describe(each.plan), fmt::format("{}", each.standing.race + 1),
                       fmt::format("{}", each.standing.rung + 1), fmt::format("{}/{}", each.reached, each.runs),
                       human_seconds(each.seconds), human(each.updates), human(each.rate)});
    }
    std::string text = table.text();
    const auto looks_faster = [&](const Finalist& each) { return each.seconds < finalists.front().seconds; };
    const auto is_other_serial = [&](const Finalist& each) {
        return tuned.serial && each.plan.scheme == "serial" && each.seconds < tuned.serial->seconds;
    };
    const bool faster = std::ranges::any_of(finalists, looks_faster);
    const bool other_serial = std::ranges::any_of(finalists, is_other_serial);
    if (faster || other_serial)
        text += "times compare within one rung of one race alone, where all ran in turn on the same seeds";
    if (faster) text += ": what looks faster than the first line lost its race, or that was cut off";
    if (other_serial) text += "; the first line is compared with the serial code of its rung";
    if (faster || other_serial) text += '\n';
    return text;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json finalist_json(const Finalist& of) {
    return {{"plan", plan_json(of.plan)},
            {"race", of.standing.race + 1},
            {"rung", of.standing.rung + 1},
            {"reached", of.reached},
            {"runs", of.runs},
            {"seconds_to_target", number(of.seconds)},
            {"updates_to_target", number(of.updates)},
            {"updates_per_second", number(of.rate)}};
}

/// time = updates / rate, of one that got there.
Json times_json(const Finalist& of) {
    const auto known = [&](double value) { return std::isfinite(of.seconds) ? number(value) : Json(); };
    return {{"seconds_to_target", known(of.seconds)},
            {"updates_to_target", known(of.updates)},
            {"updates_per_second", known(of.rate)}};
}

} // namespace

std::string why(const Tuned& tuned) {
    const Finalist& best = tuned.finalists.front();
    if (!std::isfinite(best.seconds)) {
        return "no candidate reached the target in most of its last runs, so these are the defaults; try a longer "
               "--budget, more --epochs, another --step, or a target further off\n";
    }
    if (best.seconds == 0) return "the target is reached before the first step, by whomever; try a harder one\n";
    if (best.plan.scheme == "serial") return "nothing was faster than serial code in its last rung\n";
    if (!tuned.serial) return "serial code was not tried\n";
    const Finalist& serial = *tuned.serial;
    if (!std::isfinite(serial.seconds)) return "serial code did not reach the target in most of its runs beside it\n";
    return fmt::format("{} times as fast as serial = {} times the updates per second / {} times the updates\n",
                       human(serial.seconds / best.seconds), human(best.rate / serial.rate),
                       human(best.updates / serial.updates));
}

std::string tuned_text(const Tuned& tuned, double budget) {
    const Finalist& best = tuned.finalists.front();
    const bool compares = tuned.serial && std::isfinite(best.seconds) && std::isfinite(tuned.serial->seconds);
    Json json{{"budget_seconds", budget}, {"spent_seconds", tuned.race.spent}, {"trials", tuned.trials}};
    json.update(times_json(best));
    json["serial"] = compares ? times_json(*tuned.serial) : Json();
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
    text += "best: " + describe(tuned.finalists.front().plan) + '\n' + why(tuned);
    return text + "again: " + command_of(tuned) + '\n';
}

std::string tune_json(const Tuned& tuned, double budget) {
    Json json{{"budget_seconds", budget},
              {"spent_seconds", tuned.race.spent},
              {"before_seconds", tuned.before},
              {"candidates", tuned.candidates},
              {"candidates_begun", tuned.candidates - tuned.race.left_out},
              {"trials", tuned.trials},
              {"target", tuned.target},
              {"command", words_of(tuned.settings)},
              {"serial", tuned.serial ? finalist_json(*tuned.serial) : Json()}};
    for (std::size_t i = 0; i < tuned.race.rungs.size(); ++i) {
        const Rung& rung = tuned.race.rungs[i];
        json["rungs"].push_back({{"race", rung.race + 1},
                                 {"rung", rung.rung + 1},
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
