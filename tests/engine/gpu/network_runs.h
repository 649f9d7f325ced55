// Runs of small networks on a GPU, and the serial ones that they are held against.
#pragma once

#include "engine/gpu/batches/dense_products.h"
#include "engine/plan/plan.h"
#include "tests/device.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/kernels/cuda/device_run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

inline constexpr const char* kDense = "dense 40 relu; dropout 0.2; dense 9 tanh; dense 4";

inline Plan gpu_plan(const std::string& scheme, const std::string& network) {
    Plan plan = images_plan(scheme);
    plan.network.layers = network;
    plan.epochs = 2;
    plan.step = {.kind = "constant", .size = 0.05};
    plan.device = "gpu";
    plan.memory = "device";
    plan.update = "atomic";
    plan.gpu.streams = 1;
    return plan;
}

inline std::vector<float> serial_weights(Plan plan, const Dataset& data) {
    plan.scheme = "serial";
    plan.device = "cpu";
    plan.memory = "host";
    plan.update = "racy";
    plan.network.read = "in-place";
    plan.gpu.steps = "teams";
    plan.telemetry = "off";
    return run(plan, {data}).weights;
}

/// True, said once for each test, where graphs cannot run.
inline bool no_graphs() {
    if (no_device()) return true;
    const std::string why = DenseProducts::why_not();
    if (!why.empty())
        MESSAGE("skipped: no cuBLAS (" << why << "); to run it: install the cuBLAS of the CUDA that it was built with");
    return !why.empty();
}

/// Of two weights at the same place.
inline double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double most = 0;
    for (std::size_t j = 0; j < a.size(); ++j) most = std::max(most, std::abs(double{a[j]} - double{b[j]}));
    return most;
}

/// Whole runs by one team of each of so many blocks, and by synchronous batches, end with serial's bits.
inline void check_serial_bits(Plan plan, const Dataset& data, const std::vector<unsigned>& blocks) {
    const std::vector<float> serial = serial_weights(plan, data);
    for (const unsigned each : blocks) {
        CAPTURE(each);
        plan.gpu.blocks = each;
        CHECK(run(plan, {data}).weights == serial);
    }
    plan.scheme = "minibatch";
    CHECK(run(plan, {data}).weights == serial);
}

/// One team of any size does, whatever the policy and wherever it reads.
inline void check_serial_bits_of_a_team(Plan plan, const Dataset& data, const std::vector<float>& serial) {
    for (const unsigned blocks : {1u, 2u, 8u}) {
        CAPTURE(blocks);
        plan.gpu.blocks = blocks;
        for (const std::string update : {"racy", "atomic"}) {
            plan.update = update;
            for (const std::string read : {"in-place", "copy"}) {
                plan.network.read = read;
                CHECK(run(plan, {data}).weights == serial);
            }
        }
    }
}

/// Workers that race learn samples of which each tells its class.
inline void check_learns(const Plan& plan, const Dataset& data, std::uint64_t updates) {
    RunInputs inputs{data};
    inputs.test = &data;
    const Outcome outcome = run(plan, inputs);
    CHECK(outcome.status == "done");
    CHECK(outcome.updates == updates);
    CHECK(outcome.observations.back().scores[0] < 0.05);
    CHECK(outcome.observations.front().scores[0] > 0.5);
}

} // namespace hogwild
