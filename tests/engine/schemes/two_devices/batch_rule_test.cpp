#include "engine/schemes/two_devices/batch_rule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <queue>
#include <tuple>
#include <vector>

using namespace hogwild;

namespace {

/// A device whose workers take a + b x batch seconds a step. What it has made is known after every `reports` steps of each.
struct Speed {
    unsigned workers;
    double a, b;
    std::uint32_t first;
    std::uint64_t reports = 1;
};

struct Ended {
    std::array<std::uint64_t, 2> steps{};
    std::array<std::uint32_t, 2> batch{};
    std::array<int, 2> changes{};
};

/// Two devices that share out so many samples, in the order of simulated time.
Ended race(const std::array<Speed, 2>& devices, std::uint32_t least, std::uint32_t most, std::uint64_t samples) {
    using Event = std::tuple<double, unsigned, int>; // when a step of a worker ends, of which device
    std::array<BatchRule, 2> rules{BatchRule(least, devices[0].first, most, 2 * devices[0].workers),
                                   BatchRule(least, devices[1].first, most, 2 * devices[1].workers)};
    std::priority_queue<Event, std::vector<Event>, std::greater<>> running;
    Ended ended;
    std::array<std::uint64_t, 2> known{};
    const auto start = [&](double now, unsigned worker, int d) {
        if (samples == 0) return;
        const std::uint64_t taken = std::min<std::uint64_t>(samples, rules[d].batch());
        samples -= taken;
        running.push({now + devices[d].a + devices[d].b * static_cast<double>(taken), worker, d});
    };
    for (const int d : {0, 1}) {
        for (unsigned worker = 0; worker < devices[d].workers; ++worker) start(0, worker, d);
    }
    while (!running.empty()) {
        const auto [now, worker, d] = running.top();
        running.pop();
        if (++ended.steps[d] % (devices[d].reports * devices[d].workers) == 0) known[d] = ended.steps[d];
        const std::uint32_t before = rules[d].batch();
        const std::uint32_t batch = rules[d].next(known[d], known[1 - d], rules[1 - d].can_shrink());
        CHECK(batch >= least);
        CHECK(batch <= most);
        CHECK((batch == before || batch == 2 * before || 2 * batch == before));
        ended.changes[d] += batch != before;
        start(now, worker, d);
    }
    for (const int d : {0, 1}) ended.batch[d] = rules[d].batch();
    return ended;
}

constexpr std::uint32_t kLeast = 16, kMost = 512;

} // namespace

TEST_CASE("devices of any speeds end with about as many steps, or a batch is at its bound") {
    const Speed cpu{14, 1e-4, 3e-5, 16}, gpu{4, 1e-4, 5e-7, 256};
    for (const auto& devices : {std::array{cpu, gpu},
                                {cpu, Speed{4, 1e-4, 5e-7, 16, 4}},
                                {Speed{8, 0, 1e-4, 512}, Speed{4, 4e-4, 2e-6, 16, 4}},
                                {Speed{4, 0, 1e-3, 16}, Speed{4, 0, 1e-3, 16}},
                                {Speed{4, 0, 1e-3, 32}, Speed{4, 0, 1e-3, 128}},
                                {gpu, cpu},
                                {Speed{1, 1e-3, 1e-4, 64}, Speed{2, 2e-3, 2e-5, 64, 12}},
                                {Speed{8, 0, 5e-4, 16}, Speed{16, 4e-4, 2e-6, 512}},    // the second one is too fast
                                {Speed{16, 0, 1e-5, 16}, Speed{4, 5e-3, 1e-6, 512}}}) { // too slow
        const Ended ended = race(devices, kLeast, kMost, 600'000);
        CAPTURE(ended.steps[0]);
        CAPTURE(ended.steps[1]);
        CAPTURE(ended.batch[0]);
        CAPTURE(ended.batch[1]);
        const int more = ended.steps[0] > ended.steps[1] ? 0 : 1;
        const double ratio = static_cast<double>(ended.steps[more]) / static_cast<double>(ended.steps[1 - more]);
        CHECK((ratio < 1.25 || (ended.batch[more] == kMost && ended.batch[1 - more] == kLeast)));
    }
}

TEST_CASE("batches settle: of those that make devices level, at the smallest") {
    const Ended ended = race({Speed{8, 0, 1e-4, 16}, Speed{4, 4e-4, 2e-6, 512}}, kLeast, kMost, 6'000'000);
    CHECK(ended.batch[0] == kLeast);
    CHECK(ended.batch[1] > kLeast); // 4 steps in 4e-4 + 2e-6 x 200 s are as many as 8 in 1.6e-3 s
    CHECK(ended.batch[1] < kMost);
    CHECK(ended.changes[0] == 0);
    CHECK(ended.changes[1] < 40);
    const Ended alike = race({Speed{4, 0, 1e-3, 16}, Speed{4, 0, 1e-3, 16}}, kLeast, kMost, 600'000);
    CHECK(alike.changes[0] + alike.changes[1] == 0);
}

TEST_CASE("a rule whose bounds are one never changes its batch") {
    BatchRule rule(24, 24, 24, 1);
    for (std::uint64_t k = 1; k < 100; ++k) {
        CHECK(rule.next(k, k % 2 * 1'000, false) == 24);
        CHECK_FALSE(rule.can_shrink());
    }
}

TEST_CASE("a device that is behind halves its batch, one that is ahead doubles it once the other cannot shrink") {
    BatchRule behind(1, 8, 16, 4);
    CHECK(behind.next(3, 100, true) == 8); // has made no round yet
    CHECK(behind.next(4, 100, true) == 4);
    CHECK(behind.next(7, 200, true) == 4);
    CHECK(behind.next(8, 200, true) == 2);
    CHECK(behind.next(108, 210, true) == 2); // catches up
    CHECK(behind.next(200, 210, true) == 2); // level
    CHECK(behind.next(204, 400, true) == 1);
    CHECK(behind.next(208, 500, true) == 1);
    BatchRule ahead(1, 4, 16, 4);
    CHECK(ahead.next(100, 4, true) == 4); // the other shrinks first
    CHECK(ahead.next(200, 8, false) == 8);
    CHECK(ahead.next(204, 100, false) == 8); // is being caught up with
    CHECK(ahead.next(300, 101, false) == 16);
    CHECK(ahead.next(400, 102, false) == 16);
}
