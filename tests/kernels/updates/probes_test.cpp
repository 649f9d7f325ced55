#include "kernels/probes/exact.h"
#include "kernels/probes/sampled.h"
#include "kernels/updates/atomic_add.h"
#include "kernels/updates/cas_bounded.h"
#include "kernels/updates/racy.h"

#include <doctest/doctest.h>

#include <barrier>
#include <latch>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kProbed = 4;
constexpr std::uint64_t kProbedSteps = 20'000;

/// Workers that step on one row of four coordinates, each step probed.
struct Experiment {
    std::uint32_t cas_limit = 1;
    std::atomic<std::uint64_t> clock{0};
    std::vector<PublishedCount> published = std::vector<PublishedCount>(kProbed);
    std::vector<Histogram> histograms = std::vector<Histogram>(kProbed);
    std::vector<WorkerContext> contexts = std::vector<WorkerContext>(kProbed);
    std::vector<float> shadow = std::vector<float>(8);
    std::vector<float> ones = std::vector<float>(4, 1.0f);
    std::vector<std::uint32_t> index{0, 2, 3, 7};

    void prepare(std::uint32_t worker, std::uint32_t workers) {
        WorkerContext& context = contexts[worker];
        context.worker = worker;
        context.workers = workers;
        context.cas_limit = cas_limit;
        context.clock = &clock;
        context.published = published;
        context.staleness = &histograms[worker];
        context.shadow = shadow.data();
    }

    template <class Probe, class Update>
    void run(std::uint32_t workers) {
        std::latch together(workers);
        std::vector<std::jthread> threads;
        for (std::uint32_t w = 0; w < workers; ++w) {
            prepare(w, workers);
            threads.emplace_back([this, &context = contexts[w], &together] {
                together.arrive_and_wait();
                const SparseRow row{index.data(), ones.data(), 4, 1.0f};
                const Update update(context);
                Probe probe(context);
                for (std::uint64_t i = 0; i < kProbedSteps; ++i) {
                    probe.read();
                    if (i % 7 != 0) probe.wrote(row, update); // some steps read and write nothing
                }
            });
        }
    }

    std::uint64_t kept() const {
        double sum = 0;
        for (const float count : shadow) sum += count;
        return static_cast<std::uint64_t>(sum);
    }
};

/// Racy that meets the other worker between load and store: of each pair of increments one is lost.
std::barrier together(2);
struct MeetingRacy {
    void add(float& coordinate, float increment) const {
        const float seen = relaxed_load(coordinate);
        together.arrive_and_wait();
        relaxed_store(coordinate, seen + increment);
        together.arrive_and_wait();
    }
};

} // namespace

TEST_CASE("a step's staleness is what others wrote between its read and its write") { // oracle 4, entry by entry
    Experiment experiment;
    for (std::uint32_t w = 0; w < 2; ++w) experiment.prepare(w, 2);
    const SparseRow row{experiment.index.data(), experiment.ones.data(), 4, 1.0f};
    const Racy update;
    ExactProbe a(experiment.contexts[0]), b(experiment.contexts[1]);
    const auto staleness = [&](std::uint32_t w) { return experiment.histograms[w].sum(); };

    a.read();
    b.read();
    b.wrote(row, update);
    CHECK(staleness(1) == 0);
    a.wrote(row, update); // b wrote once in between
    CHECK(staleness(0) == 1);
    b.read();
    for (int i = 0; i < 3; ++i) {
        a.read();
        a.wrote(row, update); // b has read only
    }
    CHECK(staleness(0) == 1);
    b.wrote(row, update); // a wrote three times in between
    CHECK(staleness(1) == 3);
    a.read();
    a.wrote(row, update); // b wrote before this read
    CHECK(staleness(0) == 1);
    CHECK(experiment.contexts[0].missed == 1);
    CHECK(experiment.contexts[1].missed == 1);
}

