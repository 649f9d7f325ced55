#include "engine/machine/cores.h"
#include "engine/measure/measure.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

#include <sched.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kRounds = 5000; // some milliseconds a batch
constexpr std::size_t kBatches = 9;

// No pause: it would add its own length to every transfer. The yield is for a partner that the system has put aside.
void await(const std::atomic<std::uint32_t>& line, std::uint32_t value) {
    for (std::uint32_t spins = 1; line.load(std::memory_order_relaxed) != value; ++spins) {
        if (spins % 65536 == 0) sched_yield();
    }
}

} // namespace

std::optional<double> measure_line_transfer_ns() {
    using Clock = std::chrono::steady_clock;
    if (usable_cores() < 2) return std::nullopt;
    WorkerTeam team(2, Pin::kCores);
    struct alignas(128) Line {
        std::atomic<std::uint32_t> ball{0};
    } line;
    std::array<double, kBatches> nanoseconds{};

    for (double& batch : nanoseconds) {
        line.ball.store(0, std::memory_order_relaxed);
        team.run([&](unsigned worker) {
            const Clock::time_point start = Clock::now();
            for (std::uint32_t round = 0; round < kRounds; ++round) {
                await(line.ball, 2 * round + worker);
                line.ball.store(2 * round + worker + 1, std::memory_order_relaxed);
            }
            // Worker 1 starts its watch before the first ball can arrive, worker 0 perhaps long before there is a
            // partner.
            const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
            if (worker == 1) batch = elapsed.count() / (2.0 * kRounds);
        });
    }
    return *std::ranges::min_element(nanoseconds);
}

} // namespace hogwild
