// Runs of small networks on a GPU, and the serial ones that they are held against.
#pragma once

#include "tests/device.h"
#include "tests/engine/schemes/toy_images.h"
#include "tests/kernels/cuda/device_run.h"

#include <string>
#include <vector>

namespace hogwild {

inline constexpr const char* kDense = "dense 40 relu; dropout 0.2; dense 9 tanh; dense 4";

inline Plan gpu_plan(const std::string& scheme, const std::string& network) {
    Plan plan = images_plan(scheme);
    plan.network = network;
    plan.epochs = 2;
    plan.step = {.kind = "constant", .size = 0.05};
    plan.device = "gpu";
    plan.memory = "device";
    plan.update = "atomic";
    plan.streams = 1;
    return plan;
}

inline std::vector<float> serial_weights(Plan plan, const Dataset& data) {
    plan.scheme = "serial";
    plan.device = "cpu";
    plan.memory = "host";
    plan.update = "racy";
    plan.read = "in-place";
    plan.gpu_steps = "teams";
    plan.telemetry = "off";
    return run(plan, {data}).weights;
}

} // namespace hogwild
