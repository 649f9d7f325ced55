#include "engine/machine/core_waits.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace hogwild;

TEST_CASE("threads that outnumber the cores wait for them, and the time of it only grows") {
    const double before = core_wait_seconds();
    CHECK(before >= 0);
    std::atomic<bool> stop{false};
    std::vector<std::thread> busy(2 * std::thread::hardware_concurrency() + 1);
    for (std::thread& thread : busy) {
        thread = std::thread([&] {
            while (!stop.load(std::memory_order_relaxed)) {}
        });
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (std::chrono::steady_clock::now() < end) {}
    const double after = core_wait_seconds();
    stop = true;
    for (std::thread& thread : busy) thread.join();
    if (before == 0 && after == 0) {
        MESSAGE("skipped: the system does not tell how long threads wait for cores");
        return;
    }
    CHECK(after - before > 0.02);
}
