#include "engine/machine/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

// Every test leaves the pool as it found it.
class Parallelism {
public:
    explicit Parallelism(unsigned threads) : before_(parallelism()) { set_parallelism(threads); }
    Parallelism(const Parallelism&) = delete;
    Parallelism& operator=(const Parallelism&) = delete;
    ~Parallelism() { set_parallelism(before_); }

private:
    unsigned before_;
};

float sum_of_thirds(std::uint64_t begin, std::uint64_t end) {
    float sum = 0;
    for (std::uint64_t i = begin; i < end; ++i) sum += 1.0F / (3.0F + static_cast<float>(i));
    return sum;
}

} // namespace

TEST_CASE("parallel_for visits every item once, in ranges cut at multiples of the grain") {
    for (const unsigned threads : {1U, 2U, 4U, 8U}) {
        const Parallelism scoped(threads);
        CHECK(parallelism() == threads);
        for (const std::uint64_t count : {0, 1, 6, 7, 8, 1000, 1001}) {
            std::vector<int> visits(count, 0); // plain: the sanitizer must see disjoint writes joined by the return
            std::mutex mutex;
            std::set<std::pair<std::uint64_t, std::uint64_t>> ranges;
            parallel_for(count, 7, [&](std::uint64_t begin, std::uint64_t end) {
                for (std::uint64_t i = begin; i < end; ++i) ++visits[i];
                const std::lock_guard lock(mutex);
                ranges.emplace(begin, end);
            });
            CHECK(visits == std::vector<int>(count, 1));
            CHECK(ranges.size() == (count + 6) / 7);
            for (const auto& [begin, end] : ranges) {
                CHECK(begin % 7 == 0);
                CHECK(end == std::min<std::uint64_t>(begin + 7, count));
            }
        }
    }
}

TEST_CASE("folding parallel_map gives the same bits at any number of threads") {
    const auto total = [](unsigned threads) {
        const Parallelism scoped(threads);
        const std::vector<float> parts = parallel_map<float>(100'003, 1000, sum_of_thirds);
        return std::accumulate(parts.begin(), parts.end(), 0.0F);
    };
    const float alone = total(1);
    for (const unsigned threads : {2U, 3U, 8U}) CHECK(total(threads) == alone);
}

TEST_CASE("parallel_for runs on several threads, and on no more than were asked for") {
    const Parallelism scoped(3);
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::atomic<int> inside{0};
    std::atomic<bool> met{false};
    parallel_for(64, 1, [&](std::uint64_t, std::uint64_t) {
        inside.fetch_add(1, std::memory_order_relaxed);
        // Blocks wait for company, so a pool of one thread would never finish.
        while (!met.load(std::memory_order_relaxed)) {
            if (inside.load(std::memory_order_relaxed) >= 2) met.store(true, std::memory_order_relaxed);
            std::this_thread::yield();
        }
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
    });
    CHECK(threads.size() >= 2);
    CHECK(threads.size() <= 3);
}

TEST_CASE("a body sees what the caller wrote before the loop, and the caller what another thread's body wrote in it") {
    const Parallelism scoped(2);
    int from_caller = 0; // plain, like the sums: fork and join alone order them
    for (int repeat = 1; repeat <= 20; ++repeat) {
        from_caller = repeat;
        std::vector<int> seen(2, 0);
        std::atomic<int> arrived{0};
        parallel_for(2, 1, [&](std::uint64_t block, std::uint64_t) {
            // Relaxed, so that the meeting itself orders nothing: it only makes two threads take a block each.
            arrived.fetch_add(1, std::memory_order_relaxed);
            while (arrived.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
            seen[block] = from_caller;
        });
        CHECK(seen == std::vector<int>(2, repeat));
    }
}

TEST_CASE("what a body throws reaches the caller, whole, and the pool stays usable") {
    const Parallelism scoped(4);
    for (int repeat = 0; repeat < 20; ++repeat) {
        std::string text;
        try {
            parallel_for(1000, 1, [&](std::uint64_t begin, std::uint64_t) {
                if (begin == 500)
                    throw std::runtime_error("block " + std::to_string(begin) + " failed in a long message");
            });
        } catch (const std::runtime_error& error) {
            text = error.what();
        }
        CHECK(text == "block 500 failed in a long message");
        std::vector<int> after(100, 0);
        parallel_for(100, 1, [&](std::uint64_t begin, std::uint64_t) { after[begin] = 1; });
        CHECK(std::accumulate(after.begin(), after.end(), 0) == 100);
    }
}

TEST_CASE("loops nest") {
    const Parallelism scoped(4);
    std::vector<std::vector<int>> table(20);
    parallel_for(table.size(), 1, [&](std::uint64_t row, std::uint64_t) {
        table[row].assign(50, 0);
        parallel_for(50, 3, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t i = begin; i < end; ++i) table[row][i] = static_cast<int>(row * 50 + i);
        });
        for (int& cell : table[row]) ++cell; // after the inner join, by the outer body
    });
    for (std::size_t row = 0; row < table.size(); ++row) {
        for (std::size_t i = 0; i < 50; ++i) CHECK(table[row][i] == static_cast<int>(row * 50 + i + 1));
    }
}

TEST_CASE("several threads may run loops at the same time") {
    const Parallelism scoped(2);
    std::vector<std::uint64_t> sums(4, 0);
    std::vector<std::thread> callers;
    for (std::uint64_t caller = 0; caller < sums.size(); ++caller) {
        callers.emplace_back([&sums, caller] {
            for (int repeat = 0; repeat < 20; ++repeat) {
                const auto parts = parallel_map<std::uint64_t>(
                    100, 7, [&](std::uint64_t begin, std::uint64_t end) { return (end - begin) * (caller + 1); });
                sums[caller] += std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
            }
        });
    }
    for (std::thread& caller : callers) caller.join();
    for (std::uint64_t caller = 0; caller < sums.size(); ++caller) CHECK(sums[caller] == 2000 * (caller + 1));
}
