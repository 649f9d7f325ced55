#include "experiments/commands/commands.h"

#include "engine/called.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"
#include "engine/machine/provenance.h"
#include "experiments/commands/command_export.h"
#include "experiments/commands/command_fetch.h"
#include "experiments/commands/command_predict.h"
#include "experiments/commands/command_similarity.h"
#include "experiments/commands/command_tune.h"
#include "experiments/compare/command_compare.h"
#include "experiments/files/durable.h"
#include "experiments/options/command_line.h"
#include "experiments/scripts/scripts.h"
#include "experiments/session/shrunk_file.h"
#include "experiments/session/trial.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/sweep/sweep.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/standard_streams.h"
#include "experiments/text/tell.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace hogwild {
namespace {

/// Every command: what it takes, and what it does with it.
class Program {
public:
    Program() {
        app_.version(build_facts().version);
        app_.needs_command();
        app_.help_column(44);
        app_.footer(
            "Example:\n"
            "  hogwild run --data synthetic:rcv1/50 --test held-out --scheme serial,hogwild,minibatch --threads all");
        add_training();
        add_comparing();
        add_data();
        add_telling();
    }

    int run(int argc, char** argv) {
        if (const auto answer = app_.parse(argc, argv)) {
            print(*answer);
            return kExitDone;
        }
        command_.assign(argv, argv + argc);
        command_[0] =
            std::filesystem::path(command_[0]).filename(); // where it lies is nobody's business but this machine's
        for (const auto& [command, act] : acts_) {
            if (command->typed()) return act();
        }
        return kExitUsage; // never: one command is required
    }

private:
    /// `acts_` has the commands of a command before it.
    void add(const CommandLine& command, std::function<int()> act) { acts_.emplace_back(&command, std::move(act)); }

    void add_training() {
        CommandLine& run = app_.command("run", "Train, compare, draw");
        CommandLine& tune = app_.command("tune", "Find what reaches a target soonest here, and why");
        CommandLine& sweep = app_.command("sweep", "Run what a file asks for, tuned and repeated");
        add_run_options(run, run_);
        add_tune_options(tune, tune_);
        add_sweep_options(sweep, sweep_);
        add(run, [this, &run] {
            return is_auto(run_) ? auto_command(run_, typed_settings(run), command_) : run_command(run_, command_);
        });
        add(tune, [this, &tune] {
            tune_.typed = typed_settings(tune);
            return tune_command(tune_, command_);
        });
        add(sweep, [this] { return sweep_command(sweep_); });
    }

    void add_comparing() {
        CommandLine& compare = app_.command("compare", "Which is faster, and how surely");
        CommandLine& report = app_.command("report", "Write the report of a result folder, for a browser");
        CommandLine& exported = app_.command("export", "Write a result folder for TensorBoard or MLflow");
        CommandLine& predict = app_.command("predict", "Predict with a saved model");
        CommandLine& similarity = app_.command("similarity", "Score saved word vectors");
        add_compare_options(compare, compare_);
        add_report_options(report, report_);
        add_export_options(exported, exported_);
        add_predict_options(predict, predict_);
        add_similarity_options(similarity, similarity_);
        add(compare, [this] { return compare_command(compare_); });
        add(report, [this] { return report_command(report_); });
        add(exported, [this] { return export_command(exported_); });
        add(predict, [this] { return predict_command(predict_); });
        add(similarity, [this] { return similarity_command(similarity_); });
    }

    void add_data() {
        CommandLine& data = app_.command("data", "Describe, check, convert or fetch a dataset");
        CommandLine& check = data.command("check", "Parse everything, say what is wrong or suspicious");
        CommandLine& convert = data.command("convert", "Write a dataset as LIBSVM text");
        CommandLine& fetch = data.command("fetch", "Bring a public dataset here");
        add_data_command(data, check, convert, data_);
        add_fetch_options(fetch, fetch_);
        add(check, [this] { return check_command(data_); });
        add(convert, [this] { return convert_command(data_); });
        add(fetch, [this] { return fetch_command(fetch_); });
        add(data, [this] { return describe_command(data_); });
    }

    void add_telling() {
        CommandLine& info = app_.command("info", "What this machine can do");
        CommandLine& schema = app_.command("schema", "The axes and columns, for programs that read results");
        add_info_options(info, info_);
        add_schema_options(schema, schema_);
        add(info, [this] { return info_command(info_); });
        add(schema, [this] { return schema_command(schema_); });
    }

    CommandLine app_{"Lock-free parallel stochastic gradient descent, measured fairly against its rivals.", called()};
    std::vector<std::string> command_;
    std::vector<std::pair<const CommandLine*, std::function<int()>>> acts_;
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
    open_standard_streams();
    tell_of_shrunk_files();
    std::signal(SIGPIPE, SIG_IGN); // a reader who left is an error of that write
    std::signal(SIGXFSZ, SIG_IGN); // a file at its size limit is an error of that write, not the end of the process
    if (argc > 0) set_called(shell_word(argv[0]));
    try {
        return run_program(argc, argv);
    } catch (const Error& error) {
        tell("hogwild: {}\n", error.what());
        return static_cast<int>(error.failure());
    } catch (const std::bad_alloc&) {
        tell("hogwild: out of memory (the system refused more); use fewer samples or fewer combinations\n");
        return kExitError;
    } catch (const std::system_error& error) {
        const Error named = error_of(error);
        tell("hogwild: {}\n", named.what());
        return static_cast<int>(named.failure());
    } catch (const std::exception& error) {
        tell("hogwild: an internal error ({}); please report it with the command line\n", error.what());
        return kExitError;
    }
}

} // namespace hogwild
