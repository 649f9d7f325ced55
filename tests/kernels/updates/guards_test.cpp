#include "kernels/updates/guards/global_lock.h"
#include "kernels/updates/guards/in_turn.h"
#include "kernels/updates/guards/locked.h"
#include "kernels/updates/guards/locked_read.h"
#include "kernels/views/sparse_view.h"

#include <doctest/doctest.h>

#include <latch>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kWorkers = 4;
constexpr int kSteps = 10'000;

/// Every worker increments the plain (not atomic) coordinates of one of two overlapping rows under the guard. Now and
/// then it gives its core away between load and store. A guard that does not exclude loses counts, and ThreadSanitizer
/// sees a race.
template <class Guard>
std::vector<int> count_under(std::vector<LockWord>& locks, std::uint32_t shift) {
    std::vector<int> counts(64);
    std::latch together(kWorkers);
    std::vector<std::jthread> threads;
    for (std::uint32_t w = 0; w < kWorkers; ++w) {
        threads.emplace_back([&, w] {
            const std::vector<std::uint32_t> index =
                w % 2 == 0 ? std::vector<std::uint32_t>{1, 2, 17, 40} : std::vector<std::uint32_t>{2, 16, 40, 63};
            const std::vector<float> value(4, 1.0f);
            const SparseRow row{index.data(), value.data(), 4, 1.0f};
            WorkerContext context;
            context.worker = w;
            context.workers = kWorkers;
            context.yields = true;
            context.locks = locks;
            context.lock_shift = shift;
            Guard guard(context);
            together.arrive_and_wait();
            for (int i = 0; i < kSteps; ++i) {
                guard.before_read(row);
                if (i % 3 == 0) {
                    guard.nothing_to_write(row);
                    guard.before_read(row);
                }
                guard.before_write(row);
                int seen[4];
                for (std::uint32_t k = 0; k < 4; ++k) seen[k] = counts[index[k]];
                if (i % 512 == 0) std::this_thread::yield();
                for (std::uint32_t k = 0; k < 4; ++k) counts[index[k]] = seen[k] + 1;
                guard.after_write(row);
            }
        });
    }
    threads.clear(); // joins
    return counts;
}

WorkerContext in_turn(std::atomic<std::uint64_t>& turn, std::uint32_t workers, std::uint64_t next) {
    WorkerContext context;
    context.workers = workers;
    context.turn = &turn;
    context.next_turn = next;
    return context;
}

template <class Guard>
void excludes(std::size_t locks, std::uint32_t shift) {
    std::vector<LockWord> words(locks);
    const std::vector<int> counts = count_under<Guard>(words, shift);
    CHECK(counts[1] == 2 * kSteps);
    CHECK(counts[2] == 4 * kSteps);
    CHECK(counts[40] == 4 * kSteps);
    CHECK(counts[63] == 2 * kSteps);
    for (const LockWord& word : words) CHECK(word.load() == 0);
}

} // namespace

TEST_CASE("a guard holds exactly the locks it promises, at every stage of a step") {
    const std::uint32_t index[] = {1, 2, 17, 40};
    const SparseRow row{index, nullptr, 4, 1.0f};
    using Stripes = std::vector<std::uint32_t>;
    for (const std::uint32_t shift : {0u, 4u}) {
        std::vector<LockWord> locks(64 >> shift);
        WorkerContext context;
        context.locks = locks;
        context.lock_shift = shift;
        const auto held = [&] {
            Stripes stripes;
            for (std::uint32_t s = 0; s < locks.size(); ++s) {
                if (locks[s].load() != 0) stripes.push_back(s);
            }
            return stripes;
        };
        const auto stages = [&](auto guard, const Stripes& reading, const Stripes& writing) {
            guard.before_read(row);
            CHECK(held() == reading);
            guard.before_write(row);
            CHECK(held() == writing);
            guard.after_write(row);
            CHECK(held() == Stripes{});
            guard.before_read(row);
            guard.nothing_to_write(row);
            CHECK(held() == Stripes{});
        };
        const Stripes all = shift == 0 ? Stripes{1, 2, 17, 40} : Stripes{0, 1, 2};
        stages(Locked(context), {}, all);
        stages(LockedRead(context), all, all);
        stages(GlobalLock(context), {}, {0});
        locks[1].store(1); // somebody else's
        Locked(context).nothing_to_write(row);
        CHECK(held() == Stripes{1});
    }
}

TEST_CASE("locks are taken in rising order") {
    const std::uint32_t index[] = {1, 2, 17, 40};
    const SparseRow row{index, nullptr, 4, 1.0f};
    std::vector<LockWord> locks(64);
    locks[40].store(1); // somebody holds the last one
    std::jthread worker([&] {
        WorkerContext context;
        context.yields = true;
        context.locks = locks;
        Locked guard(context);
        guard.before_write(row);
        guard.after_write(row);
    });
    while (locks[17].load() == 0) std::this_thread::yield();
    CHECK(locks[1].load() == 1);
    CHECK(locks[2].load() == 1);
    locks[40].store(0);
}

TEST_CASE("the turn is passed after the write and not before") {
    std::atomic<std::uint64_t> turn{1};
    WorkerContext context = in_turn(turn, 3, 1);
    InTurn guard(context);
    const SparseRow row{nullptr, nullptr, 0, 1.0f};
    guard.before_read(row);
    guard.before_write(row);
    CHECK(turn.load() == 1);
    guard.after_write(row);
    CHECK(turn.load() == 2);
    CHECK(context.next_turn == 4);
}

TEST_CASE("locked excludes writers of common coordinates") {
    excludes<Locked>(64, 0);
    excludes<Locked>(4, 4); // sixteen coordinates a lock: a row meets a lock once, not once per coordinate
}

TEST_CASE("locked-read excludes, also when a step writes nothing") { excludes<LockedRead>(64, 0); }

TEST_CASE("global-lock excludes") { excludes<GlobalLock>(1, 0); }

TEST_CASE("in turn, writes happen in the samples' order") {
    std::atomic<std::uint64_t> turn{0};
    std::vector<std::uint64_t> order; // plain: the turn hands it over
    std::vector<std::jthread> threads;
    const SparseRow row{nullptr, nullptr, 0, 1.0f};
    for (std::uint32_t w = 0; w < kWorkers; ++w) {
        threads.emplace_back([&, w] {
            WorkerContext context = in_turn(turn, kWorkers, w);
            context.yields = true;
            InTurn guard(context);
            for (std::uint64_t i = w; i < 4'000; i += kWorkers) {
                if (i % 5 == 0) {
                    guard.nothing_to_write(row);
                } else {
                    guard.before_write(row);
                    order.push_back(i);
                    guard.after_write(row);
                }
            }
        });
    }
    threads.clear(); // joins
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 4'000; ++i) {
        if (i % 5 != 0) expected.push_back(i);
    }
    CHECK(order == expected);
}

TEST_CASE("an abandoned turn stays abandoned and lets everybody through") {
    std::atomic<std::uint64_t> turn{InTurn::kAbandoned};
    WorkerContext context = in_turn(turn, 2, 5);
    InTurn guard(context);
    const SparseRow row{nullptr, nullptr, 0, 1.0f};
    guard.before_write(row);
    guard.after_write(row);
    CHECK(turn.load() == InTurn::kAbandoned);
}
