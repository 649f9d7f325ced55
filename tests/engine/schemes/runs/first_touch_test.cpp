// That what a run's workers write is there before its clock starts.
#include "engine/data/load.h"
#include "engine/plan/plan.h"
#include "kernels/kernels.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>

#include <unistd.h>

using namespace hogwild;

namespace {

/// Bytes of this process that are in memory.
std::uint64_t resident() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0, pages = 0;
    file >> all >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

Dataset images() {
    LoadOptions options;
    options.samples = ImagesView::kSamples;
    return load("synthetic:images/100", options);
}

/// Looks at the first observation, behind which the clock starts, and when it has stopped.
class Residence : public SnapshotSink {
public:
    void taken(const Snapshot& snapshot, std::span<const double>) override {
        if (snapshot.number == 0) before_ = resident();
    }
    void ended() override {
        if (grown == 0) grown = resident() > before_ ? resident() - before_ : 1;
    }

    std::uint64_t grown = 0; // bytes

private:
    std::uint64_t before_ = 0;
};

} // namespace

TEST_CASE("a network's scratch memory is written before the clock starts") {
    if (kThreadSanitizer) {
        MESSAGE("skipped: ThreadSanitizer writes memory of its own; to run it: ./tests/run release");
        return;
    }
    const Dataset data = images();
    for (const std::string scheme : {"serial", "hogwild"}) {
        CAPTURE(scheme);
        Plan plan = toy_plan(scheme, scheme == "serial" ? 1 : 2);
        plan.problem = "network";
        plan.network.layers = "conv 64 3 relu; dense 10";
        plan.batch.size = 256;
        plan.epochs = plan.observations_per_epoch = 1;
        plan.l2 = 0;
        Residence residence;
        run(plan, {.train = data, .sink = &residence});
        const AnyView view = bound(data.view(), plan);
        const Kernels& kernels = kernels_named(plan.problem);
        const std::uint64_t scratch = sizeof(float) * kernels.step_scratch(view, 256, false);
        CHECK(residence.grown < scratch / 2);
    }
}
