#include "engine/gpu/memory/snapshot_copies.h"

#include "kernels/cuda/pass.h"
#include "kernels/worker_context.h"
#include "tests/device.h"

#include <atomic>
#include <memory>

using namespace hogwild;

namespace {

/// Holds a stream back until `open`.
struct Gate {
    std::atomic<bool> open{false};

    static void wait(void* gate) {
        while (!static_cast<Gate*>(gate)->open) {}
    }
};

} // namespace

TEST_CASE("a copy holds what threads have counted when it is made, not when it was asked for" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    constexpr std::uint32_t kColumns = 100;
    const DeviceArray<float> weights = zeros<float>(kColumns);
    const DeviceArray<unsigned long long> streams = zeros<unsigned long long>(1);
    const PinnedArray<PublishedCount> threads(2);
    std::uninitialized_default_construct_n(threads.data(), threads.size());
    static_assert(sizeof(PublishedCount) == HostCounts::kStride * sizeof(unsigned long long));
    SnapshotCopies copies(2, {weights.data(), Storage::kFloat32}, kColumns,
                          {streams.data(), reinterpret_cast<const unsigned long long*>(threads.data()),
                           static_cast<unsigned>(threads.size())},
                          1);
    Recorder recorder(kColumns, 3, 1 << 20);
    const Stream stream;
    copies.start(recorder, stream);
    recorder.start(ParameterBuffer(kColumns));

    Gate gate;
    check(cudaLaunchHostFunc(stream.get(), Gate::wait, &gate), "holding a stream back");
    threads.data()[0].value = 1;
    const Milestone reached;
    reached.record(stream);
    copies.copy_beside(0, reached, recorder.slot(1)); // behind the gate
    threads.data()[1].value = 10;
    copies.copy_now(recorder.slot(2)); // beside it
    threads.data()[0].value = 100;     // maybe before, maybe after the second copy
    gate.open = true;
    copies.wait();
    copies.fetch([](std::uint64_t) { return 1.0; });
    CHECK(recorder.slot(1)->updates == 110);
    CHECK(recorder.slot(2)->updates >= 11);
    CHECK(recorder.slot(2)->updates <= 110);
}
