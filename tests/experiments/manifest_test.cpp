#include "experiments/manifest.h"

#include "tests/engine/schemes/toy_run.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("a manifest labels memory on which increments of CPU and GPU meet, and names the GPU, where one stepped") {
    const Dataset data = crowded();
    const Placements placements(data, {}, {});
    const Origin origin{data, nullptr, {"hogwild", "run"}, {}, {}, placements};
    const auto manifest_of = [&](const std::string& device, bool shares, bool atomic) {
        Result result;
        result.plan = toy_plan("hogwild", 2);
        result.plan.device = device;
        result.outcome.gpu.shares_cells = shares;
        result.outcome.gpu.cells_are_atomic = atomic;
        return manifest(result, {}, "2026-01-01T00:00:00Z", origin);
    };
    CHECK(manifest_of("both", true, true)["cpu_gpu_increments"] == "atomic");
    CHECK(manifest_of("both", true, false)["cpu_gpu_increments"] == "not atomic");
    CHECK(manifest_of("gpu", false, false)["cpu_gpu_increments"].is_null());
    CHECK(manifest_of("both", true, true).contains("gpus"));
    CHECK_FALSE(manifest_of("cpu", false, false).contains("cpu_gpu_increments"));
}
