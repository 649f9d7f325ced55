// hogwild predict: what a saved model says of samples.
//
// Errors: Error; main turns it into a message and an exit code.
#pragma once

#include "experiments/options/options.h"

#include <string>

namespace hogwild {

struct PredictOptions {
    std::string model;
    DataOptions data;
    std::string problem; // whose loss is said; empty: the model's
    std::string output;  // a file of predictions; empty: none
    bool margins = false;
    bool json = false;
};

void add_predict_options(CommandLine& app, PredictOptions& options);

int predict_command(const PredictOptions& options);

} // namespace hogwild
