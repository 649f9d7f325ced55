// Trains a linear SVM on four samples with two lock-free workers, through the installed library alone.
#include "engine/plan/plan.h"
#include "engine/run.h"

#include <cstdio>
#include <vector>

namespace {

/// Four samples of three coordinates, the label is the sign of the first.
struct FourSamples : hogwild::DatasetStorage {
    std::vector<std::uint64_t> offsets = {0, 2, 4, 6, 8};
    std::vector<std::uint32_t> indices = {0, 1, 0, 2, 0, 1, 0, 2};
    std::vector<float> values = {1.0f, 0.5f, 1.5f, -0.5f, -1.0f, 0.25f, -2.0f, 0.5f};
    std::vector<float> labels = {1.0f, 1.0f, -1.0f, -1.0f};
};

} // namespace

int main() {
    const auto samples = std::make_shared<FourSamples>();
    const hogwild::SparseView view{.offsets = samples->offsets.data(),
                                   .indices = samples->indices.data(),
                                   .values = samples->values.data(),
                                   .labels = samples->labels.data(),
                                   .rows = samples->labels.size(),
                                   .columns = 3};
    const hogwild::Dataset train("four samples", 0, view, samples);

    hogwild::Plan plan;
    plan.problem = "hinge";
    plan.scheme = "hogwild";
    plan.update = "racy";
    plan.threads = 2;
    plan.epochs = 20;

    const hogwild::Outcome outcome = hogwild::run(plan, {.train = train});
    std::printf("%s: %zu weights, train loss %g\n", outcome.status.c_str(), outcome.weights.size(),
                outcome.observations.back().train_loss);
    return outcome.status == "done" && outcome.observations.back().train_loss < 0.5 ? 0 : 1;
}
