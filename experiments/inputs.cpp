#include "experiments/inputs.h"

#include "engine/data/synthetic.h"
#include "engine/error.h"
#include "experiments/data_folder.h"

#include <utility>

namespace hogwild {

Inputs load_inputs(const RunOptions& options) {
    const LoadOptions load_options = options.data.load_options();
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
