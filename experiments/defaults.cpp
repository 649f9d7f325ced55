#include "experiments/defaults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

namespace hogwild {
namespace {

struct Row {
    std::string_view problem, scheme;
    std::string_view step;
    double size, decay;
    std::uint32_t batch, exchange;
    std::uint32_t epochs;
};

// A minibatch step multiplies the mean gradient of the batch, so its size grows with the batch; a model that is averaged
// over workers moves less than each of them, so local-sgd takes a larger step too.
constexpr Row kRows[] = {
    {"hinge", "serial", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "hogwild", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "round-robin", "decay", 0.5, 0.9, 256, 4096, 10},
    {"hinge", "minibatch", "decay", 64, 0.9, 256, 4096, 10},
    {"hinge", "local-sgd", "decay", 1, 0.9, 256, 1024, 10},
    {"logistic", "serial", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "hogwild", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "round-robin", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "minibatch", "decay", 128, 0.9, 256, 4096, 10},
    {"logistic", "local-sgd", "decay", 2, 0.9, 256, 1024, 10},
    // squared, and any problem without rows of its own
    {"", "serial", "decay", 0.1, 0.9, 256, 4096, 10},
    {"", "hogwild", "decay", 0.1, 0.9, 256, 4096, 10},
    {"", "round-robin", "decay", 0.1, 0.9, 256, 4096, 10},
    {"", "minibatch", "decay", 1, 0.9, 64, 4096, 10},
    {"", "local-sgd", "decay", 0.2, 0.9, 256, 1024, 10},
};

const Row* find(const Plan& plan) {
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& candidate) {
        return (candidate.problem == plan.problem || candidate.problem.empty()) && candidate.scheme == plan.scheme;
    });
    return row == std::end(kRows) ? nullptr : row;
}

double two_digits(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::stod(
        fmt::format("{:.2g}", std::round(value / unit) * unit)); // through text: 0.07, not 0.07000000000000001
}

constexpr double kMostShrinkage = 0.1; // step x lambda

} // namespace

void limit_step(Plan& plan) {
    if (plan.step.size * plan.l2 > kMostShrinkage) plan.step.size = kMostShrinkage / plan.l2;
}

void set_defaults(Plan& plan, double mean_squared_norm) {
    const Row* row = find(plan);
    if (row == nullptr) return;
    plan.step.kind = row->step;
    plan.step.size = two_digits(mean_squared_norm > 0 ? row->size / mean_squared_norm : row->size);
    plan.step.decay = row->decay;
    plan.batch = row->batch;
    plan.exchange = row->exchange;
    plan.epochs = row->epochs;
}

} // namespace hogwild