TEST_CASE("the staleness ledger balances") { // oracle 4
    Experiment experiment;
    experiment.run<ExactProbe, Racy>(kProbed);
    std::uint64_t stale = 0, missed = 0, outstanding = 0, steps = 0;
    const std::uint64_t clock = experiment.clock.load();
    for (const WorkerContext& context : experiment.contexts) {
        stale += context.staleness->sum();
        steps += context.staleness->count();
        missed += context.missed;
        outstanding += clock - context.seen;
    }
    CHECK(steps == clock);
    CHECK(stale + missed + outstanding == (kProbed - 1) * clock);
}

TEST_CASE("alone, nothing is stale and nothing is lost") {
    Experiment experiment;
    experiment.run<ExactProbe, Racy>(1);
    CHECK(experiment.histograms[0].max() == 0);
    CHECK(experiment.kept() == experiment.contexts[0].issued);
}

TEST_CASE("the meter finds no loss under atomic") { // oracle 3: issued - kept is the loss, and atomic has none
    Experiment experiment;
    experiment.run<ExactProbe, AtomicAdd>(kProbed);
    std::uint64_t issued = 0;
    for (const WorkerContext& context : experiment.contexts) issued += context.issued;
    CHECK(issued == kProbed * 4 * (kProbedSteps - (kProbedSteps + 6) / 7));
    CHECK(experiment.kept() == issued);
}

TEST_CASE("of increments that overlap, the meter counts as lost what the weights lost") { // oracles 2 and 3
    constexpr std::uint64_t kPairs = 100;
    Experiment experiment;
    std::vector<float> weights(8);
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t w = 0; w < 2; ++w) {
            experiment.prepare(w, 2);
            threads.emplace_back([&, w] {
                const SparseRow row{experiment.index.data(), experiment.ones.data(), 4, 1.0f};
                const MeetingRacy update;
                ExactProbe probe(experiment.contexts[w]);
                for (std::uint64_t i = 0; i < kPairs; ++i) {
                    probe.read();
                    row.for_each_coordinate([&](std::uint32_t j) { update.add(weights[j], 1.0f); });
                    probe.wrote(row, update);
                }
            });
        }
    }
    const std::uint64_t issued = experiment.contexts[0].issued + experiment.contexts[1].issued;
    CHECK(issued == 2 * kPairs * 4);
    CHECK(experiment.kept() == issued / 2);
    for (const std::uint32_t j : experiment.index) CHECK(weights[j] == kPairs);
}

TEST_CASE("what cas-bounded drops, the meter does not call lost") {
    Experiment experiment;
    experiment.run<ExactProbe, CasBounded>(kProbed);
    std::uint64_t issued = 0, dropped = 0;
    for (const WorkerContext& context : experiment.contexts) {
        issued += context.issued;
        dropped += context.shadow_dropped;
    }
    CHECK(experiment.kept() + dropped == issued);
}

TEST_CASE("the meter's drops are its own, not the weights'") {
    Experiment experiment;
    experiment.cas_limit = 0; // drops everything
    experiment.run<ExactProbe, CasBounded>(1);
    const WorkerContext& context = experiment.contexts[0];
    CHECK(context.shadow_dropped == context.issued);
    CHECK(context.dropped == 0);
    CHECK(experiment.kept() == 0);
}

TEST_CASE("sampling sees what others wrote between a read and a write, and goes on from chunk to chunk") {
    static constexpr std::uint64_t kAll = 3'072;
    const auto check = [](std::uint64_t chunk, std::uint32_t every) {
        std::vector<PublishedCount> published(2);
        Histogram histogram;
        WorkerContext context;
        context.workers = 2;
        context.published = published;
        context.sampled_every = every;
        context.staleness = &histogram;
        const SparseRow row{nullptr, nullptr, 0, 1.0f};
        for (std::uint64_t first = 0; first < kAll; first += chunk) {
            SampledProbe probe(context);
            for (std::uint64_t step = 0; step < chunk; ++step) {
                probe.read();
                published[1].value += 5;
                probe.wrote(row, Racy());
            }
        }
        CHECK(histogram.count() == kAll / every);
        CHECK(histogram.sum() == 5 * kAll / every);
        CHECK(published[0].value == kAll);
    };
    for (const std::uint64_t chunk : {kAll, std::uint64_t{256}, std::uint64_t{1}})
        for (const std::uint32_t every : {1u, 1'024u}) check(chunk, every);
}
