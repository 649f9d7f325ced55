#include "engine/machine/hwloc_tree.h"
#include "engine/machine/topology.h"
#include "engine/measure/measure.h"
#include "engine/memory/pages.h"
#include "engine/workers/barrier.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>

namespace hogwild {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPasses = 3;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Many independent sums: a single one would wait for its additions instead of for memory.
float read_all(const float* values, std::uint64_t count) {
    constexpr std::uint64_t kLanes = 32;
    std::array<float, kLanes> sums{};
    for (std::uint64_t i = 0; i + kLanes <= count; i += kLanes) {
        for (std::uint64_t lane = 0; lane < kLanes; ++lane) sums[lane] += values[i + lane];
    }
    return std::accumulate(sums.begin(), sums.end(), 0.0F);
}

void triad(float* a, const float* b, const float* c, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) a[i] = b[i] + 3.0F * c[i];
}

// Without this the compiler may drop a pass whose result nobody reads.
template <class T>
void use(const T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

} // namespace

std::uint64_t bandwidth_array_bytes() {
    const Topology topology = read_topology(HwlocTree::of_this_machine());
    const std::uint64_t last_level = topology.caches.empty() ? 0 : topology.caches.back().bytes;
    const std::uint64_t wanted = std::clamp<std::uint64_t>(4 * last_level, 64U << 20, 256U << 20);
    const std::uint64_t free = read_machine_state().available_bytes;
    return free == 0 ? wanted : std::min(wanted, free / 16);
}

Bandwidth measure_bandwidth(WorkerTeam& team, std::uint64_t array_bytes) {
    const std::uint64_t per_worker = std::max<std::uint64_t>(32, array_bytes / sizeof(float) / team.size() / 32 * 32);
    const std::uint64_t total = per_worker * team.size();
    const PageArray<float> a(total), b(total), c(total);
    SpinBarrier barrier(team.size(), team.oversubscribed());
    double best_read = 0, best_triad = 0;

    team.run([&](unsigned worker) {
        const std::uint64_t begin = worker * per_worker;
        // First touch: each worker's part comes to lie in its own node's memory.
        std::fill_n(b.data() + begin, per_worker, 1.0F);
        std::fill_n(c.data() + begin, per_worker, 2.0F);
        triad(a.data() + begin, b.data() + begin, c.data() + begin, per_worker);

        // Worker 0 holds the watch: a pass lasts from the barrier before it to the barrier behind the slowest.
        const auto time = [&](const auto& pass) {
            barrier.wait(worker);
            const Clock::time_point start = Clock::now();
            pass();
            barrier.wait(worker);
            return seconds_since(start);
        };
        for (int repeat = 0; repeat < kPasses; ++repeat) {
            const double read = time([&] { use(read_all(b.data() + begin, per_worker)); });
            const double write = time([&] {
                triad(a.data() + begin, b.data() + begin, c.data() + begin, per_worker);
                use(a[begin]);
            });
            if (worker == 0) {
                const auto bytes = static_cast<double>(total * sizeof(float));
                best_read = std::max(best_read, bytes / read);
                best_triad = std::max(best_triad, 3 * bytes / write);
            }
        }
    });
    return {team.size(), total * sizeof(float), best_read, best_triad};
}

} // namespace hogwild
