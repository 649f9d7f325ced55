// Runs on short numbers (kernels/patterns/low_precision_steps.h).
#include "engine/error.h"
#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "kernels/numbers/int8.h"
#include "kernels/patterns/low_precision_steps.h"
#include "tests/engine/schemes/serial_paths.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

std::vector<std::string> low_precisions() {
    std::vector<std::string> names;
    for (const char* numbers : {"bf16", "fp16", "int8"}) {
        for (const std::string_view rounding : kRoundingNames)
            names.push_back(name_of(memory_kind("host", numbers, rounding)));
    }
    return names;
}

Plan plan_on(const std::string& memory, const std::string& scheme = "serial", unsigned threads = 1) {
    Plan plan = toy_plan(scheme, threads);
    set_memory(plan, memory);
    return plan;
}

/// Whether the memory has such a number.
bool has(const Plan& plan, float weight) {
    const Int8 int8 = Int8::of_range(plan.int8_range);
    switch (storage_of(memory_kind(plan))) {
    case Storage::kBf16: return Bf16::widened(Bf16::rounded(weight, 0)) == weight;
    case Storage::kFp16: return Fp16::widened(Fp16::rounded(weight, 0)) == weight;
    case Storage::kInt8: return int8.widened(int8.rounded(weight, 0)) == weight;
    default: return true;
    }
}

double loss_of(const Plan& plan, const Dataset& data) { return run(plan, {data}).observations.back().train_loss; }

} // namespace

TEST_CASE("one worker of hogwild walks serial's path on every short number") { // oracle 6
    CHECK(low_precisions().size() == 9);
    for (const std::string& memory : low_precisions()) {
        for (const std::string problem : {"hinge", "logistic", "squared"}) {
            CAPTURE(memory + " " + problem);
            Plan plan = plan_on(memory);
            plan.problem = problem;
            if (problem == "squared") plan.step.size = 0.05;
            const std::vector<float> serial = weights_of(plan, crowded());
            CHECK(weights_of(plan, crowded()) == serial); // the same seed, the same bits
            plan.scheme = "hogwild";
            CHECK(weights_of(plan, crowded()) == serial);
        }
    }
}

TEST_CASE("where nothing conflicts, any number of workers gives serial's bits") { // oracle 7
    for (const std::string& memory : low_precisions()) {
        CAPTURE(memory);
        Plan plan = plan_on(memory);
        plan.l2 = 0;
        plan.epochs = 1; // a sample meets itself in the next epoch, perhaps at another worker
        const std::vector<float> serial = weights_of(plan, disjoint());
        for (const unsigned threads : {2u, 3u, 8u}) {
            plan.scheme = "hogwild";
            plan.threads = threads;
            CHECK(weights_of(plan, disjoint()) == serial);
        }
    }
}

TEST_CASE("every instruction set gives the same bits, and random words are the seed's") { // oracles 11, 15
    for (const std::string& memory : low_precisions()) {
        CAPTURE(memory);
        check_instruction_sets(plan_on(memory), crowded());
        Plan stored = plan_on(memory); // of whose order the seed says nothing
        stored.order = "stored";
        const std::vector<float> first = weights_of(stored, crowded());
        stored.seed = 2;
        CHECK((weights_of(stored, crowded()) != first) == !memory.ends_with("-nearest"));
    }
}

TEST_CASE("snapshots and final weights are numbers that the memory has, whoever steps") {
    for (const std::string& memory : low_precisions()) {
        CAPTURE(memory);
        Plan plan = plan_on(memory, "hogwild", 3);
        plan.l2 = 0;
        const std::vector<float> weights = weights_of(plan, crowded());
        CHECK(std::ranges::all_of(weights, [&](float weight) { return has(plan, weight); }));
        CHECK(std::ranges::any_of(weights, [](float weight) { return weight != 0; }));
    }
}

TEST_CASE("increments below half a distance are lost by nearest, and kept in the mean without bias") {
    // Each of 2,000 columns is added 4 x 5 increments of a twentieth of a step: one step in the mean.
    const Dataset data = alike(10'000, 2'000, 0.5f);
    for (const std::string memory : {"host-int8", "host-int8-shared", "host-int8-nearest"}) {
        Plan plan = plan_on(memory);
        plan.int8_range = 127;
        plan.l2 = 0;
        plan.step.kind = "constant";
        plan.step.size = 0.1;
        plan.problem = "hinge";
        const std::vector<float> weights = weights_of(plan, data);
        double mean = 0;
        for (const float weight : weights) mean += weight / 2'000;
        CAPTURE(memory);
        CAPTURE(mean);
        if (memory == "host-int8-nearest") {
            CHECK(mean == 0);
        } else {
            CHECK(mean > 0.8);
            CHECK(mean < 1.1); // once a weight is 2, its margin is past the kink
        }
    }
}

