#include "kernels/exchange/publication.h"

#include "kernels/atomic.h"
#include "kernels/lanes/scalar.h"
#include "kernels/updates/guards/publish.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kWeights = 37; // no whole number of cache lines
constexpr float kIncrement = 0x1p-10f;

struct NoSample {};

/// A step that adds the same to every weight, in two rows.
struct EvenStep {
    const float* weights;

    template <class Update>
    void write(const Update& update, const NoSample&) const {
        const std::vector<float> row(kWeights, 2.0f);
        update.template add_dense<ScalarLanes>(weights, row.data(), 16, kIncrement / 2);
        update.template add_dense<ScalarLanes>(weights + 16, row.data(), kWeights - 16, kIncrement / 2);
    }
};

/// A step that adds the same to every weight, wherever it is told to write.
struct MovableStep {
    static constexpr bool kWritesAgain = true;

    float* to;

    void use(float* vector) { to = vector; }

    template <class Update>
    void write(const Update& update, const NoSample&) const {
        const std::vector<float> row(kWeights, 1.0f);
        update.template add_dense<ScalarLanes>(to, row.data(), kWeights, kIncrement);
    }
};

/// The vectors of so many workers, all zeros.
struct Vectors {
    explicit Vectors(std::uint32_t workers, std::uint32_t tries = 8)
        : holds(Publication::vectors(workers)),
          values((holds.size() + workers) * Publication::stride(kWeights)),
          publication(newest, holds, values.data(), kWeights),
          contexts(workers) {
        const std::size_t stride = Publication::stride(kWeights);
        for (std::uint32_t w = 0; w < workers; ++w) {
            contexts[w].worker = w;
            contexts[w].workers = workers;
            contexts[w].cas_limit = tries;
            contexts[w].publication = publication;
            contexts[w].increments = std::span(values).subspan((holds.size() + w) * stride, stride);
        }
    }

    /// How many vectors are held, and how often in all.
    std::pair<std::uint32_t, std::uint32_t> held() const {
        std::pair<std::uint32_t, std::uint32_t> sum{};
        for (const Holds& each : holds) {
            sum.first += each.count.load() > 0 ? 1 : 0;
            sum.second += each.count.load();
        }
        return sum;
    }

    std::vector<float> now() const {
        const HeldVector vector = publication.take();
        std::vector<float> copy(vector.values, vector.values + kWeights);
        publication.release(vector);
        return copy;
    }

    std::atomic<std::uint32_t> newest{0};
    std::vector<Holds> holds;
    std::vector<float> values;
    Publication publication;
    std::vector<WorkerContext> contexts;
};

template <class Lanes = ScalarLanes, class Step = EvenStep>
bool step(Publish& guard) {
    guard.before_read(NoSample());
    return guard.write<Lanes>(Step{guard.weights()}, NoSample());
}

/// Lanes whose copies are interrupted so often: by whoever publishes then.
std::function<void()> interruption;
int interruptions = 0;
struct InterruptedLanes : ScalarLanes {
    static void copy_row(float* own, const float* shared, std::uint32_t size) {
        ScalarLanes::copy_row(own, shared, size);
        if (interruptions-- > 0) interruption();
    }
};

bool even(const float* weights) {
    const float first = relaxed_load(weights[0]);
    return std::all_of(weights, weights + kWeights, [&](const float& weight) { return relaxed_load(weight) == first; });
}

} // namespace

TEST_CASE("a vector that is held stays as it is while others are published, and is free when it is let go") {
    Vectors vectors(2);
    const HeldVector held = vectors.publication.take();
    {
        Publish guard(vectors.contexts[0]);
        for (int i = 0; i < 100; ++i) CHECK(step(guard));
    }
    CHECK(std::all_of(held.values, held.values + kWeights, [](float weight) { return weight == 0; }));
    CHECK(vectors.now() == std::vector<float>(kWeights, 100 * kIncrement));
    CHECK(vectors.held() == std::pair{2u, 2u}); // this one, and the newest
    vectors.publication.release(held);
    CHECK(vectors.held() == std::pair{1u, 1u});
}

TEST_CASE("what was made from a vector that is no longer the newest is not published") {
    Vectors vectors(2);
    const HeldVector old = vectors.publication.take(), mine = vectors.publication.claim(0);
    Publish guard(vectors.contexts[1]);
    CHECK(step(guard));
    CHECK_FALSE(vectors.publication.publish(mine, old));
    const HeldVector newest = vectors.publication.take();
    CHECK(newest.values != mine.values);
    CHECK(vectors.publication.publish(mine, newest));
    CHECK(vectors.publication.take().values == mine.values);
}

