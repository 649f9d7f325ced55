// hogwild predict of a saved network: the class of every image, or the scores of all classes.
//
// Errors: Error for a file that does not say its layers, images of another shape, labels that no score is of.
#pragma once

#include "experiments/commands/command_predict.h"
#include "experiments/model/model.h"

namespace hogwild {

/// `model`: of `network`, as options.model holds it. Returns the exit code.
int predict_images(const Model& model, const PredictOptions& options);

} // namespace hogwild
