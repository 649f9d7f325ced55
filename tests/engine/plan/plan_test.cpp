#include "engine/plan/choices.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"

#include "engine/error.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/problem_traits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

TEST_CASE("every field of a plan is in its text and in its hash") {
    std::vector<Plan> plans(1);
    const auto change = [&](auto apply) { apply(plans.emplace_back()); };
    change([](Plan& p) { p.problem = "squared"; });
    change([](Plan& p) { p.scheme = "serial"; });
    change([](Plan& p) { p.update = "atomic"; });
    change([](Plan& p) { p.guard = "locked"; });
    change([](Plan& p) { p.order = "stored"; });
    change([](Plan& p) { p.pin = "numa"; });
    change([](Plan& p) { p.telemetry = "exact"; });
    change([](Plan& p) { p.lanes = "scalar"; });
    change([](Plan& p) { p.device = "gpu"; });
    change([](Plan& p) { p.memory = "device"; });
    change([](Plan& p) { p.placement = "hottest"; });
    change([](Plan& p) { p.threads = 2; });
    change([](Plan& p) { p.gpu.streams = 3; });
    change([](Plan& p) { p.gpu.blocks = 2; });
    change([](Plan& p) { p.hot.count = 2; });
    change([](Plan& p) { p.hot.rule = 0.5; });
    change([](Plan& p) { p.bridge.rule = 0.5; });
    change([](Plan& p) { p.bridge.pause = 0.5; });
    change([](Plan& p) { p.delay = 1e-6; });
    change([](Plan& p) { p.epochs = 2; });
    change([](Plan& p) { p.l2 = 1e-300; });
    change([](Plan& p) { p.batch.size = 2; });
    change([](Plan& p) { p.exchange.period = 2; });
    change([](Plan& p) { p.cas_limit = 2; });
    change([](Plan& p) { p.observations_per_epoch = 2; });
    change([](Plan& p) { p.seed = ~std::uint64_t{0}; });
    change([](Plan& p) { p.step.kind = "constant"; });
    change([](Plan& p) { p.step.size = 0.1 + 1e-16; });
    change([](Plan& p) { p.step.decay = 0.8; });
    change([](Plan& p) { p.step.half_life = 2; });
    change([](Plan& p) { p.step.plateau = 0.02; });
    change([](Plan& p) { p.step.warm_up = 0.5; });
    std::set<std::uint64_t> hashes;
    std::set<std::vector<std::pair<std::string, std::string>>> texts;
    for (const Plan& plan : plans) {
        hashes.insert(hash(plan));
        texts.insert(fields(plan));
        CHECK(hash(plan) == hash(Plan(plan)));
        CHECK(fields(plan_of(fields(plan))) == fields(plan)); // the text is the plan
    }
    CHECK(hashes.size() == plans.size());
    CHECK(texts.size() == plans.size());
    CHECK(plans.size() == 1 + fields(Plan{}).size()); // a new field wants a line above
}

TEST_CASE("how many workers are backups is in the text and hash of a plan that has some") {
    Plan plan;
    const std::uint64_t without = hash(plan);
    plan.backup = 2;
    CHECK(hash(plan) == without);
    plan.scheme = "backup-workers";
    CHECK(plan_of(fields(plan)).backup == 2);
    const std::uint64_t two = hash(plan);
    plan.backup = 0;
    CHECK(hash(plan) != two);
}

TEST_CASE("batches of two devices are in the text and hash of networks' plans on both") {
    Plan plan;
    plan.problem = "network";
    const auto has = [](const Plan& of, const std::string& name) {
        return std::ranges::any_of(fields(of), [&](const auto& field) { return field.first == name; });
    };
    CHECK_FALSE(has(plan, "batch_rule"));
    plan.device = "both";
    CHECK(has(plan, "batch_rule"));
    std::set<std::uint64_t> hashes{hash(plan)};
    plan.batch.gpu = 512;
    hashes.insert(hash(plan));
    plan.batch.rule = "adaptive";
    hashes.insert(hash(plan));
    plan.batch.most = 64;
    hashes.insert(hash(plan));
    CHECK(hashes.size() == 4);
    CHECK(fields(plan_of(fields(plan))) == fields(plan));
    CHECK(plan_of(fields(plan)).batch.most == 64);
    CHECK(plan_of(fields(plan)).batch.gpu == 512);
    plan.batch.rule = "sometimes";
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("unknown batch-rule 'sometimes'"), Error);
}

