// How long does a bridge hold up a round of exchange? The exchange is by four coordinates in one indivisible operation,
// one by one, or by loads and stores. It runs with nobody beside, and beside a thread that adds to random coordinates.
//
// 47,236 coordinates, RCV1's, every one of which the copy has changed.
#include "engine/measure/increment_loop.h"
#include "engine/memory/pages.h"
#include "experiments/bench/harness/bench.h"
#include "experiments/bench/harness/stopwatch.h"
#include "kernels/exchange/exchange.h"
#include "kernels/updates/atomic_add.h"
#include "kernels/views/prefetch.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <memory>
#include <thread>

namespace hogwild {
namespace {

constexpr std::uint32_t kColumns = 47'236;
constexpr std::uint32_t kStepped = 32'768; // of them; a power of two
constexpr int kRounds = 200;

void exchange_one_by_one(float* buffer, const ExchangeRound& round) {
    for (std::uint32_t j = 0; j < round.count; ++j) {
        if (j % 16 == 0 && j + 128 < round.count) prefetch_to_write(buffer + j + 128);
        const float push = round.rule * (round.seen[j] - round.base[j]);
        const float fresh = std::atomic_ref<float>(buffer[j]).fetch_add(push, std::memory_order_relaxed) + push;
        round.delta[j] = fresh - round.seen[j];
        round.base[j] = fresh;
    }
}

struct Arrays {
    PageArray<float> buffer{kColumns}, seen{kColumns}, base{kColumns}, delta{kColumns};
};

template <class Exchange>
Measurement exchange_rounds(Arrays& arrays, const Exchange& exchange) {
    double seconds = 0;
    const ExchangeRound round{arrays.seen.data(), arrays.base.data(), arrays.delta.data(), kColumns, 1.0f};
    for (int k = 0; k < kRounds; ++k) {
        for (std::uint32_t j = 0; j < kColumns; ++j) arrays.seen.data()[j] = arrays.base.data()[j] + 0x1p-10f;
        const Stopwatch watch;
        exchange(arrays.buffer.data(), round);
        seconds += watch.seconds();
    }
    return {seconds, static_cast<double>(kRounds) * kColumns, {{"us/round", seconds / kRounds * 1e6}}};
}

/// `work` while a thread adds.
template <class Work>
Measurement beside_a_thread(Arrays& arrays, const Work& work) {
    std::atomic<bool> stop{false};
    std::thread other([&] {
        WorkerContext context;
        const AtomicAdd atomic(context);
        for (std::uint64_t i = 0; !stop.load(std::memory_order_relaxed); i += 1024) {
            increment_at_random(atomic, arrays.buffer.data(), kStepped, 0, i, 1024);
        }
    });
    const Measurement done = work();
    stop = true;
    other.join();
    return done;
}

void add_rows(Bench& bench) {
    const auto arrays = std::make_shared<Arrays>();
    const auto add = [&](const std::string& name, auto exchange) {
        bench.add(name, [=] { return exchange_rounds(*arrays, exchange); });
        bench.add(name + "/beside",
                  [=] { return beside_a_thread(*arrays, [&] { return exchange_rounds(*arrays, exchange); }); });
    };
    add("atomic", exchange_atomically);
    add("one by one", exchange_one_by_one);
    add("racy", exchange_racily);
    bench.compare("atomic / one by one", "atomic", "one by one");
    bench.compare("atomic / one by one, beside a thread", "atomic/beside", "one by one/beside");
}

} // namespace
} // namespace hogwild

int main(int argc, char** argv) {
    return hogwild::bench_main(argc, argv,
                               {"How long does a bridge hold up a round of exchange?", "coordinates/s", "",
                                "the number of coordinates and of rounds", hogwild::add_rows});
}
