#include "engine/workers/ticket_lock.h"

#include <doctest/doctest.h>

#include <mutex>
#include <thread>
#include <vector>

using namespace hogwild;

TEST_CASE("one holder at a time, and what it wrote is there for the next") {
    TicketLock lock;
    std::uint64_t count = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 1'000; ++i) {
                const std::lock_guard held(lock);
                ++count;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(count == 4'000);
}