TEST_CASE("a gradient can be delayed where CPU threads step sample by sample, by up to 10 ms") {
    Plan plan;
    plan.delay = 1e-6;
    CHECK(why_not(plan) == "");
    plan.scheme = "minibatch";
    CHECK(why_not(plan) == "only CPU threads that step sample by sample delay a gradient");
    plan.scheme = "hogwild";
    plan.delay = 1;
    CHECK_THROWS_AS(validate(plan), Error);
}

TEST_CASE("who steps must reach the memory, and what has no GPU form says so") {
    const auto why = [](const std::string& device, const std::string& memory) {
        Plan plan;
        plan.device = device;
        set_memory(plan, memory);
        return why_not(plan);
    };
    for (const std::string memory : {"mapped", "managed", "managed-host", "managed-device"}) {
        for (const std::string device : {"cpu", "gpu", "both"}) CHECK(why(device, memory) == "");
    }
    CHECK(why("cpu", "host") == "");
    CHECK(why("gpu", "device") == "");
    CHECK(why("both", "replica") == "");
    CHECK(why("cpu", "device") == "CPU threads cannot reach device memory");
    CHECK(why("both", "device") == "CPU threads cannot reach device memory");
    CHECK(why("gpu", "host") == "a GPU cannot reach host memory");
    CHECK(why("both", "host") == "a GPU cannot reach host memory");
    CHECK(why("cpu", "replica") != "");
    CHECK(why("gpu", "device-bf16") == "hinge has no form for parameters of 16 bits");
    CHECK(why("cpu", "device-fp16") == "CPU threads cannot reach device-fp16 memory");

    Plan plan;
    plan.device = "gpu";
    set_memory(plan, "device-fp16");
    plan.problem = "factorization";
    CHECK(why_not(plan) == "");
    plan.problem = "hinge";
    set_memory(plan, "device");
    for (const auto& change : std::vector<void (*)(Plan&)>{
             [](Plan& p) { p.scheme = "round-robin"; }, [](Plan& p) { p.guard = "locked"; },
             [](Plan& p) { p.update = "cas-bounded"; }, [](Plan& p) { p.hot.count = 100; },
             [](Plan& p) { p.hot.count = 100, p.placement = "hottest"; }, // racy
             [](Plan& p) { p.update = "atomic", p.hot.count = 1'000'000, p.placement = "hottest"; }}) {
        Plan changed = plan;
        change(changed);
        CHECK(why_not(changed) != "");
    }
    plan.update = "atomic";
    plan.hot.count = 100;
    plan.placement = "hottest";
    CHECK(why_not(plan) == "");
}

TEST_CASE("a text that is no plan's is refused") {
    CHECK_THROWS_AS(plan_of({{"colour", "red"}}), Error);
    CHECK_THROWS_AS(plan_of({{"threads", "two"}}), Error);
    CHECK_THROWS_AS(plan_of({{"threads", "2 "}}), Error);
    CHECK(plan_of({{"threads", "2"}}).threads == 2);
}

TEST_CASE("a model's parameters are in a plan's text and in its hash, the usual ones where none are named") {
    Plan plan;
    CHECK(fields(plan).size() + 3 == fields([] {
                                         Plan p;
                                         p.problem = "factorization";
                                         return p;
                                     }())
                                         .size());
    CHECK_FALSE(parameter(plan, "rank").has_value());
    plan.problem = "factorization";
    CHECK(parameters(plan) == std::vector<double>{32, 1, 0});
    CHECK(parameter(plan, "rank") == 32);
    const std::uint64_t usual = hash(plan);
    plan.parameters = {32};
    CHECK(hash(plan) == usual);
    plan.parameters = {16, 0};
    CHECK(hash(plan) != usual);
    CHECK(parameter(plan_of(fields(plan)), "rank") == 16);
    CHECK(parameter(plan_of(fields(plan)), "biases") == 0);
}

