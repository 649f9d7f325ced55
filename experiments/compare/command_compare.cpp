#include "experiments/compare/command_compare.h"

#include "engine/called.h"
#include "engine/data/files/named_file.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "experiments/compare/ceilings.h"
#include "experiments/compare/compare.h"
#include "experiments/compare/compare_report.h"
#include "experiments/compare/describe_configuration.h"
#include "experiments/compare/samples_apart.h"
#include "experiments/compare/verdict_row.h"
#include "experiments/compare/verdict_table.h"
#include "experiments/files/durable.h"
#include "experiments/files/output_not_input.h"
#include "experiments/folder/apart_from_results.h"
#include "experiments/folder/unseen_settings.h"
#include "experiments/options/command_line.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/json.h"
#include "experiments/text/printable.h"
#include "experiments/text/tell.h"
#include "experiments/tune/final_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace hogwild {
namespace {

void check_options(const CompareOptions& options) {
    if (options.folders.size() > 2) {
        throw Error(Failure::kUsage, fmt::format("{} folders cannot be compared", options.folders.size()),
                    "one is compared with its best serial runs, two with each other", "name one or two");
    }
    if (options.folders.size() == 2 && options.against) {
        throw Error(Failure::kUsage, "--against cannot go with two folders", "the first folder is the baseline",
                    "leave it out, or name one folder");
    }
}

constexpr const char* kVerdicts = "verdicts.csv";

void check_outputs(const CompareOptions& options) {
    for (const std::string& folder : options.folders) {
        check_apart("--csv", options.csv, {folder + "/summary.csv"});
        check_apart_from_results("--csv", options.csv, folder, kVerdicts);
        if (!options.output.empty())
            check_apart_from_results("-o", options.output + '/' + kVerdicts, folder, kVerdicts);
    }
    if (!options.csv.empty()) check_named_file(options.csv);
}

Summary read_for(const std::string& folder, const std::vector<Metric>& metrics) {
    std::vector<std::string_view> required{"run", "seed", "status", "seconds", "updates"};
    required.insert(required.end(), asked_columns().begin(), asked_columns().end());
    std::vector<std::string> measured;
    for (const Metric& metric : metrics) {
        for (const std::string& column : metric.columns()) measured.push_back(column);
    }
    required.insert(required.end(), measured.begin(), measured.end());
    Summary summary = read_summary(folder, required);
    drop_races(summary);
    if (summary.rows.empty()) {
        throw Error(Failure::kUsage, fmt::format("nothing in {} is to be compared", folder),
                    "it is a tuning's, without finals: nobody reached the target, or they were cut off",
                    fmt::format("{} report {} shows its trials", called(), folder));
    }
    add_ceiling_shares(summary);
    if (!summary.note.empty()) tell("hogwild: {}\n", summary.note);
    return summary;
}

void write_verdicts(const CompareOptions& options, const std::vector<std::vector<Column>>& rows) {
    const std::string text = verdicts_csv(rows);
    if (!options.output.empty()) {
        make_folder(options.output);
        replace_file(std::filesystem::path(options.output) / kVerdicts, text);
    }
    if (options.csv.empty()) return;
    NamedFile file(options.csv);
    file.write(text);
    file.commit();
}

/// Says which configurations are certainly slower than allowed, and how many could be; the exit code.
int judge_regressions(const Compared& compared, double allowed) {
    std::size_t slower = 0, undecided = 0;
    for (const Comparison& of : compared.list) {
        undecided += of.judgement == Judgement::kUndecided ? 1 : 0;
        if (of.ratio.low <= 1 + allowed) continue;
        ++slower;
        tell("hogwild: {} is slower by more than {:.3g} % (costs {} to {} times as much)\n",
             describe_configuration(of.first()), 100 * allowed, human(of.ratio.low),
             of.ratio.high < 1e300 ? human(of.ratio.high) : "infinitely many");
    }
    if (undecided > 0) {
        tell("hogwild: {} of {} comparisons are undecided, which is no failure; more seeds tell more\n", undecided,
             compared.list.size());
    }
    return slower > 0 ? kExitSlower : kExitDone;
}

} // namespace

double parse_percent(const std::string& option, const std::string& text) {
    const auto value =
        text.ends_with('%') ? parse_real(std::string_view(text).substr(0, text.size() - 1)) : std::nullopt;
    if (value && *value >= 0) return *value / 100;
    throw Error(Failure::kUsage, option + " cannot be '" + text + "'", "it is not a share in percent",
                "give one like 5%");
}

