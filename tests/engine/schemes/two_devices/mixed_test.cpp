// CPU threads and streams on one line of samples and one buffer. The streams are the host's (host_streams.h): what is tested
// is who steps when.
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/scheme.h"
#include "tests/engine/schemes/exact_run.h"
#include "tests/engine/schemes/host_streams.h"
#include "tests/engine/toys/toy_job.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kRows = 11'041; // chunks of 256, the last of 33; beside threads of 32, the last of 1

struct Ran {
    std::vector<float> weights;
    std::vector<Snapshot> taken;
    std::uint64_t consumed = 0;  // by streams
    std::uint64_t first_end = 0; // HostStreams::first_end
};

Plan mixed_plan(const std::string& device, unsigned threads, unsigned streams) {
    Plan plan = toy_plan("hogwild", threads);
    plan.device = device;
    plan.memory = device == "cpu" ? "host" : "mapped"; // only its name counts here
    plan.gpu.streams = streams;
    plan.epochs = 3;
    return plan;
}

struct Faults {
    int step = 0, rescale = 0; // the call that fails; 0: none
    bool rehearsal = false;    // every one fails
    bool apart = false;        // the replica's two sides never hear of each other
};

Ran run_mixed(const Plan& plan, const Dataset& data, const std::atomic<bool>* interrupt = nullptr,
              const Faults& faults = {}) {
    ToyJob toy(plan, data.view(), interrupt);
    HostStreams streams(plan, data.sparse(), toy.buffer.data());
    streams.fails_at = faults.step;
    streams.fails_at_rescale = faults.rescale;
    streams.fails_at_rehearsal = faults.rehearsal;
    streams.apart = faults.apart;
    toy.job.gpu = &streams;
    const SchemeTotals totals = make_scheme("hogwild")->run(toy.job);
    ParameterBuffer& buffer = toy.buffer;
    buffer.rescale(0, buffer.size(), static_cast<float>(totals.final_scale));
    Ran ran{{buffer.data(), buffer.data() + buffer.size()}, {}};
    for (Snapshot& snapshot : toy.recorder.taken()) {
        snapshot.values = nullptr; // ends with the recorder
        ran.taken.push_back(snapshot);
    }
    ran.consumed = streams.stepped();
    ran.first_end = streams.first_end;
    if (interrupt == nullptr) {
        CHECK(totals.by_threads + ran.consumed == std::uint64_t{plan.epochs} * kRows);
        const std::vector<std::uint64_t>& each = totals.by_worker; // threads, then streams
        REQUIRE(each.size() == cpu_workers(plan) + gpu_workers(plan));
        CHECK(std::accumulate(each.begin(), each.begin() + cpu_workers(plan), std::uint64_t{0}) == totals.by_threads);
        CHECK(std::accumulate(each.begin() + cpu_workers(plan), each.end(), std::uint64_t{0}) == ran.consumed);
    }
    CHECK(streams.starts == 1);
    CHECK(streams.rehearsals == static_cast<int>(gpu_workers(plan)));
    CHECK(streams.late_rehearsals == 0);
    CHECK((streams.exchanges > 0) <= (bridges(plan) > 0));
    return ran;
}

std::vector<float> serial_weights(Plan plan, const Dataset& data) {
    plan.scheme = "serial";
    plan.device = "cpu";
    plan.memory = "host";
    plan.threads = 1;
    plan.lanes = "scalar";
    return weights_of(plan, data);
}

} // namespace

TEST_CASE("one stream alone walks the path of serial SGD, through eras and decided steps, too") {
    const Dataset data = toy_dataset(random_samples(kRows, 40, 6, 1));
    for (const double l2 : {0.0, 1e-3, 0.5}) { // the last: eras of some cells
        for (const std::string step : {"decay", "backoff"}) {
            Plan plan = mixed_plan("gpu", 1, 1);
            plan.l2 = l2;
            plan.step.kind = step;
            CHECK(run_mixed(plan, data).weights == serial_weights(plan, data));
        }
    }
}

TEST_CASE("threads and streams together step on every sample of every epoch exactly once") {
    const Dataset data = toy_dataset(exact_samples(kRows));
    for (const auto& [device, threads, streams] :
         {std::tuple{"gpu", 1u, 1u}, {"gpu", 1u, 3u}, {"both", 1u, 1u}, {"both", 3u, 2u}}) {
        Plan plan = mixed_plan(device, threads, streams);
        plan.update = "atomic";
        plan.l2 = 0;
        plan.step.kind = "constant";
        plan.step.size = 0x1p-20;
        const Ran ran = run_mixed(plan, data);
        CHECK(ran.weights == serial_weights(plan, data));
        if (plan.device == "gpu") CHECK(ran.consumed == std::uint64_t{3} * kRows);
        CHECK(ran.consumed <= std::uint64_t{3} * kRows);
    }
}

