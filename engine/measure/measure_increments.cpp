#include "engine/error.h"
#include "engine/measure/increment_loop.h"
#include "engine/measure/measure.h"
#include "engine/memory/pages.h"
#include "engine/workers/barrier.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kChunk = 1024; // increments between two looks at the clock
constexpr std::uint64_t kWarmUp = 1U << 14;

struct alignas(128) Share {
    Clock::time_point start, end;
    std::uint64_t timed = 0;
    std::uint64_t issued = 0;
    double held = 0;
    WorkerContext context;
};

// A policy that only draws.
struct Draw {
    void add(float& cell, float) const { asm volatile("" : : "r"(&cell)); }
};

// Increments until the time is over or `limit` is reached.
template <class Policy>
void increment_for(const Policy& policy, float* cells, std::uint64_t floats, double seconds, std::uint64_t limit,
                   std::uint64_t seed, Share& share) {
    share.start = share.end = Clock::now();
    const auto duration = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    while (share.timed + kChunk <= limit && share.end - share.start < duration) {
        increment_at_random(policy, cells, floats, seed, kWarmUp + share.timed, kChunk);
        share.timed += kChunk;
        share.end = Clock::now();
    }
}

template <class Policy>
std::vector<Share> increment_together(WorkerTeam& team, float* cells, std::uint64_t floats, double seconds,
                                      std::uint32_t cas_limit) {
    std::vector<Share> shares(team.size());
    SpinBarrier barrier(team.size(), team.oversubscribed());
    const std::uint64_t limit = kExactIncrements / team.size();
    const std::uint64_t warm_up = std::min(kWarmUp, limit / 16 * 2);
    team.run([&](unsigned worker) {
        Share& share = shares[worker];
        share.context.worker = worker;
        share.context.workers = team.size();
        share.context.cas_limit = cas_limit;
        const std::uint64_t lines = floats / 16;
        const std::uint64_t begin = lines * worker / team.size() * 16;
        const std::uint64_t end = lines * (worker + 1) / team.size() * 16;
        const std::uint64_t seed = std::uint64_t{worker} << 40; // draws of two workers never meet

        std::fill(cells + begin, cells + end, 0.0F);
        const Policy policy(share.context);
        barrier.wait(worker);
        increment_at_random(policy, cells, floats, seed, 0, warm_up);
        barrier.wait(worker);
        increment_for(policy, cells, floats, seconds, limit - warm_up, seed, share);
        share.issued = warm_up + share.timed;
        barrier.wait(worker);
        for (std::uint64_t i = begin; i < end; ++i) share.held += cells[i];
    });
    return shares;
}

IncrementRate summarise(const std::vector<Share>& shares, std::string_view update, std::uint64_t floats) {
    IncrementRate rate;
    rate.update = update;
    rate.workers = static_cast<unsigned>(shares.size());
    rate.floats = floats;
    Clock::time_point start = shares.front().start, end = shares.front().end;
    std::uint64_t timed = 0;
    double held = 0;
    for (const Share& share : shares) {
        start = std::min(start, share.start);
        end = std::max(end, share.end);
        timed += share.timed;
        rate.issued += share.issued;
        rate.dropped += share.context.dropped;
        held += share.held;
    }
    rate.per_second = static_cast<double>(timed) / std::chrono::duration<double>(end - start).count();
    if (update_traits(update).writes) rate.kept = held / static_cast<double>(rate.issued);
    return rate;
}

} // namespace

IncrementRate measure_increments(WorkerTeam& team, std::string_view update, std::uint64_t floats, double seconds,
                                 std::uint32_t cas_limit) {
    if (catalog::find<Updates>(update) == catalog::names<Updates>.size()) {
        throw Error(Failure::kUsage, fmt::format("unknown update '{}'", update),
                    fmt::format("known: {}", fmt::join(catalog::names<Updates>, ", ")), "choose one of these");
    }
    const PageArray<float> cells(floats);
    const auto measure = [&]<class Policy>(const Policy&) {
        return summarise(increment_together<Policy>(team, cells.data(), floats, seconds, cas_limit), update, floats);
    };
    return std::visit(measure, catalog::make<Updates>(update));
}

double measure_draw_ns(WorkerTeam& team) {
    constexpr std::uint64_t kDraws = 1U << 14;
    constexpr int kBatches = 100;
    alignas(64) float line[16] = {};
    double best = std::numeric_limits<double>::infinity();
    team.run([&](unsigned worker) {
        for (int batch = 0; worker == 0 && batch < kBatches; ++batch) {
            const Clock::time_point start = Clock::now();
            increment_at_random(Draw{}, line, 16, 0, batch * kDraws, kDraws);
            const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
            best = std::min(best, elapsed.count() / static_cast<double>(kDraws));
        }
    });
    return best;
}

} // namespace hogwild
