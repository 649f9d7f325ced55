#include "engine/plan/choices.h"
#include "engine/plan/derived/sharing.h"
#include "engine/plan/plan.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

Plan on(const std::string& device, const std::string& memory) {
    Plan plan;
    plan.device = device;
    set_memory(plan, memory);
    return plan;
}

Gpu gpu_with(bool managed, bool native) {
    Gpu gpu;
    gpu.concurrent_managed_access = managed;
    gpu.host_native_atomics = native;
    gpu.shared_bytes = 232'448;
    return gpu;
}

} // namespace

TEST_CASE("both sides have cells in common on one buffer alone, and what makes these atomic depends on its kind") {
    for (const bool managed : {false, true}) {
        for (const bool native : {false, true}) {
            const Gpu gpu = gpu_with(managed, native);
            for (const std::string memory : {"mapped", "managed", "managed-host", "managed-device"}) {
                CHECK(sharing(on("both", memory), gpu).cells);
                CHECK(sharing(on("both", memory), gpu).atomic == (memory == "mapped" ? native : managed));
                CHECK_FALSE(sharing(on("gpu", memory), gpu).cells);
            }
            CHECK_FALSE(sharing(on("both", "replica"), gpu).cells);
            CHECK_FALSE(sharing(on("both", "replica"), gpu).atomic);
        }
    }
}

TEST_CASE("what a GPU cannot do is left out with a reason, and nothing else") {
    const Gpu able = gpu_with(true, false), unable = gpu_with(false, false);
    for (const std::string memory : {"mapped", "managed", "managed-host", "managed-device", "replica"}) {
        const bool managed = memory.starts_with("managed");
        CHECK(why_not_on(able, on("both", memory)).empty());
        CHECK(why_not_on(unable, on("both", memory)).empty() == !managed);
        CHECK(why_not_on(unable, on("gpu", memory)).empty() == (!managed || memory == "managed"));
    }
    Plan plan = on("gpu", "device");
    plan.scheme = "hogwild";
    plan.hot.count = 29'056;
    CHECK(why_not_on(able, plan).empty());
    plan.hot.count = 29'057;
    CHECK_FALSE(why_not_on(able, plan).empty());
}
