#include "engine/gpu/bridge.h"

#include "engine/gpu/memory/device_memory.h"
#include "engine/memory/parameter_buffer.h"
#include "kernels/cuda/increments.h"
#include "tests/device.h"

#include <array>
#include <atomic>
#include <numeric>
#include <thread>

using namespace hogwild;

TEST_CASE("a bridge loses no increment of either side, and counts none twice, while both step") {
    if (no_device()) return;
    constexpr std::uint32_t kCells = 1u << 12;
    const ParameterBuffer buffer(kCells, MemoryKind::kReplica);
    Bridge bridge(buffer.data(), buffer.on_device(), kCells, 1.0f, true);
    const auto kernel = increment_kernels()[catalog::find<Updates>("atomic")][0];
    const DeviceIncrements on_gpu{buffer.on_device(), kCells - 1, 1'000, 3, 64};
    const Stream stream;
    std::atomic<int> rounds{0};
    std::atomic<bool> stepping{true};
    std::uint32_t added = 0;
    std::thread host([&] {
        for (; added < 4'000'000 || rounds < 2; ++added) // two exchanges at least while it steps
            std::atomic_ref<float>(buffer.data()[added * 7 % kCells]).fetch_add(1.0f, std::memory_order_relaxed);
        stepping = false;
    });
    for (int launch = 0; launch < 4; ++launch) check(kernel(on_gpu, stream.get()), "increments");
    for (; stepping; ++rounds) bridge.exchange();
    host.join();
    stream.wait();
    bridge.exchange_rest();
    const double sum = std::accumulate(buffer.data(), buffer.data() + kCells, 0.0);
    CHECK(sum == added + 4.0 * static_cast<double>(on_gpu.total()));
    std::vector<float> copy(kCells);
    check(cudaMemcpy(copy.data(), buffer.on_device(), kCells * sizeof(float), cudaMemcpyDeviceToHost), "a copy");
    CHECK(copy == std::vector<float>(buffer.data(), buffer.data() + kCells));
}

TEST_CASE("either side is of the moment of the last exchange, and an era's end leaves nothing owed") {
    if (no_device()) return;
    const ParameterBuffer buffer(1, MemoryKind::kReplica);
    const DeviceArray<unsigned long long> consumed = zeros<unsigned long long>(1);
    std::array<PublishedCount, 2> threads;
    PublishedCount delivered;
    Bridge bridge(buffer.data(), buffer.on_device(), 1, 1.0f, true, {consumed.data(), threads, &delivered});
    const auto streams_step = [&](unsigned long long count, float weight) {
        check(cudaMemcpy(consumed.data(), &count, sizeof(count), cudaMemcpyHostToDevice), "a count");
        check(cudaMemcpy(buffer.on_device(), &weight, sizeof(weight), cudaMemcpyHostToDevice), "a weight");
        check(cudaDeviceSynchronize(),
              "waiting"); // a copy from pageable memory may still be under way, and the bridge has a stream
    };
    streams_step(100, 8);
    threads[0].value = 3;
    CHECK(bridge.held() == 0);
    CHECK(delivered.value == 0);
    bridge.exchange();
    streams_step(250, 10);
    threads[1].value = 4;
    buffer.data()[0] += 1;
    CHECK(bridge.held() == 100);
    CHECK(delivered.value == 3);
    bridge.rescale(0.5f);
    CHECK(bridge.held() == 250);
    CHECK(delivered.value == 7);
    CHECK(buffer.data()[0] == 5.5f);
    float copy = 0;
    check(cudaMemcpy(&copy, buffer.on_device(), sizeof(copy), cudaMemcpyDeviceToHost), "a copy");
    CHECK(copy == 5.5f);
    CHECK(bridge.rounds() == 2);
}
