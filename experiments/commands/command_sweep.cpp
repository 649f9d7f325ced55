// hogwild sweep: its options.
#include "experiments/commands/commands.h"

#include "engine/error.h"
#include "experiments/options/command_line.h"
#include "experiments/options/duration.h"
#include "experiments/sweep/sweep.h"

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

void add_sweep_options(CommandLine& app, SweepOptions& options) {
    app.about("Run everything that a file asks for, tuned and repeated, so that it can be stopped and goes on.");
    app.footer("Example:\n"
               "  hogwild sweep experiments/specs/quickstart.toml\n"
               "The same command after an interrupt, a crash or a full disk goes on where it stopped. Every run has a "
               "process\n"
               "of its own. Exit codes: as of hogwild run, also of a report that cannot be written; a missed target is "
               "no failure.");
    app.option("FILE", options.file, "What to run (docs/reference/sweep-file.md says what it may hold)").required();
    app.option("-o,--output", options.output, "Where results go, and go on (default: hogwild-out/<FILE's name>)")
        .shown_as("DIR");
    app.option("--set", options.changes, "Changes a setting of the file: run.epochs=3, axes.threads=1,2")
        .shown_as("TABLE.KEY=VALUE")
        .repeatable();
    app.flag("--dry-run", options.dry_run, "Say what would run, and about how long it would take");
    app.flag("--tune-only", options.tune_only, "Run the trials, and no final runs: before --shard");
    app.flag("--smoke", options.smoke, "Few and tiny runs in a folder of their own, to see that everything works");
    app.on_flag(
        "--no-report", [&] { options.report = false; }, "Write no report.html at the end");
    app.option("--tensorboard", options.tensorboard,
               "Write event files for TensorBoard too at the end, in place of an earlier export")
        .shown_as("OUT");
    app.on_option(
           "--shard", [&](const std::string& text) { options.shard = parse_shard(text); },
           "The i-th of n parts, by seeds; folders of shards merge by copying them together")
        .shown_as("i/n");
    app.on_option(
           "--rerun", [&](const std::string& text) { options.runner.rerun = parse_rerun(text); },
           "Run again what is done: failed; stale, of another commit (uncommitted: another build); or all")
        .shown_as("failed|stale|all");
    app.on_option(
           "--timeout", [&](const std::string& text) { options.runner.timeout = seconds_of("--timeout", text); },
           "A run that takes longer is stopped, and has failed (default: fifty times what --dry-run predicts, at least "
           "ten minutes)")
        .shown_as("TIME");
    app.on_option(
           "--stop-after",
           [&](const std::string& text) { options.runner.stop_after = seconds_of("--stop-after", text); },
           "Begin no seed later than this and stop, as after an interrupt (default: none)")
        .shown_as("TIME");
    const CommandOption fail_fast =
        app.flag("--fail-fast", options.runner.fail_fast, "Stop at the first run that fails");
    app.on_flag(
           "--keep-going", [] {}, "Go on after a run that fails (the default)")
        .excludes(fail_fast);
    app.flag("--quiet", options.runner.quiet, "Only errors, and how many runs are left");
}

int sweep_command(const SweepOptions& options) { return sweep(options); }

} // namespace hogwild
