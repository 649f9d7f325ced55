// What the two classes of a linear model are called where samples are predicted. Names are labels of the samples' own file, so that
// what is written can be held against it.
//
// A model that says its labels uses them, and refuses a label that it does not know; 0 and -1 are both "not 1". One of a class
// against all others, as .safetensors holds it, knows every label. A model that says none takes the usual positive class
// (engine/data/sparse/labels.h). It asks where samples have one class only. --positive-class decides over all: that label is
// positive, every other is not.
//
// Thread-safety: pure functions. Errors: Error for labels whose meaning is unknown.
#pragma once

#include "engine/data/load.h"
#include "experiments/model/model.h"

#include <optional>
#include <string>

namespace hogwild {

/// How samples for this model are loaded: `load` has what was typed, --positive-class and --real-labels.
LoadOptions load_for(const Model& model, LoadOptions load);

struct ClassLabels {
    double positive = 1, negative = -1;
};

/// Precondition: the samples, `data`, were loaded by load_for's options, and `report` says how; they have classes. `typed`:
/// --positive-class.
ClassLabels class_labels(const Model& model, const std::string& file, const LoadReport& report, const std::string& data,
                         std::optional<double> typed);

/// What is to be said of these labels: which one a file without labels has for positive, and what is written for several. Empty
/// where they are the model's own.
std::string class_labels_line(const Model& model, const std::string& file, const LoadReport& report,
                              const ClassLabels& labels, std::optional<double> typed);

/// Throws Error (Failure::kUsage) where such a file cannot hold the classes of samples that were loaded so.
void check_labels_fit(const std::string& file, const LoadReport& report);

/// What a model's file does not hold of the classes that it was trained on; empty where nothing is lost.
std::string lost_labels_line(const Model& model, const std::string& file);

} // namespace hogwild