void add_compare_options(CommandLine& app, CompareOptions& options) {
    app.about("Compare runs that hogwild run wrote: two folders with each other, or the configurations of one\n"
              "folder with its best serial runs. Runs are paired by seed.");
    app.footer(
        "Examples:\n"
        "  hogwild compare before after                         did a change make it slower?\n"
        "  hogwild compare before after --fail-if-slower 5%     in a CI: exit code 5 if it surely did\n"
        "  hogwild compare DIR                                  useful speed-ups: against the best serial runs\n"
        "  hogwild compare DIR --against scheme=minibatch,threads=4 --metric updates-per-second\n"
        "  hogwild compare DIR --against kind=sync,threads=16      the best synchronous scheme there; kinds: sync, "
        "async\n"
        "Configurations are the same when all axes but the seed agree; between two folders step size, decay, batch "
        "and\n"
        "exchange may differ where each folder has one value of them. FASTER, SLOWER: the whole 95 % interval lies on\n"
        "one side of 1; SAME: it lies within 5 % of 1; UNDECIDED: neither. Runs that missed the target, diverged or\n"
        "failed count with the time that they took.\n"
        "Metrics: time-to-X and updates-to-X, where X is target, 1e-1, 1e-2 or 1e-3; updates-per-second,\n"
        "nonzeros-per-second, epochs-per-second.\n"
        "Exit codes: 0 done, 1 error, 2 usage, 5 slower than --fail-if-slower allows, 69 a folder or its\n"
        "summary.csv is missing, 74 disk.");
    app.option("DIR", options.folders, "One folder with a summary.csv, or two: A and B").required();
    app.option("--metric", options.metrics, "What is compared, one after the other, see below")
        .shown_as("NAME,...")
        .split_at(',')
        .shows_default();
    app.option("--against", options.against,
               "One folder: compare with the best runs that have these values (default: scheme=serial)")
        .shown_as("KEY=VALUE,...");
    app.on_option(
           "--fail-if-slower",
           [&](const std::string& text) { options.fail_if_slower = parse_percent("--fail-if-slower", text); },
           "Exit code 5 if a whole interval says that B costs more by more than this; undecided is no failure")
        .shown_as("PERCENT%");
    app.option("-o,--output", options.output, "Write DIR/verdicts.csv").shown_as("DIR").in("Output");
    app.option("--csv", options.csv, "Write the verdicts to this file").shown_as("FILE").in("Output");
    app.flag("--json", options.json, "One JSON object for each comparison on standard output, instead of the table")
        .in("Output");
}

int compare_command(const CompareOptions& options) {
    check_options(options);
    check_outputs(options);
    std::vector<Metric> metrics;
    for (const std::string& name : options.metrics) metrics.push_back(parse_metric(name));
    const Against against = options.against ? parse_against(*options.against) : against_serial();
    const bool two = options.folders.size() == 2;
    const std::string &a = options.folders.front(), &b = options.folders.back();
    Summary of_b = read_for(b, metrics), of_a = two ? read_for(a, metrics) : Summary{};
    for (const std::string& note : tell_samples_apart(std::array{&of_a, &of_b})) tell("hogwild: {}\n", note);
    for (const std::string& note : tell_settings_apart(std::array{&of_a, &of_b})) tell("hogwild: {}\n", note);

    std::vector<std::vector<Column>> rows;
    std::string report;
    int code = kExitDone;
    for (const Metric& metric : metrics) {
        const Compared compared = two ? compare_folders(of_a, of_b, metric) : compare_with_best(of_b, against, metric);
        for (const Comparison& of : compared.list) rows.push_back(verdict_row(of, metric, a, b));
        if (options.json) {
            for (const std::string& note : compared.notes) tell("hogwild: {}\n", note);
        } else {
            report += (report.empty() ? "" : "\n") + compare_report(compared, metric, a, b);
        }
        if (options.fail_if_slower) code = std::max(code, judge_regressions(compared, *options.fail_if_slower));
    }
    write_verdicts(options, rows);
    for (const auto& row : rows) report += options.json ? json_line(row) : "";
    print(options.json ? report : printable(report));
    return code;
}

} // namespace hogwild
