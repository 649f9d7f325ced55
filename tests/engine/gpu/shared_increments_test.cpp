// CPU threads and a GPU increment one buffer at the same time: what is kept, by memory and policy (oracle 25).
#include "engine/gpu/stream.h"
#include "engine/machine/cores.h"
#include "engine/machine/gpus.h"
#include "engine/memory/parameter_buffer.h"
#include "engine/workers/team.h"
#include "kernels/cuda/increments.h"
#include "tests/device.h"

#include <algorithm>
#include <numeric>

using namespace hogwild;

namespace {

constexpr std::uint32_t kCells = 1u << 18;
constexpr unsigned kBlocks = 132; // of 256 threads: 33,792 increments of the GPU for each that a thread makes

struct Both {
    std::uint64_t on_host = 0, on_device = 0;
    double kept = 0;

    std::uint64_t issued() const { return on_host + on_device; }
};

template <class Update>
void increment_on_host(float* cells, std::uint64_t count, std::uint32_t seed) {
    const Update update;
    std::uint32_t state = seed * 2 + 1;
    for (std::uint64_t i = 0; i < count; ++i) {
        state = state * 1'664'525u + 1'013'904'223u;
        update.add(cells[(state >> 8) % kCells], 1.0f);
    }
}

/// About `on_host` increments by CPU threads while each of the GPU's threads makes `per_thread`, of system scope.
template <class Update>
Both increment_together(MemoryKind memory, std::uint64_t on_host, std::uint32_t per_thread) {
    const ParameterBuffer buffer(kCells, memory);
    const auto kernel =
        increment_kernels()[catalog::find<Updates>(Update::name)][static_cast<std::size_t>(Scope::kSystem)];
    const DeviceIncrements on_gpu{buffer.on_device(), kCells - 1, per_thread, 7, kBlocks};
    const Stream stream;
    const unsigned threads = std::min(usable_cores(), 16u);
    WorkerTeam team(threads, Pin::kNone);
    const std::uint64_t each = on_host / threads + 1;
    check(kernel(on_gpu, stream.get()), "increments");
    team.run([&](unsigned worker) { increment_on_host<Update>(buffer.data(), each, worker + 1); });
    stream.wait();
    const float* const cells = buffer.data();
    CHECK(*std::max_element(cells, cells + kCells) < 0x1p24f); // below it floats count exactly
    return {threads * each, on_gpu.total(), std::accumulate(cells, cells + kCells, 0.0)};
}

bool share_managed_memory() {
    if (read_gpus().list[0].concurrent_managed_access) return true;
    MESSAGE("skipped: CPU threads and this GPU may not touch managed memory at the same time; to run it: take a GPU "
            "with concurrent managed access");
    return false;
}

} // namespace

TEST_CASE("10^8 system-scope atomic increments of CPU threads and a GPU on managed memory are exact" *
          doctest::test_suite("no tool")) { // oracle 25
    if (no_device() || !share_managed_memory()) return;
    const Both both = increment_together<AtomicAdd>(MemoryKind::kManagedHost, 100'000'000, 64);
    CHECK(both.issued() > 100'000'000);
    CHECK(both.on_device > both.issued() / 100);
    CHECK(both.kept == static_cast<double>(both.issued()));
}

TEST_CASE("system-scope atomic increments are exact on managed memory whose pages travel, too" *
          doctest::test_suite("no tool")) { // oracle 25
    if (no_device() || !share_managed_memory()) return;
    for (const MemoryKind memory : {MemoryKind::kManaged, MemoryKind::kManagedDevice}) {
        const Both both = increment_together<AtomicAdd>(memory, 1'000'000, 2);
        CHECK_MESSAGE(both.kept == static_cast<double>(both.issued()), name_of(memory));
    }
}

TEST_CASE("on mapped memory they are exact where the link has atomics, and never more than were issued" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const Both both = increment_together<AtomicAdd>(MemoryKind::kMapped, 4'000'000, 16);
    MESSAGE("mapped, atomic: kept " << both.kept << " of " << both.issued());
    if (read_gpus().list[0].host_native_atomics) CHECK(both.kept == static_cast<double>(both.issued()));
    CHECK(both.kept <= static_cast<double>(both.issued()));
    CHECK(both.kept > 0);
}

TEST_CASE("racy increments of both may be lost, and none is invented" * doctest::test_suite("no tool")) {
    if (no_device()) return;
    for (const MemoryKind memory : {MemoryKind::kMapped, MemoryKind::kManagedHost}) {
        if (memory != MemoryKind::kMapped && !share_managed_memory()) continue;
        const Both both = increment_together<Racy>(memory, 4'000'000, 16);
        MESSAGE(name_of(memory) << ", racy: kept " << both.kept << " of " << both.issued());
        CHECK(both.kept <= static_cast<double>(both.issued()));
        CHECK(both.kept > 0);
    }
}
