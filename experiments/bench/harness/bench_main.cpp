#include "experiments/bench/harness/bench.h"

#include "engine/error.h"
#include "engine/machine/gpus.h"
#include "engine/machine/provenance.h"
#include "experiments/options/command_line.h"
#include "experiments/text/exit_code.h"
#include "experiments/text/tell.h"

#include <cstdio>
#include <exception>
#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

/// Where the numbers come from, printed above the tables, and in the context of --benchmark_out.
void add_origin(const std::string& name, int argc, char** argv) {
    std::vector<std::string> words{name};
    words.insert(words.end(), argv + 1, argv + argc);
    const MachineState machine = read_provenance().machine;
    const Gpus gpus = read_gpus();
    benchmark::AddCustomContext("command", fmt::format("{}", fmt::join(words, " ")));
    benchmark::AddCustomContext("commit", build_facts().commit);
    benchmark::AddCustomContext("cpu", machine.cpu_model.empty() ? "unknown" : machine.cpu_model);
    benchmark::AddCustomContext("cores", fmt::format("{}", machine.cores.usable));
    if (!gpus.list.empty()) benchmark::AddCustomContext("gpu", gpus.list[0].name);
}

/// Google Benchmark's own options, ours before the user's so that the user's win. It keeps a pointer to the program's name.
void set_google_options(const char* name, const std::vector<std::string>& rest) {
    std::vector<std::string> words{"--benchmark_repetitions=5", "--benchmark_enable_random_interleaving=true"};
    words.insert(words.end(), rest.begin(), rest.end());
    std::vector<char*> arguments{const_cast<char*>(name)};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    auto count = static_cast<int>(words.size() + 1);
    benchmark::Initialize(&count, arguments.data());
    if (count > 1) {
        throw Error(Failure::kUsage, fmt::format("'{}' is not understood", arguments[1]),
                    "it is neither an option of this program nor a well-formed one of Google Benchmark", "see --help");
    }
}

int measure(int argc, char** argv, const std::string& name, const BenchProgram& program) {
    std::string data = program.data;
    std::vector<std::string> rivals;
    CommandLine app(program.question, name);
    app.takes_unknown_words();
    if (!data.empty()) {
        app.option("--data", data, "A file, or synthetic:...").shown_as("NAME").shows_default();
    }
    std::map<std::string, std::vector<std::string>> chosen;
    for (const BenchChoice& choice : program.choices) {
        app.option("--" + choice.name, chosen[choice.name], choice.what)
            .shown_as("NAME[,NAME]")
            .split_at(',')
            .repeatable()
            .one_of(choice.known);
    }
    std::string footer;
    if (!program.subject.empty()) {
        app.option("--rival", rivals, "A program to measure beside ours; may be repeated")
            .shown_as("NAME=PROGRAM")
            .repeatable();
        footer = "A rival is called as `PROGRAM SUBJECT REPEATS`; here these are " + program.subject +
                 ".\nThe last line that it prints is `SECONDS RATE`, the rate in " + program.rate + ".\n";
    }
    app.footer(footer + "Options of Google Benchmark: --benchmark_filter=REGEX, --benchmark_repetitions=N,\n"
                        "--benchmark_list_tests, --benchmark_out=FILE (every repetition, as JSON).");
    if (const auto answer = app.parse(argc, argv)) {
        fmt::print("{}", *answer);
        return kExitDone;
    }
    set_google_options(argv[0], app.unknown());
    add_origin(name, argc, argv);

    std::vector<Rival> parsed;
    parsed.reserve(rivals.size());
    for (const std::string& rival : rivals) parsed.push_back(parse_rival(rival));
    Bench bench(program.rate, data, parsed);
    for (const auto& [choice, names] : chosen) {
        if (!names.empty()) bench.choose(choice, names);
    }
    program.add_rows(bench);
    if (bench.run() == 0) {
        throw Error("nothing was measured", "no row matches --benchmark_filter", "see --benchmark_list_tests");
    }
    fmt::print("{}", bench.tables());
    for (const auto& [row, why] : bench.failures()) tell("{}: {}: {}\n", name, row, why);
    return bench.failures().empty() ? kExitDone : kExitError;
}

} // namespace

int bench_main(int argc, char** argv, const BenchProgram& program) {
    const std::string path = argv[0];
    const std::string name = path.substr(path.find_last_of('/') + 1);
    try {
        return measure(argc, argv, name, program);
    } catch (const Error& error) {
        tell("{}: {}\n", name, error.what());
        return static_cast<int>(error.failure());
    } catch (const std::exception& error) {
        tell("{}: an internal error ({}); please report it with the command line\n", name, error.what());
        return kExitError;
    }
}

} // namespace hogwild
