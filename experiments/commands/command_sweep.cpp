// hogwild sweep: its options.
#include "experiments/commands/commands.h"

#include "engine/error.h"
#include "experiments/options/duration.h"

#include <CLI/CLI.hpp>

#include <string>

namespace hogwild {
namespace {

Rerun parse_rerun(const std::string& text) {
    if (text == "failed") return Rerun::kFailed;
    if (text == "stale") return Rerun::kStale;
    if (text == "all") return Rerun::kAll;
    throw Error(Failure::kUsage, "--rerun cannot be '" + text + "'", "it is not what runs are told apart by",
                "choose one of failed, stale, all");
}

} // namespace

void add_sweep_options(CLI::App& app, SweepOptions& options) {
    app.description("Run everything that a file asks for, tuned and repeated, so that it can be stopped and goes on.");
    app.footer("Example:\n"
               "  hogwild sweep experiments/specs/quickstart.toml\n"
               "The same command after an interrupt, a crash or a full disk goes on where it stopped. Every run has a "
               "process\n"
               "of its own. Exit codes: as of hogwild run, also of a report that cannot be written; a missed target is "
               "no failure.");
    app.add_option("FILE", options.file, "What to run (results/README.md says what it may hold)")->required();
    app.add_option("-o,--output", options.output, "Where results go, and go on (default: hogwild-out/<FILE's name>)")
        ->type_name("DIR");
    app.add_option("--set", options.changes, "Changes a setting of the file: run.epochs=3, axes.threads=1,2")
        ->type_name("TABLE.KEY=VALUE")
        ->expected(1)
        ->take_all();
    app.add_flag("--dry-run", options.dry_run, "Say what would run, and about how long it would take");
    app.add_flag("--tune-only", options.tune_only, "Run the trials, and no final runs: before --shard");
    app.add_flag("--smoke", options.smoke, "Few and tiny runs in a folder of their own, to see that everything works");
    app.add_flag_callback(
        "--no-report", [&] { options.report = false; }, "Write no report.html at the end");
    app.add_option("--tensorboard", options.tensorboard,
                   "Write event files for TensorBoard too at the end, in place of an earlier export")
        ->type_name("OUT");
    app.add_option_function<std::string>(
           "--shard", [&](const std::string& text) { options.shard = parse_shard(text); },
           "The i-th of n parts, by seeds; folders of shards merge by copying them together")
        ->type_name("i/n");
    app.add_option_function<std::string>(
           "--rerun", [&](const std::string& text) { options.runner.rerun = parse_rerun(text); },
           "Run again what is done: failed; stale, of another commit (uncommitted: another build); or all")
        ->type_name("failed|stale|all");
    app.add_option_function<std::string>(
           "--timeout", [&](const std::string& text) { options.runner.timeout = seconds_of("--timeout", text); },
           "A run that takes longer is stopped, and has failed (default: fifty times what --dry-run predicts, at least "
           "ten minutes)")
        ->type_name("TIME");
    app.add_option_function<std::string>(
           "--stop-after",
           [&](const std::string& text) { options.runner.stop_after = seconds_of("--stop-after", text); },
           "Begin no seed later than this and stop, as after an interrupt (default: none)")
        ->type_name("TIME");
    auto* const fail_fast = app.add_flag("--fail-fast", options.runner.fail_fast, "Stop at the first run that fails");
    app.add_flag("--keep-going")->description("Go on after a run that fails (the default)")->excludes(fail_fast);
    app.add_flag("--quiet", options.runner.quiet, "Only errors, and how many runs are left");
}

int sweep_command(const SweepOptions& options) { return sweep(options); }

} // namespace hogwild
