#include "experiments/defaults.h"

#include <algorithm>
#include <iterator>
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
    {"hinge", "minibatch", "decay", 8, 0.9, 64, 4096, 10},
    {"hinge", "local-sgd", "decay", 1, 0.9, 256, 1024, 10},
    {"logistic", "serial", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "hogwild", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "round-robin", "decay", 1, 0.9, 256, 4096, 10},
    {"logistic", "minibatch", "decay", 16, 0.9, 64, 4096, 10},
    {"logistic", "local-sgd", "decay", 2, 0.9, 256, 1024, 10},
    {"squared", "serial", "decay", 0.1, 0.9, 256, 4096, 10},
    {"squared", "hogwild", "decay", 0.1, 0.9, 256, 4096, 10},
    {"squared", "round-robin", "decay", 0.1, 0.9, 256, 4096, 10},
    {"squared", "minibatch", "decay", 1, 0.9, 64, 4096, 10},
    {"squared", "local-sgd", "decay", 0.2, 0.9, 256, 1024, 10},
};

const Row* find(const Plan& plan) {
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& candidate) {
        return candidate.problem == plan.problem && candidate.scheme == plan.scheme;
    });
    return row == std::end(kRows) ? nullptr : row;
}

} // namespace

bool has_defaults(const Plan& plan) { return find(plan) != nullptr; }

void set_defaults(Plan& plan) {
    const Row* row = find(plan);
    if (row == nullptr) return;
    plan.step.kind = row->step;
    plan.step.size = row->size;
    plan.step.decay = row->decay;
    plan.batch = row->batch;
    plan.exchange = row->exchange;
    plan.epochs = row->epochs;
}

} // namespace hogwild
