// The model that a run has trained: its weights in the order of the data's columns, with what the run knew.
//
// Thread-safety: pure functions. Errors: none.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/load.h"
#include "experiments/model/model.h"

#include <string>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// `weights`: of a run of `plan` on `train` (any placement of it), which was loaded as `report` says.
Model trained_model(std::vector<float> weights, const Plan& plan, const Dataset& train, const LoadReport& report);

/// As a model's file names the images of its network, height x width x channels: "28x28x1".
std::string shape_name(const MapShape& images);

/// The label of a file's classes that is not the positive one. It is -1 (or 1, where that is the positive one) if there
/// are none or several.
double other_label(const LoadReport& report);

} // namespace hogwild
