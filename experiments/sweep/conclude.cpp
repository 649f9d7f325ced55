#include "experiments/sweep/conclude.h"

#include "engine/called.h"
#include "engine/error.h"
#include "experiments/compare/command_compare.h"
#include "experiments/compare/speedup_table.h"
#include "experiments/folder/summary_rows.h"
#include "experiments/scripts/exports.h"
#include "experiments/scripts/plots.h"
#include "experiments/scripts/scripts.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace hogwild {
namespace {

/// What is consumed in a second and, where a run had a target, the time to it: runs may differ in their epochs.
std::vector<std::string> metrics_of(const Summary& summary) {
    const auto has_target = [](const SummaryRow& row) { return !row.text("target").empty(); };
    if (std::ranges::none_of(summary.rows, has_target)) return {"updates-per-second"};
    return {"time-to-target", "updates-per-second"};
}

void write_verdicts(const std::string& folder, bool quiet) {
    try {
        compare_command({.folders = {folder},
                         .metrics = metrics_of(read_summary(folder, {"target"})),
                         .against = {},
                         .fail_if_slower = {},
                         .output = folder,
                         .csv = "",
                         .json = false});
    } catch (const Error& error) {
        if (error.failure() == Failure::kDisk) throw;
        if (!quiet) tell("no verdicts: {}\n", error.what());
    }
}

/// Exit code of writing the report; 0 where nothing here can write one.
int report(const std::string& folder, bool quiet) {
    int code = kExitDone;
    try {
        code = write_report(folder, "page");
    } catch (const Error& error) {
        const bool missing = error.failure() == Failure::kMissing;
        if (!missing || !quiet) tell("no report: {}\n", error.what());
        return missing ? kExitDone : static_cast<int>(error.failure());
    }
    if (code == kExitDone || code == kExitMissing) return kExitDone;
    tell("no report: its program ended with exit code {} ({}); the results are whole, try {} report {}\n", code,
         code == kExitDisk ? "the disk did not take it" : "what it said is above", called(), shell_word(folder));
    return code == kExitDisk ? kExitDisk : kExitError;
}

} // namespace

int conclude(const std::filesystem::path& folder, const Conclusion& wanted) {
    write_verdicts(folder.string(), wanted.quiet);
    write_speedup(folder.string());
    const int reported = wanted.report ? report(folder.string(), wanted.quiet) : kExitDone;
    if (wanted.tensorboard.empty()) return reported;
    const int exported = write_event_files(folder, wanted.tensorboard, true);
    if (exported == kExitDone && !wanted.quiet) tell("event files: {}\n", wanted.tensorboard);
    return reported == kExitDone ? exported : reported;
}

} // namespace hogwild
