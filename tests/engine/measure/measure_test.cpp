#include "engine/measure/measure.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/measure/increment_loop.h"
#include "kernels/catalog.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

constexpr double kShort = 0.002;

} // namespace

TEST_CASE("atomic keeps every increment, at any number of workers and any contention") {
    for (const unsigned workers : {1U, 2U, 3U}) {
        WorkerTeam team(workers);
        for (const std::uint64_t floats : {16, 4096}) {
            const IncrementRate rate = measure_increments(team, "atomic", floats, kShort);
            CHECK(rate.workers == workers);
            CHECK(rate.floats == floats);
            CHECK(rate.kept == 1.0);
            CHECK(rate.dropped == 0);
        }
    }
}

TEST_CASE("one worker keeps every increment with every policy that writes, and noop writes nothing") {
    WorkerTeam team(1);
    for (const std::string_view update : catalog::names<Updates>) {
        CAPTURE(update);
        const IncrementRate rate = measure_increments(team, update, 4096, kShort);
        CHECK(rate.update == update);
        CHECK(rate.per_second > 0);
        if (update == "noop") {
            CHECK_FALSE(rate.kept.has_value());
        } else {
            CHECK(rate.kept == 1.0);
        }
    }
}

TEST_CASE("a bounded policy's kept and dropped increments add up to those issued") {
    WorkerTeam team(3);
    const IncrementRate tried_once = measure_increments(team, "cas-bounded", 16, kShort, 1);
    REQUIRE(tried_once.kept.has_value());
    const double kept = *tried_once.kept * static_cast<double>(tried_once.issued);
    CHECK(kept + static_cast<double>(tried_once.dropped) ==
          doctest::Approx(static_cast<double>(tried_once.issued)).epsilon(1e-12));
    const IncrementRate never_tried = measure_increments(team, "cas-bounded", 16, kShort, 0);
    CHECK(never_tried.kept == 0.0);
    CHECK(never_tried.dropped == never_tried.issued);
}

TEST_CASE("no measurement issues so many increments that a cell could saturate" *
          doctest::test_suite("not under ThreadSanitizer")) {
    WorkerTeam team(2);
    const IncrementRate rate = measure_increments(team, "noop", 16, 3600.0); // the limit ends it, not the time
    CHECK(rate.issued <= kExactIncrements);
    CHECK(rate.issued > kExactIncrements - 2 * 1024 - 2);
}

TEST_CASE("an unknown update is refused with the known ones") {
    WorkerTeam team(1);
    CHECK_THROWS_WITH_AS(measure_increments(team, "atomc", 16, kShort),
                         "unknown update 'atomc' (known: racy, atomic, cas-bounded, noop); choose one of these", Error);
}

TEST_CASE("bandwidth is measured over whole arrays by every worker") {
    WorkerTeam team(2);
    const Bandwidth bandwidth = measure_bandwidth(team, 1 << 20);
    CHECK(bandwidth.workers == 2);
    CHECK(bandwidth.array_bytes == 1 << 20);
    CHECK(bandwidth.read > 0);
    CHECK(bandwidth.triad > 0);
    CHECK(bandwidth.read < 1e13);
    CHECK(bandwidth.triad < 1e13);
    CHECK(bandwidth_array_bytes() <= 256U << 20);
}

TEST_CASE("a line's journey between cores is measured exactly where there are two") {
    const std::optional<double> nanoseconds = measure_line_transfer_ns();
    CHECK(nanoseconds.has_value() == (usable_cores() >= 2));
    if (nanoseconds) CHECK(*nanoseconds > 0);
}

TEST_CASE("drawing a coordinate costs time, but less than a microsecond") {
    WorkerTeam team(1);
    const double nanoseconds = measure_draw_ns(team);
    CHECK(nanoseconds > 0.01);
    CHECK(nanoseconds < 1000);
}

TEST_CASE("cas-bounded fails a try only where another worker wrote") {
    WorkerTeam team(2);
    constexpr std::uint32_t kLimit = 4096;
    const IncrementRate rate = measure_increments(team, "cas-bounded", 16, 0.02, kLimit);
    REQUIRE(rate.kept.has_value());
    CHECK(static_cast<double>(rate.dropped) * kLimit <= *rate.kept * static_cast<double>(rate.issued));
}

TEST_CASE(
    "a machine is measured with one worker, with all that it can use and with those that are asked for, once each" *
    doctest::test_suite("not under ThreadSanitizer")) {
    const unsigned all = usable_cores();
    const Capabilities can = measure_capabilities({0, all, 1, all + 1});
    std::vector<unsigned> workers;
    for (const Bandwidth& of : can.bandwidth) workers.push_back(of.workers);
    CHECK(workers == (all > 1 ? std::vector<unsigned>{1, all} : std::vector<unsigned>{1}));
    for (const IncrementRate& rate : can.increments) CHECK(rate.per_second > 0);
    CHECK(can.increments.size() % workers.size() == 0);
    if (all < 3) return;
    CHECK(measure_capabilities({2}).bandwidth.at(1).workers == 2);
}