TEST_CASE("int8 weights saturate and never wrap, whoever steps") {
    const Dataset data = alike(2'000, 20, 1e-3f); // far below the kink: every increment has one sign
    for (const unsigned threads : {1u, 3u}) {
        Plan plan = plan_on("host-int8", "hogwild", threads);
        plan.int8_range = 1;
        plan.l2 = 0;
        plan.step.size = 300;
        const Outcome outcome = run(plan, {data});
        CHECK(std::ranges::all_of(outcome.weights, [](float weight) { return weight == 127.0f / 64; }));
        CHECK(outcome.saturated == 20);
    }
}

TEST_CASE("lazy L2 shrinks short numbers as it shrinks floats, over the ends of eras") {
    Plan plan = plan_on("host");
    plan.problem = "squared";
    plan.step.kind = "constant";
    plan.step.size = 0.02;
    plan.l2 = 0.1;
    plan.epochs = 6;
    plan.int8_range = 2; // in steps of 1/32
    const Outcome floats = run(plan, {crowded()});
    CHECK(floats.rebases == 0);
    // How far a weight may be off: it wanders by some distances to its neighbours, which are 2^-8, 2^-11 of it or a step.
    const std::vector<std::pair<std::string, float>> most{
        {"host-bf16", 0.02f}, {"host-fp16", 0.002f}, {"host-int8", 0.15f}, {"host-int8-shared", 0.15f}};
    for (const auto& [name, distance] : most) {
        const std::string& memory = name;
        CAPTURE(memory);
        set_memory(plan, memory);
        const Outcome outcome = run(plan, {crowded()});
        // 6,000 samples that shrink by 0.002 each: 17.3 powers of two.
        const double bits = 6'000 * std::log2(1 / (1 - 0.002));
        const int within = bits_of_scale(storage_of(memory_kind(plan)));
        CHECK(static_cast<double>(outcome.rebases) >= std::floor(bits / within) - 1);
        CHECK(static_cast<double>(outcome.rebases) <= 2 * bits / within);
        float furthest = 0;
        for (std::size_t j = 0; j < floats.weights.size(); ++j)
            furthest = std::max(furthest, std::abs(outcome.weights[j] - floats.weights[j]));
        CHECK(furthest < distance);
        CHECK(outcome.observations.back().train_loss < floats.observations.back().train_loss * 1.05);
    }
}

TEST_CASE("several workers on short numbers learn what serial learns on floats") { // oracle 18
    const double floats = loss_of(plan_on("host"), crowded());
    for (const std::string& memory : low_precisions()) {
        if (memory.ends_with("-nearest")) continue; // which stops where its increments are lost
        CAPTURE(memory);
        Plan plan = plan_on(memory, "hogwild", 3);
        plan.step.kind = "decay";
        CHECK(loss_of(plan, crowded()) < 1.1 * floats);
    }
}

TEST_CASE("what short numbers cannot do is refused with its reason") {
    Plan plan = plan_on("host-int8", "svrg");
    plan.problem = "logistic";
    CHECK(why_not(plan) == "svrg keeps slopes as floats or doubles, not int8; use --numbers float32 or fp64");
    plan = plan_on("host-bf16-shared", "local-sgd");
    CHECK(why_not(plan) == "steps of local-sgd are on floats, only those of serial and hogwild on host-bf16-shared "
                           "too; use --numbers float32");
    plan = plan_on("host-fp16", "hogwild");
    plan.update = "atomic";
    CHECK(why_not(plan) == "a rounded number is written by a plain store, which atomic is not; use --update racy");
    plan.update = "racy";
    plan.guard = "locked";
    CHECK(why_not(plan) == "steps on host-fp16 know no guard; use --guard none");
    plan.guard = "none";
    plan.telemetry = "sampled";
    CHECK(why_not(plan) == "steps on host-fp16 have no probes of staleness and lost updates; use --telemetry off");
    plan.telemetry = "off";
    plan.staleness.rule = "drop";
    CHECK(why_not(plan) == "steps on host-fp16 know no rule for stale ones; use --staleness-rule none");
    plan.staleness.rule = "none";
    plan.delay = 1e-6;
    CHECK(why_not(plan) == "steps on host-fp16 are not delayed; use --delay 0");
    plan.delay = 0;
    plan.problem = "factorization";
    CHECK(why_not(plan) ==
          "factorization has no steps on host-fp16, only sparse rows have; use --numbers float32, or --problem "
          "hinge, logistic or squared");
    plan.problem = "hinge";
    plan.device = "gpu";
    CHECK(why_not(plan) == "a GPU cannot reach host-fp16 memory");
    plan.device = "cpu";
    plan.l2 = 0.5;
    CHECK(why_not(plan) ==
          "step 0.2 x lambda 0.5 shrinks weights by more than 2^8 within 256 samples, which host-fp16 cannot "
          "follow; use a smaller step or lambda, or --numbers float32");
    set_memory(plan, "host-bf16");
    CHECK(why_not(plan).empty());
    plan.int8_range = 0;
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("--int8-range 0"), Error);
}

TEST_CASE("a plan on int8 keeps its range in its text, and others have none") {
    Plan plan = plan_on("host-int8-nearest");
    plan.int8_range = 2.5;
    CHECK(plan_of(fields(plan)).int8_range == 2.5);
    const std::uint64_t with = hash(plan);
    plan.int8_range = 3;
    CHECK(hash(plan) != with);
    set_memory(plan, "host-bf16");
    CHECK(std::ranges::none_of(fields(plan), [](const auto& field) { return field.first == "int8_range"; }));
}
