#include "experiments/commands/commands.h"

#include "engine/error.h"
#include "engine/machine/provenance.h"
#include "engine/nearest.h"
#include "experiments/commands/command_export.h"
#include "experiments/commands/command_fetch.h"
#include "experiments/commands/command_predict.h"
#include "experiments/commands/command_similarity.h"
#include "experiments/commands/command_tune.h"
#include "experiments/compare/command_compare.h"
#include "experiments/files/durable.h"
#include "experiments/session/trial.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/text/exit_code.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

namespace hogwild {
namespace {

/// What `app` takes: its commands and its options.
std::vector<std::string> words_of(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
    return words;
}

/// A flag that does not exist, a value that is missing: CLI11's sentence, in the grammar of all errors.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
    std::string command = "hogwild", meant;
    const CLI::App* asked = &app;
    while (!asked->get_subcommands().empty()) {
        asked = asked->get_subcommands().front();
        command += " " + asked->get_name();
    }
    std::string why = error.what();
    // What nobody knows is more likely a slip than what it left unsaid.
    if (const auto unknown = app.remaining(true); !unknown.empty()) {
        why = fmt::format("not expected: {}", fmt::join(unknown, " "));
        for (const std::string& word : unknown) {
            const std::string known = nearest(word.substr(0, word.find('=')), words_of(*asked));
            if (!known.empty()) meant += fmt::format("{} {}", meant.empty() ? "did you mean" : " and", known);
        }
        if (!meant.empty()) meant += "? ";
    }
    for (char& c : why) c = c == '\n' ? ' ' : c;
    while (!why.empty() && (why.back() == ' ' || why.back() == '.')) why.pop_back();
    fmt::print(stderr, "hogwild: the command line is wrong ({}); {}see {} --help\n", why, meant, command);
    return kExitUsage;
}

int run_program(int argc, char** argv) {
    if (argc == 2 && argv[1] == kTrialCommand) return trial_command(); // for itself, not for people
    CLI::App app("Lock-free parallel stochastic gradient descent, measured fairly against its rivals.", "hogwild");
    app.set_version_flag("--version", build_facts().version);
    app.require_subcommand(1);
    app.get_formatter()->column_width(44);
    app.footer(
        "Example:\n"
        "  hogwild run --data synthetic:rcv1/50 --test held-out --scheme serial,hogwild,minibatch --threads all");

    RunOptions run;
    SweepOptions sweep;
    DataCommandOptions data;
    FetchOptions fetch;
    PredictOptions predict;
    SimilarityOptions similarity;
    InfoOptions info;
    SchemaOptions schema;
    TuneOptions tune;
    CompareOptions compare;
    ReportOptions report;
    ExportOptions exported;
    CLI::App* run_app = app.add_subcommand("run", "Train, compare, draw");
    CLI::App* tune_app = app.add_subcommand("tune", "Find what reaches a target soonest here, and why");
    CLI::App* sweep_app = app.add_subcommand("sweep", "Run what a file asks for, tuned and repeated");
    CLI::App* compare_app = app.add_subcommand("compare", "Which is faster, and how surely");
    CLI::App* report_app = app.add_subcommand("report", "Write the report of a result folder, for a browser");
    CLI::App* export_app = app.add_subcommand("export", "Write a result folder for TensorBoard or MLflow");
    CLI::App* predict_app = app.add_subcommand("predict", "Predict with a saved model");
    CLI::App* similarity_app = app.add_subcommand("similarity", "Score saved word vectors");
    CLI::App* data_app = app.add_subcommand("data", "Describe, check, convert or fetch a dataset");
    CLI::App* check_app = data_app->add_subcommand("check", "Parse everything, say what is wrong or suspicious");
    CLI::App* convert_app = data_app->add_subcommand("convert", "Write a dataset as LIBSVM text");
    CLI::App* fetch_app = data_app->add_subcommand("fetch", "Bring a public dataset here");
    CLI::App* info_app = app.add_subcommand("info", "What this machine can do");
    CLI::App* schema_app = app.add_subcommand("schema", "The axes and columns, for programs that read results");
    add_run_options(*run_app, run);
    add_tune_options(*tune_app, tune);
    add_sweep_options(*sweep_app, sweep);
    add_data_command(*data_app, *check_app, *convert_app, data);
    add_fetch_options(*fetch_app, fetch);
    add_predict_options(*predict_app, predict);
    add_similarity_options(*similarity_app, similarity);
    add_info_options(*info_app, info);
    add_schema_options(*schema_app, schema);
    add_compare_options(*compare_app, compare);
    add_report_options(*report_app, report);
    add_export_options(*export_app, exported);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) return report_usage(app, error);
        std::string text;
        if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
            text = std::string(error.what()) + '\n';
        } else {
            text = app.help(); // of the command that was asked about
        }
        print(text);
        return kExitDone;
    }

    std::vector<std::string> command{argv, argv + argc};
    command[0] = std::filesystem::path(command[0]).filename(); // where it lies is nobody's business but this machine's
    if (run_app->parsed() && is_auto(run)) return auto_command(run, typed_settings(*run_app), command);
    if (run_app->parsed()) return run_command(run, command);
    if (tune_app->parsed()) {
        tune.typed = typed_settings(*tune_app);
        return tune_command(tune, command);
    }
    if (sweep_app->parsed()) return sweep_command(sweep);
    if (compare_app->parsed()) return compare_command(compare);
    if (check_app->parsed()) return check_command(data);
    if (convert_app->parsed()) return convert_command(data);
    if (fetch_app->parsed()) return fetch_command(fetch);
    if (data_app->parsed()) return describe_command(data);
    if (report_app->parsed()) return report_command(report);
    if (export_app->parsed()) return export_command(exported);
    if (predict_app->parsed()) return predict_command(predict);
    if (schema_app->parsed()) return schema_command(schema);
    if (similarity_app->parsed()) return similarity_command(similarity);
    return info_command(info);
}

} // namespace

int hogwild_main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN); // a file at its size limit is an error of that write, not the end of the process
    try {
        return run_program(argc, argv);
    } catch (const Error& error) {
        fmt::print(stderr, "hogwild: {}\n", error.what());
        return static_cast<int>(error.failure());
    } catch (const std::bad_alloc&) {
        fmt::print(stderr,
                   "hogwild: out of memory (the system refused more); use fewer samples or fewer combinations\n");
        return kExitError;
    } catch (const std::exception& error) {
        fmt::print(stderr, "hogwild: an internal error ({}); please report it with the command line\n", error.what());
        return kExitError;
    }
}

} // namespace hogwild