TEST_CASE("a stream steps at the pace of later epochs where others may be, and of no later era or undecided epoch") {
    const Dataset data = toy_dataset(random_samples(kRows, 40, 6, 1));
    Plan plan = mixed_plan("gpu", 1, 1);
    CHECK(run_mixed(plan, data).first_end == std::uint64_t{3} * kRows);
    plan.l2 = 0.5; // eras of some cells
    CHECK(run_mixed(plan, data).first_end < kRows);
    plan.l2 = 1e-3;
    plan.step.kind = "backoff";
    CHECK(run_mixed(plan, data).first_end == kRows);
}

TEST_CASE("observations of mixed runs come from start to end and count what all workers did") {
    const Dataset data = toy_dataset(random_samples(kRows, 40, 6, 1));
    for (const auto& [device, threads, streams] : {std::tuple{"gpu", 1u, 1u}, {"gpu", 1u, 2u}, {"both", 2u, 2u}}) {
        const Plan plan = mixed_plan(device, threads, streams);
        const Ran ran = run_mixed(plan, data);
        REQUIRE(ran.taken.size() == 3 * plan.observations_per_epoch); // the last is taken by the caller
        std::uint64_t before = 0;
        for (const Snapshot& taken : ran.taken) {
            CHECK(taken.updates >= before);
            before = taken.updates;
            CHECK(before <= std::uint64_t{3} * kRows);
        }
        if (streams > 1) continue;
        for (std::size_t i = 1; i < ran.taken.size(); ++i) { // one stream: due after the first chunk that reaches it
            const double due = static_cast<double>(i) * kRows / plan.observations_per_epoch;
            CHECK(static_cast<double>(ran.taken[i].updates) >= due);
            CHECK(static_cast<double>(ran.taken[i].updates) < due + 2 * 256);
        }
    }
}

TEST_CASE("a thread beside a replica takes the scale of what the host's array holds") {
    constexpr float kValue = 0x1p-10f; // a step adds step / (scale x decay) x value
    const Dataset data = alike(kRows, 1, kValue);
    Plan plan = mixed_plan("both", 1, 1);
    plan.memory = "replica";
    plan.step.kind = "constant";
    plan.step.size = 0.25;
    plan.l2 = 1e-3; // over the run the scale falls to e^-8
    const Ran ran = run_mixed(plan, data, nullptr, {.apart = true});
    const double decay = 1 - plan.step.size * plan.l2;
    const std::uint64_t all = std::uint64_t{plan.epochs} * kRows;
    double expected = 0;
    for (std::uint64_t t = 0; t < all - ran.consumed; ++t) {
        expected += plan.step.size * kValue * power(decay, static_cast<std::uint32_t>(all - t - 1));
    }
    CHECK(ran.weights[0] == doctest::Approx(expected).epsilon(1e-3));
}

TEST_CASE("threads and streams cross eras and decisions together, and an interrupt leaves nobody waiting") {
    const Dataset data = toy_dataset(random_samples(kRows, 40, 6, 1));
    const std::atomic<bool> interrupted{true};
    for (const std::string step : {"decay", "backoff"}) {
        Plan plan = mixed_plan("both", 2, 2);
        plan.l2 = 0.5;
        plan.step.kind = step;
        for (const float weight : run_mixed(plan, data).weights)
            CHECK(std::abs(weight) < 4 / plan.l2); // value / lambda
        run_mixed(plan, data, &interrupted);
    }
}

TEST_CASE("a stream that fails ends the run with its error, and leaves nobody waiting") {
    const Dataset data = toy_dataset(random_samples(kRows, 40, 6, 1));
    for (const std::string memory : {"mapped", "replica"}) {
        for (const double l2 : {0.0, 0.5}) { // the second: eras
            Plan plan = mixed_plan("gpu", 1, 2);
            plan.memory = memory;
            plan.l2 = l2;
            for (const int step : {1, 2, 7})
                for (const int rescale : {0, 1, 3}) // a device that failed once fails at every call
                    CHECK_THROWS_WITH_AS(run_mixed(plan, data, nullptr, {.step = step, .rescale = rescale}),
                                         doctest::Contains("the device failed"), Error);
        }
    }
}

TEST_CASE("a stream that cannot even begin ends the run with its error") {
    const Dataset data = toy_dataset(random_samples(kRows, 40, 6, 1));
    CHECK_THROWS_WITH_AS(run_mixed(mixed_plan("both", 2, 2), data, nullptr, {.rehearsal = true}),
                         doctest::Contains("the device failed"), Error);
}

TEST_CASE("a rescaling that fails ends the run with its error, and leaves nobody waiting") {
    const Dataset data = toy_dataset(random_samples(kRows, 40, 6, 1));
    for (const auto& [device, threads, streams] : {std::tuple{"gpu", 1u, 1u}, {"gpu", 1u, 3u}, {"both", 2u, 2u}}) {
        Plan plan = mixed_plan(device, threads, streams);
        plan.l2 = 0.5; // eras
        for (const int call : {1, 2, 6})
            CHECK_THROWS_WITH_AS(run_mixed(plan, data, nullptr, {.rescale = call}),
                                 doctest::Contains("the device failed"), Error);
    }
}
