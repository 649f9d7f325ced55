#include "engine/gpu/device_evaluator.h"

#include "tests/device.h"
#include "tests/random_samples.h"

#include <cmath>
#include <limits>

using namespace hogwild;

TEST_CASE("losses on a GPU are the CPU's, up to rounding in double, and the same bits at every call") {
    if (no_device()) return;
    const TestSamples samples = random_samples(5'000, 300, 40, 3);
    const SparseView view = samples.view();
    TestNumbers numbers(5);
    std::vector<float> weights(view.columns), zeros(view.columns);
    for (float& weight : weights) weight = numbers.number();
    const std::vector<const float*> snapshots{weights.data(), zeros.data()};
    const DeviceDataset sent(view);
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        const std::vector<Losses> expected = evaluate(problem, view, snapshots);
        DeviceEvaluator evaluator(problem, sent.view().as<SparseView>(), labels_are_signs(view));
        const std::vector<Losses> once = evaluator(snapshots), twice = evaluator(snapshots);
        for (std::size_t i = 0; i < snapshots.size(); ++i) {
            CHECK(std::abs(once[i].mean_loss - expected[i].mean_loss) <= 1e-12 * expected[i].mean_loss);
            CHECK(once[i].scores[0] == expected[i].scores[0]);
            CHECK(once[i].squared_norm == expected[i].squared_norm);
            CHECK(once[i].mean_loss == twice[i].mean_loss);
        }
    }
}

TEST_CASE("weights that are not finite score infinity on a GPU, too") {
    if (no_device()) return;
    const TestSamples samples = random_samples(100, 300, 4, 3);
    std::vector<float> weights(300);
    weights[299] = std::numeric_limits<float>::infinity();
    const DeviceDataset sent(samples.view());
    const std::vector<const float*> snapshots{weights.data()};
    CHECK(DeviceEvaluator("hinge", sent.view().as<SparseView>(), true)(snapshots)[0].mean_loss ==
          std::numeric_limits<double>::infinity());
}
