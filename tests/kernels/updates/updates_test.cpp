#include "kernels/atomic.h"
#include "kernels/lanes/scalar.h"
#include "kernels/spin_wait.h"
#include "kernels/updates/atomic_add.h"
#include "kernels/updates/cas_bounded.h"
#include "kernels/updates/noop.h"
#include "kernels/updates/racy.h"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <latch>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

constexpr int kAdders = 4;
constexpr int kAdditions = 50'000;

template <class Body>
void on_threads(int count, const Body& body) {
    std::latch together(count);
    std::vector<std::jthread> threads;
    for (int t = 0; t < count; ++t) {
        threads.emplace_back([&, t] {
            together.arrive_and_wait();
            body(t);
        });
    }
}

} // namespace

TEST_CASE("no increment is lost by atomic") { // oracle 1
    constexpr int kRounds = 100;
    constexpr int kBurst = 500;
    for (const int workers : {2, 4}) {
        float coordinate = 0;
        std::atomic<int> arrived{0};
        on_threads(workers, [&](int) {
            for (int round = 1; round <= kRounds; ++round) {
                arrived.fetch_add(1); // all begin each burst at the same moment, wherever the cores are to be had
                SpinWait wait(true);
                while (arrived.load() < workers * round) wait.pause();
                for (int i = 0; i < kBurst; ++i) AtomicAdd().add(coordinate, 1.0f);
            }
        });
        CHECK(coordinate == workers * kRounds * kBurst);
    }
}

TEST_CASE("what cas-bounded does not add it counts") {
    float coordinate = 0;
    std::atomic<std::uint64_t> dropped_by_all{0};
    on_threads(kAdders, [&](int) {
        std::uint64_t dropped = 0;
        const CasBounded add(1, dropped);
        for (int i = 0; i < kAdditions; ++i) add.add(coordinate, 1.0f);
        dropped_by_all += dropped;
    });
    CHECK(coordinate + static_cast<float>(dropped_by_all) == kAdders * kAdditions);
}

TEST_CASE("cas-bounded gives up after its limit") {
    float coordinate = 0;
    std::uint64_t dropped = 0;
    CasBounded(0, dropped).add(coordinate, 1.0f);
    CHECK(coordinate == 0.0f);
    CHECK(dropped == 1);
}

TEST_CASE("with a barrier between load and store, two racy workers keep exactly half") { // oracle 2
    float coordinate = 0;
    std::barrier together(2);
    constexpr int kRounds = 200;
    on_threads(2, [&](int) {
        for (int i = 0; i < kRounds; ++i) {
            const float seen = relaxed_load(coordinate); // racy's two halves, forced to overlap
            together.arrive_and_wait();
            relaxed_store(coordinate, seen + 1.0f);
            together.arrive_and_wait();
        }
    });
    CHECK(coordinate == kRounds);
}

TEST_CASE("racy alone adds, noop leaves everything as it was") {
    float coordinate = 1.5f;
    Racy().add(coordinate, 2.0f);
    CHECK(coordinate == 3.5f);
    Noop().add(coordinate, 2.0f);
    CHECK(coordinate == 3.5f);
}

TEST_CASE("of a pair of rows atomic and cas-bounded add alone what racy adds, and noop nothing") {
    const auto rows = [] { return std::vector<float>{0.5f, -1.0f, 0.25f, 3.0f, 2.0f, -0.75f}; };
    const auto after = [&](const auto& update) {
        std::vector<float> weights = rows();
        update.template add_pair<ScalarLanes>(weights.data(), weights.data() + 3, 3, {0.37f, -0.02f}, {0.25f, -0.01f});
        return weights;
    };
    WorkerContext context;
    const std::vector<float> racy = after(Racy());
    CHECK(racy[0] == 0.5f + (0.37f * 3.0f + -0.02f * 0.5f));
    CHECK(racy[3] == 3.0f + (0.25f * 0.5f + -0.01f * 3.0f)); // by the value that the other row had before
    CHECK(after(AtomicAdd()) == racy);
    CHECK(after(CasBounded(context)) == racy);
    CHECK(after(Noop()) == rows());
}

TEST_CASE("of a dense row atomic and cas-bounded add alone what racy adds, and noop nothing") {
    const std::vector<float> before{0.5f, -1.0f, 2.0f}, row{3.0f, 0.25f, -4.0f};
    const auto after = [&](const auto& update) {
        std::vector<float> weights = before;
        update.template add_dense<ScalarLanes>(weights.data(), row.data(), 3, 0.37f);
        return weights;
    };
    WorkerContext context;
    const std::vector<float> racy = after(Racy());
    CHECK(racy[2] == 2.0f + 0.37f * -4.0f);
    CHECK(after(AtomicAdd()) == racy);
    CHECK(after(CasBounded(context)) == racy);
    CHECK(after(Noop()) == before);
}
