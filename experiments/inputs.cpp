#include "experiments/inputs.h"

#include "engine/data/synthetic.h"
#include "engine/error.h"
#include "kernels/kernels.h"

#include "experiments/data_folder.h"
#include <fmt/format.h>

#include <utility>

namespace hogwild {
namespace {

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

} // namespace

Inputs load_inputs(const RunOptions& options) {
    LoadOptions load_options = options.data.load_options();
    load_options.samples = samples_of(options.axes.problem);
    LoadReport train_report, test_report;
    if (options.test.empty()) {
        Dataset train = load(data_path(options.data.name), load_options, &train_report);
        return {std::move(train), {}, train_report, test_report};
    }
    std::string test = options.test;
    if (test == "held-out") {
        if (!is_synthetic(options.data.name)) {
            throw Error(Failure::kUsage, "--test held-out cannot go with " + options.data.name,
                        "only a synthetic problem has more samples to give", "name a file of test samples");
        }
        test = options.data.name + ",held-out";
    }
    test = data_path(test);
    TrainTest pair = load_pair(data_path(options.data.name), test, load_options, &train_report, &test_report);
    return {std::move(pair.train), std::move(pair.test), train_report, test_report};
}

} // namespace hogwild
