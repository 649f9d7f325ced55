#include "experiments/inputs/inputs.h"

#include "engine/data/split.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/problem_traits.h"
#include "experiments/inputs/data_folder.h"
#include "kernels/kernels.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace hogwild {
namespace {

constexpr std::string_view kHeldOut = "held-out";
constexpr double kUsualShare = 0.1;

/// What the problems, which are known, take for samples.
std::string_view samples_of(const std::vector<std::string>& problems) {
    const auto of = [](const std::string& problem) {
        return with_problem(problem, []<class P>(P) { return P::Pattern::View::kSamples; });
    };
    for (const std::string& problem : problems) {
        if (of(problem) == of(problems[0])) continue;
        throw Error(Failure::kUsage, fmt::format("{} and {} cannot share their samples", problems[0], problem),
                    fmt::format("the one takes {}, the other {}", of(problems[0]), of(problem)),
                    "run them one after the other");
    }
    return of(problems[0]);
}

/// The share of "held-out:SHARE"; the usual one of "held-out".
double share_of(std::string_view test) {
    test.remove_prefix(kHeldOut.size());
    if (test.empty()) return kUsualShare;
    const auto share = test.starts_with(':') ? parse_real(test.substr(1)) : std::nullopt;
    if (share && *share > 0 && *share < 1) return *share;
    throw Error(Failure::kUsage, fmt::format("--test {}{} cannot be", kHeldOut, test),
                "a share of the samples lies between 0 and 1", "use held-out, or held-out:0.1");
}

/// Samples of their own for the test: those that the data bring for it, else some of those that there are.
Inputs split_inputs(const std::string& name, const RunOptions& options, std::string_view test,
                    const LoadOptions& load_options) {
    LoadReport train_report, test_report;
    const std::string own = test == kHeldOut ? own_test(name, load_options.samples) : "";
    if (!own.empty()) {
        TrainTest pair = load_pair(name, own, load_options, &train_report, &test_report);
        return {std::move(pair.train), std::move(pair.test), train_report, test_report};
    }
    const double share = share_of(test);
    Dataset all = load(name, load_options, &train_report);
    TrainTest pair = held_out(std::move(all), share, options.split_seed);
    test_report.of_others = true;
    return {std::move(pair.train), std::move(pair.test), train_report, test_report};
}

} // namespace

std::string usual_test(const RunOptions& options) {
    if (options.test == "none") return "";
    const auto holds_out = [](const std::string& problem) {
        return with_problem(problem, []<class P>(P) { return P::Pattern::kHoldsOut; });
    };
    return options.test.empty() && holds_out(options.axes.texts("problem")[0]) ? std::string(kHeldOut) : options.test;
}

namespace {

Inputs inputs_of(const RunOptions& options) {
    LoadOptions load_options = options.data.load_options();
    load_options.samples = samples_of(options.axes.texts("problem"));
    if (options.target) check_target(*options.target, options.axes.texts("problem")[0]);
    const std::string name = data_path(options.data.name), test = usual_test(options);
    if (!test.empty() && !problem_traits(options.axes.texts("problem")[0]).scores_test()) {
        throw Error(Failure::kUsage, fmt::format("--test {} cannot go with {}", test, options.axes.texts("problem")[0]),
                    "it is scored on what it trains on", "leave it out");
    }
    if (test.starts_with(kHeldOut)) return split_inputs(name, options, test, load_options);
    LoadReport train_report, test_report;
    if (test.empty()) {
        Dataset train = load(name, load_options, &train_report);
        return {std::move(train), {}, train_report, test_report};
    }
    TrainTest pair = load_pair(name, data_path(test), load_options, &train_report, &test_report);
    return {std::move(pair.train), std::move(pair.test), train_report, test_report};
}

} // namespace

Inputs load_inputs(const RunOptions& options) {
    Inputs inputs = inputs_of(options);
    inputs.columns = narrow(inputs.train, inputs.test ? &*inputs.test : nullptr);
    return inputs;
}

std::string columns_line(const Inputs& inputs) {
    if (inputs.columns.numbers.empty()) return "";
    return fmt::format("columns: {} of {} occur; the others take no memory, and their weights are 0",
                       grouped(inputs.columns.numbers.size()), grouped(inputs.columns.all));
}

} // namespace hogwild
