#include "experiments/trained_model.h"

#include "engine/data/placement.h"

#include <utility>

namespace hogwild {
namespace {

/// Weights as the file numbers its columns.
std::vector<float> as_stored(std::vector<float> weights, const Plan& plan, const Dataset& train) {
    const std::vector<std::uint32_t> numbers = placement(plan.placement, train.view(), plan.hot);
    if (numbers.empty()) return weights;
    std::vector<float> stored(numbers.size());
    for (std::size_t j = 0; j < numbers.size(); ++j) stored[j] = weights[numbers[j]];
    return stored;
}

} // namespace

double other_label(const LoadReport& report) {
    const double positive = report.positive_class.value_or(1);
    if (report.classes.size() == 2) return report.classes[0] == positive ? report.classes[1] : report.classes[0];
    return positive == -1 ? 1 : -1;
}

Model trained_model(std::vector<float> weights, const Plan& plan, const Dataset& train, const LoadReport& report) {
    Model model;
    model.weights = as_stored(std::move(weights), plan, train);
    model.problem = plan.problem;
    model.real_labels = !report.positive_class.has_value();
    model.has_labels = !model.real_labels;
    model.positive = report.positive_class.value_or(1);
    model.negative = other_label(report);
    return model;
}

} // namespace hogwild
