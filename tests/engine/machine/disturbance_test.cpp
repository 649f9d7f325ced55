#include "engine/machine/disturbance.h"

#include "engine/machine/cores.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace hogwild;

namespace {

double seconds_of(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void spin(double cpu_seconds) {
    const double end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + cpu_seconds;
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < end) {}
}

/// What `meter` saw while so many threads were busy on the clock.
Disturbance with_threads(std::size_t count, DisturbanceMeter& meter) {
    std::atomic<bool> stop{false};
    std::vector<std::thread> busy(count);
    for (std::thread& thread : busy) {
        thread = std::thread([&] {
            while (!stop.load(std::memory_order_relaxed)) {}
        });
    }
    meter.start(DisturbanceMeter::Caller::kWaits);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (std::chrono::steady_clock::now() < end) {}
    const Disturbance seen = meter.read();
    stop = true;
    for (std::thread& thread : busy) thread.join();
    return seen;
}

constexpr double kTick = 0.01;

} // namespace

TEST_CASE("threads that outnumber the cores wait for them") {
    DisturbanceMeter meter;
    const Disturbance seen = with_threads(2 * std::thread::hardware_concurrency() + 1, meter);
    if (seen.core_wait_seconds == 0) {
        MESSAGE("skipped: the system does not tell how long threads wait for cores; to run it: take Linux with "
                "/proc/self/task");
        return;
    }
    CHECK(seen.core_wait_seconds > 0.02);
}

TEST_CASE("the wait of a caller who only waits for workers is left out") {
    DisturbanceMeter with, without;
    with.start(DisturbanceMeter::Caller::kWorks);
    without.start(DisturbanceMeter::Caller::kWaits);
    std::atomic<bool> stop{false};
    std::vector<std::thread> busy(usable_cores());
    for (std::thread& thread : busy) {
        thread = std::thread([&] {
            while (!stop.load(std::memory_order_relaxed)) {}
        });
    }
    spin(0.1); // of processor time, which it has to wait for
    const double of_workers = without.read().core_wait_seconds, of_all = with.read().core_wait_seconds;
    stop = true;
    for (std::thread& thread : busy) thread.join();
    if (of_all == 0) {
        MESSAGE("skipped: the system does not tell how long threads wait for cores; to run it: take Linux with "
                "/proc/self/task");
        return;
    }
    CHECK(of_workers < of_all);
}

TEST_CASE("another program's work counts, this program's own does not") {
    const double cores = usable_cores();
    DisturbanceMeter meter;
    meter.start(DisturbanceMeter::Caller::kWaits);
    const pid_t other = fork();
    REQUIRE(other >= 0);
    if (other == 0) {
        spin(0.2);
        _exit(0);
    }
    waitpid(other, nullptr, 0);
    const double others = meter.read().other_cpu_seconds;
    if (std::isnan(others)) {
        MESSAGE("skipped: the system does not tell how busy its processors are; to run it: take Linux with /proc/stat");
        return;
    }
    CHECK(others >= 0.2 - 2 * kTick * cores);

    const double own_before = seconds_of(CLOCK_PROCESS_CPUTIME_ID), begun = seconds_of(CLOCK_MONOTONIC);
    const Disturbance beside = with_threads(affinity_processors().size(), meter);
    const double own = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - own_before, wall = seconds_of(CLOCK_MONOTONIC) - begun;
    const auto processors = static_cast<double>(affinity_processors().size());
    CHECK(beside.other_cpu_seconds <= wall * processors - own + 2 * kTick * processors);
    CHECK(beside.stolen_cpu_seconds >= 0);
    CHECK(beside.stolen_cpu_seconds <= wall * processors + 2 * kTick * processors);
}

TEST_CASE("ticks are those of the processors that are named, idle ones and the sum of all left out") {
    const char* const stat = "cpu  110 220 330 440 550 660 770 880 0 0\n"
                             "cpu0 1 2 4 1000 1000 8 16 32 64 128\n"
                             "cpu1 10 20 40 1000 1000 80 160 320 640 1280\n"
                             "cpu3 100 0 0 1000 1000 0 0 0 0 0\n"
                             "intr 1 2 3\n";
    CHECK(processor_ticks(stat, {0, 1}).busy == 31 + 310);
    CHECK(processor_ticks(stat, {0, 1}).stolen == 352);
    CHECK(processor_ticks(stat, {3}).busy == 100);
    CHECK(std::isnan(processor_ticks(stat, {1, 2}).busy));
    CHECK(std::isnan(processor_ticks("", {0}).stolen));
    CHECK(std::isnan(processor_ticks("cpu0 1 2\n", {0}).busy));
}
