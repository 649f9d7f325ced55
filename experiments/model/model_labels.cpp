#include "experiments/model/model_labels.h"

#include "engine/data/sparse/labels.h"
#include "engine/error.h"
#include "experiments/model/trained_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hogwild {
namespace {

bool is_no(double label) { return label == -1 || label == 0; }

/// Whether a model of these labels tells what this one means.
bool knows(const Model& model, double label) {
    return model.others || label == model.positive || label == model.negative ||
           (model.positive == 1 && is_no(model.negative) && is_no(label));
}

std::ptrdiff_t negatives(const LoadReport& report) {
    return std::ranges::count_if(report.classes, [&](double label) { return label != *report.positive_class; });
}

/// What to do about a label that the model does not know: its own positive class against the others, where samples have it.
std::string what_to_name(const Model& model, const LoadReport& report) {
    if (std::ranges::find(report.classes, model.positive) != report.classes.end()) {
        return fmt::format("say that every other class is its other one, with --positive-class {}",
                           label_text(model.positive));
    }
    return fmt::format("name samples of these, or say which class is to be the positive one, such as "
                       "--positive-class {}",
                       label_text(report.classes.back()));
}

void check_known(const Model& model, const std::string& file, const LoadReport& report, const std::string& data) {
    for (const double label : report.classes) {
        if (knows(model, label)) continue;
        throw Error(fmt::format("{} has a class {} that {} does not know", data, label_text(label), file),
                    fmt::format("its classes are {} and {}", label_text(model.positive), label_text(model.negative)),
                    what_to_name(model, report));
    }
    if (model.others || negatives(report) < 2) return;
    throw Error(fmt::format("{} has the classes -1 and 0", data), fmt::format("both are {}'s other class", file),
                "say that every other class is one, with --positive-class 1");
}

/// Throws where a file without labels is to predict samples of one class, whose meaning their other class would tell.
void check_lone(const std::string& file, const LoadReport& report, const std::string& data) {
    if (report.classes.size() != 1) return;
    const double lone = report.classes[0];
    const auto pair = [](double low) { return fmt::format("{} and {}", label_text(low), label_text(low + 1)); };
    const std::string above = lone == 1 ? "-1 and 1" : pair(lone - 1); // -1 and 1 are the usual pair
    const std::string below = lone == -1 ? "-1 and 1" : pair(lone);
    throw Error(
        fmt::format("{} is of one class, {}", data, label_text(lone)),
        fmt::format("{} does not say whether that is the positive one, as of {}, or not, as of {}", file, above, below),
        "say which class is positive, such as --positive-class 1, or save the model as .safetensors");
}

} // namespace

LoadOptions load_for(const Model& model, LoadOptions load) {
    load.keep_labels = load.keep_labels || model.real_labels;
    load.positive_must_occur = false; // samples of one class can be predicted
    if (model.has_labels && !load.positive_class) load.positive_class = model.positive;
    return load;
}

ClassLabels class_labels(const Model& model, const std::string& file, const LoadReport& report, const std::string& data,
                         std::optional<double> typed) {
    const double positive = *report.positive_class;
    if (!typed && model.has_labels) check_known(model, file, report, data);
    if (!typed && !model.has_labels) check_lone(file, report, data);
    const bool own = model.has_labels && positive == model.positive && negatives(report) != 1;
    return {positive, own ? model.negative : other_label(report)};
}

std::string class_labels_line(const Model& model, const std::string& file, const LoadReport& report,
                              const ClassLabels& labels, std::optional<double> typed) {
    const std::string positive = label_text(labels.positive), negative = label_text(labels.negative);
    if (negatives(report) > 1)
        return fmt::format("note: {} is one class, every other label the other, written as {}", positive, negative);
    if (typed && model.has_labels && *report.positive_class != model.positive) {
        return fmt::format("note: {} is what {} calls {}, {} what it calls {}", positive, file,
                           label_text(model.positive), negative, label_text(model.negative));
    }
    if (typed || model.has_labels) return "";
    return fmt::format("note: {} does not say its classes: {} is taken for its positive one, {} for the other; "
                       "--positive-class says otherwise",
                       file, positive, negative);
}

void check_labels_fit(const std::string& file, const LoadReport& report) {
    if (!report.positive_class || !is_linear_text(file)) return;
    const double positive = *report.positive_class, negative = other_label(report);
    if (positive == std::trunc(positive) && negative == std::trunc(negative)) return;
    throw Error(Failure::kUsage, file + " cannot hold the labels",
                fmt::format("liblinear's are whole numbers, and these are {} and {}", label_text(negative),
                            label_text(positive)),
                "end it with .safetensors");
}

std::string lost_labels_line(const Model& model, const std::string& file) {
    if (!model.has_labels) return "";
    const std::string positive = label_text(model.positive);
    if (model.others && (file.ends_with(".npy") || is_linear_text(file))) {
        return fmt::format(
            "note: {} does not hold that {} is the positive class and every other label the other, which "
            ".safetensors does",
            file, positive);
    }
    const bool usual = model.positive == 1 && is_no(model.negative);
    if (usual || !file.ends_with(".npy")) return "";
    return fmt::format("note: {} does not hold that {} is the positive class and {} the other, which .safetensors does",
                       file, positive, label_text(model.negative));
}

} // namespace hogwild