TEST_CASE_TEMPLATE(
    "a step that is beaten as often as it may try is dropped and counted; one that is beaten less is whole", Step,
    EvenStep, MovableStep) {
    for (const std::uint32_t tries : {0u, 1u, 2u, 5u}) {
        for (const int beaten : {0, 1, 2, 4, 5}) {
            CAPTURE(tries);
            CAPTURE(beaten);
            Vectors vectors(2, tries);
            vectors.contexts[1].cas_limit = 1;
            Publish guard(vectors.contexts[0]), other(vectors.contexts[1]);
            interruption = [&] { CHECK(step(other)); };
            interruptions = beaten;
            const bool published = step<InterruptedLanes, Step>(guard);
            const auto limit = static_cast<int>(tries);
            CHECK(published == (beaten < limit));
            CHECK(vectors.contexts[0].steps_dropped == (published ? 0 : 1));
            const int kept = std::min(beaten, limit) + (published ? 1 : 0);
            CHECK(vectors.now() == std::vector<float>(kWeights, static_cast<float>(kept) * kIncrement));
        }
    }
}

TEST_CASE("a step that was dropped leaves nothing to the next one") {
    Vectors vectors(1, 0);
    {
        Publish guard(vectors.contexts[0]);
        CHECK_FALSE(step(guard));
        vectors.contexts[0].cas_limit = 1;
        CHECK(step(guard));
        guard.before_read(NoSample());
        guard.nothing_to_write(NoSample());
    }
    CHECK(vectors.now() == std::vector<float>(kWeights, kIncrement));
    CHECK(vectors.held() == std::pair{1u, 1u});
}

TEST_CASE("of many workers no increment is lost unless it is counted as dropped, no vector that is read is torn, and "
          "the vectors suffice") {
    constexpr std::uint32_t kWorkers = 4, kSteps = 5'000;
    for (const std::uint32_t tries : {0u, 1u, 3u, 1'000u}) {
        CAPTURE(tries);
        Vectors vectors(kWorkers, tries);
        std::atomic<std::uint64_t> torn{0}, backwards{0};
        {
            std::latch together(kWorkers);
            std::vector<std::jthread> threads;
            for (std::uint32_t w = 0; w < kWorkers; ++w) {
                threads.emplace_back([&, w] {
                    together.arrive_and_wait();
                    float last = 0;
                    for (std::uint32_t i = 0; i < kSteps; i += 10) {
                        Publish guard(vectors.contexts[w]); // one a chunk
                        for (std::uint32_t k = 0; k < 10; ++k) {
                            guard.before_read(NoSample());
                            if (!even(guard.weights())) ++torn;
                            if (guard.weights()[0] < last) ++backwards;
                            last = guard.weights()[0];
                            if (k == 5) std::this_thread::yield();
                            guard.write<ScalarLanes>(EvenStep{guard.weights()}, NoSample());
                        }
                    }
                });
            }
        }
        std::uint64_t dropped = 0;
        for (const WorkerContext& context : vectors.contexts) dropped += context.steps_dropped;
        CHECK(torn == 0);
        CHECK(backwards == 0);
        if (tries == 0) CHECK(dropped == kWorkers * kSteps);
        const std::uint64_t kept = kWorkers * kSteps - dropped;
        CHECK(vectors.now() == std::vector<float>(kWeights, static_cast<float>(kept) * kIncrement));
        CHECK(vectors.held() == std::pair{1u, 1u});
    }
}

TEST_CASE("whoever reads while others publish, and loses its core at any moment, reads a vector that stays") {
    constexpr std::uint32_t kWorkers = 6, kReads = 200'000; // more than cores
    Vectors vectors(kWorkers);
    std::atomic<bool> reading{true};
    std::atomic<std::uint64_t> changed{0};
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t w = 0; w < kWorkers / 2; ++w) {
            threads.emplace_back([&, w] {
                Publish guard(vectors.contexts[w]);
                while (reading) step(guard);
            });
        }
        std::vector<std::jthread> readers;
        for (std::uint32_t w = kWorkers / 2; w < kWorkers; ++w) {
            readers.emplace_back([&] {
                for (std::uint32_t i = 0; i < kReads; ++i) {
                    const HeldVector held = vectors.publication.take();
                    const float first = relaxed_load(held.values[0]);
                    if (i % 1024 == 0) std::this_thread::yield();
                    if (!even(held.values) || relaxed_load(held.values[0]) != first) ++changed;
                    vectors.publication.release(held);
                }
            });
        }
        readers.clear(); // joins
        reading = false;
    }
    CHECK(changed == 0);
    CHECK(vectors.held() == std::pair{1u, 1u});
}
