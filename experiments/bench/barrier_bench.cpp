// How often can workers meet: the spinning barrier of the synchronous schemes beside std::barrier.
//
// Pinned workers do nothing but cross; one crossing is one phase passed by all of them.
#include "engine/workers/barrier.h"
#include "engine/workers/team.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/stopwatch.h"

#include <barrier>
#include <cstddef>
#include <memory>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kCrossings = 20'000;

/// `cross(worker)` passes the barrier once.
template <class Cross>
Measurement cross_together(WorkerTeam& team, const Cross& cross) {
    const Stopwatch watch;
    team.run([&](unsigned worker) {
        for (std::uint32_t i = 0; i < kCrossings; ++i) cross(worker);
    });
    const double seconds = watch.seconds();
    return {seconds, kCrossings, {{"ns", seconds / kCrossings * 1e9}}};
}

void add_rows(Bench& bench) {
    for (const unsigned threads : thread_counts()) {
        const auto team = std::make_shared<WorkerTeam>(threads);
        const std::string ours = fmt::format("spinning/{}", threads);
        const std::string standard = fmt::format("std/{}", threads);
        bench.add(ours, [=] {
            SpinBarrier barrier(threads, team->oversubscribed());
            return cross_together(*team, [&](unsigned worker) { barrier.wait(worker); });
        });
        bench.add(standard, [=] {
            std::barrier barrier(static_cast<std::ptrdiff_t>(threads));
            return cross_together(*team, [&](unsigned) { barrier.arrive_and_wait(); });
        });
        bench.compare(fmt::format("spinning / std::barrier, threads {}", threads), ours, standard);
    }
    const unsigned all = thread_counts().back();
    bench.add_rivals(
        fmt::format("/{}", all), [=] { return std::to_string(all); }, kCrossings);
    bench.compare_with_rivals(fmt::format("spinning/{}", all), fmt::format("/{}", all));
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How often can workers meet: the spinning barrier beside std::barrier?", "crossings/s",
                                "", "the number of threads and of crossings", hogwild::add_rows});
}
