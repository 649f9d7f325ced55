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
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

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

/// Every command: what it takes, and what it does with it.
class Program {
public:
    Program() {
        app_.set_version_flag("--version", build_facts().version);
        app_.require_subcommand(1);
        app_.get_formatter()->column_width(44);
        app_.footer(
            "Example:\n"
            "  hogwild run --data synthetic:rcv1/50 --test held-out --scheme serial,hogwild,minibatch --threads all");
        add_training();
        add_comparing();
        add_data();
        add_telling();
    }

    int run(int argc, char** argv) {
        try {
            app_.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() != 0) return report_usage(app_, error);
            const bool version = dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr;
            print(version ? std::string(error.what()) + '\n' : app_.help()); // of the command that was asked about
            return kExitDone;
        }
        command_.assign(argv, argv + argc);
        command_[0] =
            std::filesystem::path(command_[0]).filename(); // where it lies is nobody's business but this machine's
        for (const auto& [command, act] : acts_) {
            if (command->parsed()) return act();
        }
        return kExitUsage; // never: one command is required
    }

private:
    /// `acts_` has the commands of a command before it.
    void add(CLI::App* command, std::function<int()> act) { acts_.emplace_back(command, std::move(act)); }

    void add_training() {
        CLI::App* const run = app_.add_subcommand("run", "Train, compare, draw");
        CLI::App* const tune = app_.add_subcommand("tune", "Find what reaches a target soonest here, and why");
        CLI::App* const sweep = app_.add_subcommand("sweep", "Run what a file asks for, tuned and repeated");
        add_run_options(*run, run_);
        add_tune_options(*tune, tune_);
        add_sweep_options(*sweep, sweep_);
        add(run, [this, run] {
            return is_auto(run_) ? auto_command(run_, typed_settings(*run), command_) : run_command(run_, command_);
        });
        add(tune, [this, tune] {
            tune_.typed = typed_settings(*tune);
            return tune_command(tune_, command_);
        });
        add(sweep, [this] { return sweep_command(sweep_); });
    }

    void add_comparing() {
        CLI::App* const compare = app_.add_subcommand("compare", "Which is faster, and how surely");
        CLI::App* const report = app_.add_subcommand("report", "Write the report of a result folder, for a browser");
        CLI::App* const exported = app_.add_subcommand("export", "Write a result folder for TensorBoard or MLflow");
        CLI::App* const predict = app_.add_subcommand("predict", "Predict with a saved model");
        CLI::App* const similarity = app_.add_subcommand("similarity", "Score saved word vectors");
        add_compare_options(*compare, compare_);
        add_report_options(*report, report_);
        add_export_options(*exported, exported_);
        add_predict_options(*predict, predict_);
        add_similarity_options(*similarity, similarity_);
        add(compare, [this] { return compare_command(compare_); });
        add(report, [this] { return report_command(report_); });
        add(exported, [this] { return export_command(exported_); });
        add(predict, [this] { return predict_command(predict_); });
        add(similarity, [this] { return similarity_command(similarity_); });
    }

    void add_data() {
        CLI::App* const data = app_.add_subcommand("data", "Describe, check, convert or fetch a dataset");
        CLI::App* const check = data->add_subcommand("check", "Parse everything, say what is wrong or suspicious");
        CLI::App* const convert = data->add_subcommand("convert", "Write a dataset as LIBSVM text");
        CLI::App* const fetch = data->add_subcommand("fetch", "Bring a public dataset here");
        add_data_command(*data, *check, *convert, data_);
        add_fetch_options(*fetch, fetch_);
        add(check, [this] { return check_command(data_); });
        add(convert, [this] { return convert_command(data_); });
        add(fetch, [this] { return fetch_command(fetch_); });
        add(data, [this] { return describe_command(data_); });
    }

    void add_telling() {
        CLI::App* const info = app_.add_subcommand("info", "What this machine can do");
        CLI::App* const schema = app_.add_subcommand("schema", "The axes and columns, for programs that read results");
        add_info_options(*info, info_);
        add_schema_options(*schema, schema_);
        add(info, [this] { return info_command(info_); });
        add(schema, [this] { return schema_command(schema_); });
    }

    CLI::App app_{"Lock-free parallel stochastic gradient descent, measured fairly against its rivals.", "hogwild"};
    std::vector<std::string> command_;
    std::vector<std::pair<CLI::App*, std::function<int()>>> acts_;
    RunOptions run_;
    TuneOptions tune_;
    SweepOptions sweep_;
    CompareOptions compare_;
    ReportOptions report_;
    ExportOptions exported_;
    PredictOptions predict_;
    SimilarityOptions similarity_;
    DataCommandOptions data_;
    FetchOptions fetch_;
    InfoOptions info_;
    SchemaOptions schema_;
};

int run_program(int argc, char** argv) {
    if (argc == 2 && argv[1] == kTrialCommand) return trial_command(); // for itself, not for people
    return Program().run(argc, argv);
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