TEST_CASE("a parameter out of its range, or of another problem's model, is refused") {
    const auto complaint = [](const std::string& problem, std::vector<double> parameters) -> std::string {
        Plan plan;
        plan.problem = problem;
        plan.parameters = std::move(parameters);
        try {
            validate(plan);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK(complaint("factorization", {1, 0}) == "accepted");
    CHECK(complaint("factorization", {1024, 1}) == "accepted");
    CHECK(complaint("factorization", {0}) == "--rank 0 (it is a whole number from 1 to 1024); use 32");
    CHECK(complaint("factorization", {1025}) == "--rank 1025 (it is a whole number from 1 to 1024); use 32");
    CHECK(complaint("factorization", {8.5}) == "--rank 8.5 (it is a whole number from 1 to 1024); use 32");
    CHECK(complaint("factorization", {8, 0, 100}) == "accepted");
    CHECK(complaint("factorization", {8, 0, -1}) ==
          "--damp-above -1 (it is a whole number from 0 to 1000000000); use 0");
    CHECK(complaint("factorization", {8, 2}) == "--biases 2 (it is a whole number from 0 to 1); use 1");
    CHECK(complaint("hinge", {8}) == "1 parameters of a model (hinge has 0); name those that it has");
}

TEST_CASE("what has no form for pairs of rows, or for windows of text, says so") {
    for (const std::string problem : {"factorization", "skipgram"}) {
        Plan plan;
        plan.problem = problem;
        CHECK(why_not(plan).empty());
        plan.placement = "hottest";
        CHECK(why_not(plan) == "only coordinates of sparse rows are placed");
        plan.placement = "stored";
        plan.device = "gpu";
        plan.memory = "device";
        CHECK(why_not(plan).empty());
        plan.hot.count = 64;
        plan.update = "atomic";
        const std::string copied =
            "only hot coordinates of sparse rows are copied, and on a GPU of ratings; use --hot 0";
        CHECK(why_not(plan) == (problem == "skipgram" ? copied : ""));
        plan.device = "cpu";
        plan.memory = "host";
        CHECK(why_not(plan) == copied);
    }
}

TEST_CASE("a GPU's copies of hot ratings are of floats, and added to atomically") {
    Plan plan;
    plan.problem = "factorization";
    plan.device = "gpu";
    plan.memory = "device";
    plan.update = "atomic";
    plan.hot.count = 64;
    CHECK(why_not(plan).empty());
    set_memory(plan, "device-bf16");
    CHECK(why_not(plan) ==
          "copies of hot coordinates exchange with parameters of 32 bits, not in device-bf16; use --numbers float32");
    set_memory(plan, "device");
    plan.update = "racy";
    CHECK(why_not(plan) ==
          "copies of hot coordinates are added to atomically, so they go with --update atomic; use --hot 0");
}

TEST_CASE("synchronous batches of every problem run on a GPU, on its own memory, of floats") {
    for (const std::string_view problem : known_names("problem")) {
        if (!problem_traits(problem).runs_on_gpu) continue;
        CAPTURE(problem);
        Plan plan;
        plan.problem = problem;
        plan.scheme = "minibatch";
        plan.device = "gpu";
        plan.memory = "device";
        CHECK(why_not(plan).empty());
        for (const std::string memory : {"device-bf16", "device-fp16", "mapped", "managed", "replica"}) {
            set_memory(plan, memory);
            CHECK(why_not(plan) == "minibatch on a GPU takes device memory");
        }
    }
}

TEST_CASE("cuts run on every device") {
    Plan plan;
    plan.problem = "cut";
    CHECK(problem_traits("cut").runs_on_gpu);
    for (const auto& [device, memory] : {std::pair{"cpu", "host"}, {"gpu", "device"}, {"both", "managed-host"}}) {
        plan.device = device;
        set_memory(plan, memory);
        for (const std::string update : {"racy", "atomic", "noop"}) {
            plan.update = update;
            CHECK(why_not(plan).empty());
        }
    }
    plan.device = "gpu";
    plan.memory = "device";
    plan.placement = "hottest";
    CHECK(why_not(plan) == "only coordinates of sparse rows are placed");
}

TEST_CASE("a network's optimisers, staleness rules and published vectors are refused where a GPU steps") {
    Plan plan;
    plan.problem = "network";
    for (const auto& [device, memory] : {std::pair{"gpu", "device"}, {"both", "managed-host"}}) {
        plan.device = device;
        set_memory(plan, memory);
        CHECK(why_not(plan).empty());
        const auto why = [&](void (*change)(Plan&)) {
            Plan changed = plan;
            change(changed);
            return why_not(changed);
        };
        const bool both = plan.device == "both";
        CHECK(why([](Plan& p) { p.optimizer.name = "adam"; }) ==
              (both ? "threads and a GPU have no state of adam in common; use --state per-device or per-worker" : ""));
        for (const char* state : {"per-device", "per-worker"}) {
            Plan with_state = plan;
            with_state.optimizer.name = "adam";
            with_state.optimizer.state = state;
            CHECK(why_not(with_state) == "");
        }
        CHECK(why([](Plan& p) { p.guard = "publish"; }) == "guards are among CPU threads; use --guard none");
        CHECK(why([](Plan& p) { p.staleness.rule = "drop"; }) ==
              (both ? "threads and a GPU count their steps apart; use --device cpu or gpu, or --staleness-rule none"
                    : ""));
    }
}

TEST_CASE("a number that steps take as a float is one, neither 0 nor infinite") {
    struct Case {
        const char* option;
        double& (*of)(Plan&);
    };
    const Case cases[] = {{"--step-size ", +[](Plan& plan) -> double& { return plan.step.size; }},
                          {"--coupling ", +[](Plan& plan) -> double& { return plan.exchange.coupling; }},
                          {"--hot-rule ", +[](Plan& plan) -> double& { return plan.hot.rule; }},
                          {"--bridge-rule ", +[](Plan& plan) -> double& { return plan.bridge.rule; }}};
    for (const Case& each : cases) {
        CAPTURE(each.option);
        Plan plan;
        CHECK(why_not(plan).empty());
        each.of(plan) = 1e-60;
        CHECK(why_not(plan).starts_with(std::string(each.option) + "1e-60 is below the smallest of a float, 1.2e-38"));
        each.of(plan) = 1e39;
        CHECK(why_not(plan).starts_with(std::string(each.option) + "1e+39 is above the largest of a float, 3.4e38"));
        each.of(plan) = 1e-37;
        CHECK(why_not(plan).empty());
    }
}

TEST_CASE("a step that forgets within a few samples is refused: of a batch whose samples shrink what they touch, "
          "within a few of its samples") {
    Plan plan;
    plan.l2 = 0.2;
    plan.step.size = 1;
    plan.batch.size = 100;
    for (const std::string scheme : {"serial", "minibatch"}) {
        plan.scheme = scheme;
        CHECK(why_not(plan).starts_with("step 1 x lambda 0.2 must not pass 0.15"));
    }
    plan.problem = "factorization";
    CHECK(why_not(plan).empty()); // a minibatch
    plan.step.size = 76;
    CHECK(why_not(plan).starts_with("step 76 x lambda 0.2 / batch 100 must not pass 0.15"));
    plan.scheme = "serial";
    plan.step.size = 1;
    CHECK(why_not(plan).starts_with("step 1 x lambda 0.2 must not pass 0.15"));
}

TEST_CASE("how a network's steps read, and what becomes of stale ones, is in its plan's text and hash") {
    Plan plan;
    plan.problem = "network";
    std::set<std::uint64_t> hashes{hash(plan)};
    for (const auto& change : std::vector<void (*)(Plan&)>{
             [](Plan& p) { p.network.layers = "dense 10"; }, [](Plan& p) { p.network.read = "copy"; },
             [](Plan& p) { p.staleness.rule = "drop"; }, [](Plan& p) { p.staleness.limit = 3; },
             [](Plan& p) { p.network.update = "1=atomic"; }, [](Plan& p) { p.gpu.steps = "graphs"; },
             [](Plan& p) { p.gpu.products = "tf32"; }}) {
        Plan changed = plan;
        change(changed);
        hashes.insert(hash(changed));
        CHECK(fields(plan_of(fields(changed))) == fields(changed));
    }
    CHECK(hashes.size() == 8);
}

TEST_CASE("a rule for stale steps on sparse rows is in its plan's text and hash, and none leaves both as they were") {
    const Plan plan;
    for (const auto& [name, value] : fields(plan)) CHECK_FALSE(name.starts_with("staleness"));
    std::set<std::uint64_t> hashes{hash(plan)};
    for (const char* rule : {"inverse", "delay-adaptive", "drop"}) {
        for (const std::uint32_t limit : {1u, 16u}) {
            Plan changed = plan;
            changed.staleness.rule = rule;
            changed.staleness.limit = limit;
            hashes.insert(hash(changed));
            const Plan read = plan_of(fields(changed));
            CHECK(read.staleness.rule == rule);
            CHECK(read.staleness.limit == limit);
            CHECK(fields(read) == fields(changed));
        }
    }
    CHECK(hashes.size() == 7);
}

TEST_CASE("steps by graphs are a network's on a GPU, from a copy of the weights, and precision is theirs to choose") {
    const auto why = [](void (*change)(Plan&)) {
        Plan plan;
        plan.problem = "network";
        plan.device = "gpu";
        plan.memory = "device";
        plan.gpu.steps = "graphs";
        plan.network.read = "copy";
        change(plan);
        return why_not(plan);
    };
    CHECK(why([](Plan&) {}) == "");
    CHECK(why([](Plan& p) { p.gpu.products = "tf32"; }) == "");
    CHECK(why([](Plan& p) { p.optimizer.name = "adam"; }) == "");
    CHECK(why([](Plan& p) { p.device = "both", p.memory = "replica"; }) == "");
    CHECK(why([](Plan& p) { p.network.read = "in-place"; }) ==
          "cuBLAS reads a copy of the weights, never those that others write; use --read copy or --gpu-steps teams");
    CHECK(why([](Plan& p) { p.staleness.rule = "drop"; }) ==
          "a graph's step is counted once it has written, too late for a rule; use --staleness-rule none or "
          "--gpu-steps teams");
    for (const auto& elsewhere :
         std::vector<void (*)(Plan&)>{[](Plan& p) { p.device = "cpu", p.memory = "host"; },
                                      [](Plan& p) { p.scheme = "minibatch"; }, [](Plan& p) { p.problem = "hinge"; }})
        CHECK(why(elsewhere) == "graphs are a choice of hogwild's GPU workers on networks; use --gpu-steps teams");
    CHECK(why([](Plan& p) { p.gpu.steps = "teams", p.gpu.products = "tf32"; }) ==
          "teams multiply in float32; use --gpu-steps graphs for tf32, or --products float32");
}

TEST_CASE("workers on a GPU are its teams, or its streams where these step by graphs") {
    Plan plan;
    plan.problem = "network";
    plan.gpu.streams = 3;
    plan.gpu.blocks = 32;
    CHECK(gpu_teams(plan) == 0);
    plan.device = "gpu";
    CHECK(gpu_teams(plan) == 12);
    plan.gpu.steps = "graphs";
    CHECK(gpu_teams(plan) == 3);
}

TEST_CASE("a warm-up takes a number of epochs") {
    Plan plan;
    plan.step.warm_up = 0.25;
    validate(plan);
    for (const double epochs : {-1.0, 2e6, std::numeric_limits<double>::quiet_NaN()}) {
        plan.step.warm_up = epochs;
        CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("a warm-up takes 0 to 1,000,000 epochs"), Error);
    }
}
