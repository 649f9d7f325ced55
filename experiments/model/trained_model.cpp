#include "experiments/model/trained_model.h"

#include "engine/data/sparse/placement.h"
#include "engine/plan/plan.h"
#include "engine/record/cut_rounding.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace hogwild {
namespace {

/// Weights as the file numbers its columns.
std::vector<float> as_stored(std::vector<float> weights, const Plan& plan, const Dataset& train) {
    const std::vector<std::uint32_t> numbers = placement(plan.placement, train.view(), plan.hot.count);
    if (numbers.empty()) return weights;
    std::vector<float> stored(numbers.size());
    for (std::size_t j = 0; j < numbers.size(); ++j) stored[j] = weights[numbers[j]];
    return stored;
}

/// The classes that a cut rounds to; nothing for other models.
std::vector<std::uint16_t> classes_of(const EdgesView& graph, const float* weights) {
    return round_cut(graph, weights).classes;
}
std::vector<std::uint16_t> classes_of(const auto&, const float*) { return {}; }

std::uint32_t class_count(const EdgesView& graph) { return graph.classes; }
std::uint32_t class_count(const auto&) { return 0; }

} // namespace

std::string shape_name(const MapShape& images) {
    return fmt::format("{}x{}x{}", images.height, images.width, images.channels);
}

double other_label(const LoadReport& report) {
    const double positive = report.positive_class.value_or(1);
    const double usual = positive == -1 ? 1 : -1;
    std::optional<double> other;
    for (const double label : report.classes) {
        if (label == positive) continue;
        if (other) return usual;
        other = label;
    }
    return other.value_or(usual);
}

Model trained_model(std::vector<float> weights, const Plan& plan, const Dataset& train, const LoadReport& report) {
    Model model;
    model.weights = as_stored(std::move(weights), plan, train);
    train.view().visit([&](const auto& view) {
        model.classes = classes_of(view, model.weights.data());
        model.class_count = class_count(view);
    });
    model.problem = plan.problem;
    if (train.view().is<ImagesView>()) {
        const auto& images = train.view().as<ImagesView>();
        model.network = plan.network.layers;
        model.images = shape_name(images.shape);
        model.labels = images.classes;
    }
    model.real_labels = !report.positive_class.has_value();
    model.has_labels = !model.real_labels;
    model.positive = report.positive_class.value_or(1);
    model.negative = other_label(report);
    model.others = model.has_labels && report.classes.size() > 2;
    return model;
}

} // namespace hogwild
