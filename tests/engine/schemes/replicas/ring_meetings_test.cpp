// What a ring of clusters keeps of increments that its workers, one to a cluster, make at once, while models are exchanged.
#include "engine/plan/plan.h"
#include "engine/schemes/replicas/token_ring.h"
#include "kernels/updates/racy.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kRounds = 32, kLine = 16, kLines = 4 * kRounds, kCoordinates = kLines * kLine;
constexpr std::uint32_t kNew = 4; // of a line, the first four
constexpr unsigned kRuns = kThreadSanitizer ? 3 : 60;
constexpr std::uint32_t kWhile = 16'384; // ones added until the token comes, at most

/// Every other coordinate is shared: whoever holds the token adds to it.
bool shared(std::uint32_t coordinate) { return coordinate % kLine >= kNew; }

/// Ones added to each coordinate by those who held the token, by those who waited for it, and the ring's total in the end.
struct Ones {
    std::vector<float> holding, waiting, total;

    void add(const Ones& others) {
        for (std::uint32_t j = 0; j < kCoordinates; ++j) {
            holding[j] += others.holding[j];
            waiting[j] += others.waiting[j];
        }
    }
};

Ones nothing() {
    const std::vector<float> zeros(kCoordinates);
    return {zeros, zeros, zeros};
}

/// Each worker has the token `kRounds` times. Until it comes, and so while the others exchange, it adds up to `kWhile`
/// ones, the n-th to coordinate where(round, worker, n).
template <class Where>
Ones added_at_once(unsigned clusters, Where where) {
    const Dataset data = alike(kCoordinates, kCoordinates, 1.0f);
    Plan plan = toy_plan("hogwild++", clusters);
    plan.exchange.cluster = 1;
    ToyJob toy(plan, bound(data.view(), plan));
    TokenRing ring(toy.job);
    for (unsigned w = 0; w < clusters; ++w) ring.begin(w);
    std::atomic<std::uint32_t> passes{0};
    std::vector<Ones> of_worker(clusters, nothing());
    toy.team.run([&](unsigned worker) {
        const Racy racy;
        float* const weights = ring.weights(worker);
        Ones& ones = of_worker[worker];
        for (std::uint32_t round = 0; round < kRounds; ++round) {
            for (std::uint32_t n = 0; passes.load(std::memory_order_acquire) != round * clusters + worker; ++n) {
                ring.stepped(worker, 0, 0.1); // may take the token a little before `passes` says so
                if (n >= kWhile) {
                    std::this_thread::yield();
                    continue;
                }
                const std::uint32_t j = where(round, worker, n);
                racy.add(weights[j], 1.0f);
                ++ones.waiting[j];
            }
            ring.stepped(worker, 0, 0.1); // has exchanged now, and holds the token
            for (std::uint32_t j = 0; j < kCoordinates; ++j) {
                if (!shared(j)) continue;
                racy.add(weights[j], 1.0f);
                ++ones.holding[j];
            }
            ring.stepped(worker, static_cast<std::uint32_t>(plan.exchange.period), 0.1); // passes it on
            passes.store(round * clusters + worker + 1, std::memory_order_release);
        }
    });
    Ones sum = nothing();
    for (const Ones& ones : of_worker) sum.add(ones);
    for (std::uint32_t j = 0; j < kCoordinates; ++j) sum.total[j] = ring.total(j);
    return sum;
}

/// The rounding of a sum: an exchange rounds some eight times, weights among it, by 2^-24 of the sum at most.
float rounding(unsigned clusters) { return 0x1p-21f * static_cast<float>(kRounds * clusters); }

} // namespace

TEST_CASE("where no worker adds to what is pushed onto its model meanwhile, a ring loses no increment and counts none "
          "twice") {
    for (unsigned run = 0; run < kRuns; ++run) {
        const unsigned clusters = 2 + run % 3;
        // Beside the shared coordinates, in the same cache lines, each worker has four of every round, which its cluster alone knows yet.
        const auto where = [](std::uint32_t round, unsigned worker, std::uint32_t n) {
            return (4 * round + n % 4) * kLine + worker;
        };
        const Ones ones = added_at_once(clusters, where);
        std::uint32_t exact = 0; // but for rounding, by less than half an increment
        for (std::uint32_t j = 0; j < kCoordinates; ++j) {
            const float all = ones.holding[j] + ones.waiting[j], error = rounding(clusters) * all;
            exact += error < 0.5f && std::abs(ones.total[j] - all) <= error;
        }
        CHECK(exact == kCoordinates);
    }
}

TEST_CASE(
    "where workers add to what is pushed onto their models, a ring counts no increment twice, and keeps 1 - beta of "
    "those that were made while nobody exchanged") {
    for (unsigned run = 0; run < kRuns; ++run) {
        const unsigned clusters = 2 + run % 3;
        const auto where = [](std::uint32_t, unsigned, std::uint32_t n) {
            return n / (kLine - kNew) % kLines * kLine + kNew + n % (kLine - kNew);
        };
        const Ones ones = added_at_once(clusters, where);
        const float kept = 1 - ring_weights(clusters).beta;
        std::uint32_t above = 0, below = 0;
        for (std::uint32_t j = 0; j < kCoordinates; ++j) {
            const float all = ones.holding[j] + ones.waiting[j], error = rounding(clusters) * all;
            above += ones.total[j] > all + error;
            below += ones.total[j] < kept * ones.holding[j] - error;
        }
        CHECK(above == 0);
        CHECK(below == 0);
    }
}
