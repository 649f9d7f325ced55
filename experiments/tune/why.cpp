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

std::string finalists_text(const std::vector<Finalist>& finalists) {
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
    if (std::ranges::any_of(finalists, looks_faster))
        text += "times compare within one rung of one race alone, where all ran in turn on the same seeds: what looks "
                "faster than the first line lost its race, or that was cut off\n";
    return text;
}

/// A winner and serial code that both got there.
bool comparable(const Tuned& tuned) {
    return tuned.serial && std::isfinite(tuned.serial->seconds) && std::isfinite(tuned.finalists.front().seconds);
}

std::string why(const Tuned& tuned) {
    const Finalist& best = tuned.finalists.front();
    if (!std::isfinite(best.seconds)) return std::string(kNoneReached);
    if (best.plan.scheme == "serial") return "nothing tried was faster than serial code\n";
    if (!tuned.serial) return "serial code was not tried\n";
    if (!comparable(tuned)) return "serial code did not reach the target in most of its last runs\n";
    const Finalist& serial = *tuned.serial;
    return fmt::format("{} times as fast as serial = {} times the updates per second / {} times the updates\n",
                       human(serial.seconds / best.seconds), human(best.rate / serial.rate),
                       human(best.updates / serial.updates));
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

} // namespace

std::string tune_report(const Tuned& tuned, double budget) {
    const std::size_t begun = tuned.candidates - tuned.race.left_out;
    std::string text =
        fmt::format("{} of {} candidates in {} runs, {} of a budget of {}; {} before for samples and "
                    "optimum\ntarget {}\n\n",
                    grouped(begun), grouped(tuned.candidates), grouped(tuned.trials), human_seconds(tuned.race.spent),
                    human_seconds(budget), human_seconds(tuned.before), tuned.target);
    text += rungs_text(tuned) + '\n' + finalists_text(tuned.finalists) + '\n';
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
