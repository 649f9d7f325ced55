#include "experiments/commands/command_tune.h"

#include "engine/called.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/names.h"
#include "experiments/commands/commands.h"
#include "experiments/files/durable.h"
#include "experiments/files/output_not_input.h"
#include "experiments/folder/apart_from_results.h"
#include "experiments/folder/results_folder.h"
#include "experiments/inputs/input_files.h"
#include "experiments/model/model.h"
#include "experiments/options/command_line.h"
#include "experiments/options/duration.h"
#include "experiments/plans/product.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/printable.h"
#include "experiments/text/tell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hogwild {
namespace {

/// Those of `hogwild run` that mean nothing where many short runs are made.
constexpr const char* kNotOfTuning[] = {"--save",     "--grid",        "--checkpoint", "--resume",
                                        "--in-order", "--no-warm-up",  "--plot",       "--no-plot",
                                        "--optimum",  "--tensorboard", "--budget"};

int exit_code(const Tuned& tuned) {
    if (tuned.race.stopped) return kExitInterrupted;
    return mostly_reached(tuned.finalists.front()) ? kExitDone : kExitMissedTarget;
}

} // namespace

void add_tune_options(CommandLine& app, TuneOptions& options) {
    add_run_options(app, options.run);
    for (const char* name : kNotOfTuning) app.remove(name);
    app.about("Find the scheme, workers, policy and step that reach the target soonest here, and say why.");
    app.footer(
        "Examples:\n"
        "  hogwild tune --data train.svm.xz --problem logistic\n"
        "  hogwild tune --data synthetic:rcv1/20 --scheme hogwild,local-sgd --threads 2 --budget 20s\n"
        "  hogwild tune --problem factorization --data ratings.tsv.xz --target test_rmse:0.9\n"
        "Successive halving: many candidates have short runs, the better half goes on, with runs twice as long until\n"
        "all that are left reach the target (64 epochs at most, unless --epochs is given). An axis that is given has\n"
        "these values; what is not is searched: schemes, threads, racy or atomic updates, direct or replicated hot\n"
        "coordinates, steps, batches, exchanges, clusters; what a scheme does by default comes first. A quarter of\n"
        "the budget is for finals: the few that may be the fastest run up to twenty seeds that nobody had, and have\n"
        "speed-ups over serial code with 95 % intervals and verdicts. Without a --target it is gap:1e-2, of problems\n"
        "whose optimum can be certified; others, such as networks, need one. The last lines say why the best is the\n"
        "best, beside serial code, and which command runs it. Exit codes: as of hogwild run; 4 where the best does "
        "not\n"
        "reach the target in most of its runs.");
    app.on_option(
           "--budget", [&](const std::string& text) { options.budget = seconds_of("--budget", text); },
           "Time for all trials, by the clock on the wall; loading and the optimum come before (default: 60s)")
        .shown_as("TIME")
        .in("What is measured");
    const auto without_auto = [&](const char* option, const char* axis, const char* about) {
        app.option(option).shown_as(fmt::format("{}", fmt::join(known_names(axis), "|"))).about(about);
    };
    without_auto("--scheme", "scheme", "Who works when (default: every scheme is tried)");
    without_auto("--hot-updates", "hot-updates",
                 "hogwild's threads: how increments of the --hot hottest coordinates are written, see "
                 "hogwild run --help (default: direct and replicated are tried)");
    app.option("--json").about("One JSON object on standard output, instead of text");
}

int tune_command(const TuneOptions& options, const std::vector<std::string>& command) {
    Interrupt interrupt;
    const Tuned tuned = tune(options, command, true, interrupt);
    if (tuned.finalists.empty()) {
        tell("{}", kNothingMeasured);
        return kExitInterrupted;
    }
    print(options.run.json ? tune_json(tuned, options.budget) : printable(tune_report(tuned, options.budget)));
    if (options.run.target && !options.run.quiet && !mostly_reached(tuned.finalists.front())) {
        const std::string line = bare_number_line(*options.run.target, tuned.finalists.front().plan.problem);
        if (!line.empty()) tell("{}\n", line);
    }
    if (!options.run.quiet) tell("trials: {}\n", tuned.folder.string());
    return exit_code(tuned);
}

bool is_auto(const RunOptions& options) {
    const auto& schemes = options.axes.texts("scheme");
    if (!has_auto(schemes)) return false;
    const auto refuse = [](const std::string& what, const char* why, const std::string& suggestion) {
        throw Error(Failure::kUsage, "--scheme auto cannot go with " + what, why, suggestion);
    };
    if (schemes.size() > 1) refuse("other schemes", "it is the best of all", "give auto alone, or schemes by name");
    if (options.checkpoint || options.resume)
        refuse("--checkpoint or --resume", "another tuning might find another run",
               fmt::format("run {} tune, then the command that it prints", called()));
    return true;
}

int auto_command(const RunOptions& options, const std::vector<Setting>& typed,
                 const std::vector<std::string>& command) {
    ResultsFolder::check(options.output); // what the run cannot write is said before the tuning
    if (!options.save.empty()) {
        check_apart("--save", options.save, input_files(options.data, options.test));
        check_apart_from_results("--save", options.save, options.output);
        check_model_file(options.save);
    }
    TuneOptions asked{options, options.budget.value_or(kAutoBudget), typed};
    asked.run.axes.given.erase("--scheme");
    std::erase_if(asked.typed, [](const Setting& setting) { return setting.option == "scheme"; });
    Tuned tuned;
    {
        Interrupt interrupt;
        tuned = tune(asked, command, false, interrupt);
    }
    if (tuned.finalists.empty() || tuned.race.stopped) {
        if (tuned.finalists.empty()) {
            tell("{}", kNothingMeasured);
        } else {
            tell("interrupted while tuning, so nothing was run; --scheme auto keeps no trials, hogwild tune does\n{}",
                 tune_report(tuned, asked.budget));
        }
        return kExitInterrupted;
    }
    if (!options.quiet) {
        tell("auto: {}, the best of {} candidates by {} trials in {}, which no run's clock counts\n{}",
             describe(tuned.finalists.front().plan), grouped(tuned.candidates - tuned.race.left_out),
             grouped(tuned.trials), human_seconds(tuned.race.spent), why(tuned));
    }
    RunOptions found = options_of(tuned.settings);
    found.axes.counts("seed") = options.axes.counts("seed");
    found.output = options.output;
    found.save = options.save;
    found.grid = options.grid;
    found.tensorboard = options.tensorboard;
    found.json = options.json;
    found.quiet = options.quiet;
    found.plot = options.plot;
    found.in_order = options.in_order;
    found.warm_up = options.warm_up;
    found.tuned = tuned_text(tuned, asked.budget);
    return run_command(found, command);
}

} // namespace hogwild
