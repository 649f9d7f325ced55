#include "engine/plan/plan.h"
#include "experiments/plans/product.h"

#include "engine/error.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/meaning.h"
#include "engine/plan/problem_traits.h"
#include "tests/experiments/some_schemes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

namespace hogwild {
namespace {

constexpr std::uint64_t kSamples = 1000;

Axes everything() {
    Axes axes;
    axes.texts("problem") = {"hinge", "logistic"};
    axes.texts("scheme") = kSchemes;
    axes.texts("update") = {"racy", "atomic", "cas-bounded"};
    axes.texts("guard") = {"none", "locked"};
    axes.counts("threads") = {1, 2, 4};
    axes.counts("batch") = {64, 256};
    axes.counts("exchange") = {128, 512};
    axes.reals("step_size") = {0.1, 0.5};
    axes.counts("seed") = {1, 2, 3};
    return axes;
}

std::size_t count(const std::vector<Plan>& plans, const std::string& scheme) {
    return static_cast<std::size_t>(
        std::count_if(plans.begin(), plans.end(), [&](const Plan& plan) { return plan.scheme == scheme; }));
}

TEST_CASE("each scheme multiplies the axes that apply to it and no others") {
    const Product all = product(everything(), kSamples);
    REQUIRE(all.left_out.empty());
    const std::size_t common = 2 * 2 * 3; // problems, step sizes, seeds
    CHECK(count(all.plans, "serial") == common);
    CHECK(count(all.plans, "hogwild") == common * 3 * (3 + 1)); // threads x (updates without a guard, one guard)
    CHECK(count(all.plans, "round-robin") == common * 3);
    CHECK(count(all.plans, "conflict-free") == common * 3);
    CHECK(count(all.plans, "minibatch") == common * 3 * 2);
    CHECK(count(all.plans, "local-sgd") == common * 3 * 2);
    CHECK(count(all.plans, "cyclades") == common * 3 * 2);
    CHECK(count(all.plans, "replicated") == common * 3 * 2);
}

TEST_CASE("combinations are counted before they are made") {
    Axes axes;
    axes.texts("scheme") = {"serial"};
    axes.counts("seed").clear();
    for (unsigned i = 1; i <= 400; ++i) {
        axes.reals("step_size").push_back(0.001 * i);
        axes.counts("seed").push_back(i);
    }
    const auto refused = [&](const char* says) { CHECK_THROWS_WITH_AS(product(axes, kSamples), says, Error); };
    const std::string many = "160,000 combinations are too many (they are made by ";
    const std::string most = "; one command makes 100,000 at most); ";
    refused(
        (many + "the 400 values that are tried where no --seed is given" + most + "give --seed and others").c_str());
    axes.given = {"--step-size", "--scheme"}; // whatever exceeds, those are named that were typed with several values
    refused((many + "the 400 values of --step-size" + most + "give fewer values, or several commands").c_str());
    axes.given.insert("--seed");
    const std::string both = "the 400 values of --step-size and the 400 values of --seed";
    refused((many + both + most + "give fewer values, or several commands").c_str());
    axes.given.insert("--l2");
    axes.reals("l2").clear();
    for (unsigned i = 0; i < 1000; ++i) axes.reals("l2").push_back(1e-6 * i);
    CHECK_THROWS_WITH_AS(product(axes, kSamples), doctest::Contains("160,000,000 combinations are too many"), Error);
    axes.reals("l2").resize(1);
    axes.counts("seed").resize(2);
    CHECK(product(axes, kSamples).plans.size() == 800);
}

TEST_CASE("backup workers are an axis of their scheme alone, which batches as minibatch does, and fewer than threads") {
    Axes axes = everything();
    axes.texts("scheme") = {"minibatch", "backup-workers"};
    axes.counts("backup") = {0, 1, 2};
    axes.counts("threads") = {2, 4};
    const Product all = product(axes, kSamples);
    const std::size_t common = 2 * 2 * 3 * 2; // problems, step sizes, seeds, batches
    CHECK(count(all.plans, "minibatch") == common * 2);
    CHECK(count(all.plans, "backup-workers") == common * (2 + 3)); // of two threads, two at most
    REQUIRE_FALSE(all.left_out.empty());
    for (const LeftOut& left : all.left_out) CHECK(left.why.starts_with("of 2 workers 2 would be backups"));
    for (const Plan& plan : all.plans) {
        if (plan.scheme != "backup-workers") CHECK(plan.backup == Plan{}.backup);
    }
    axes = {};
    axes.texts("scheme") = {"minibatch", "backup-workers"};
    axes.counts("threads") = {2};
    const std::vector<Plan> both = product(axes, kSamples, {14, 6.3}).plans;
    REQUIRE(both.size() == 2);
    CHECK(both[0].step.size == both[1].step.size);
    CHECK(both[0].batch.size == both[1].batch.size);
}

TEST_CASE(
    "workers of a model are an axis of schemes with clusters, no more than threads, a node's where there are several") {
    Axes axes = everything();
    axes.texts("scheme") = {"hogwild", "replicated", "hogwild++"};
    axes.texts("update") = {"racy"};
    axes.texts("guard") = {"none"};
    axes.counts("cluster") = {1, 3, kMostThreads};
    const Product all = product(axes, kSamples);
    REQUIRE(all.left_out.empty());
    const std::size_t common = 2 * 2 * 3; // problems, step sizes, seeds
    CHECK(count(all.plans, "hogwild") == common * 3);
    for (const char* scheme : {"replicated", "hogwild++"})
        CHECK(count(all.plans, scheme) == common * 2 * (1 + 2 + 3)); // exchanges, and 1; 1, 2; 1, 3, 4 workers
    for (const Plan& plan : all.plans) CHECK((plan.exchange.cluster == 1 || plan.scheme != "hogwild"));
    axes = {};
    axes.texts("scheme") = {"replicated", "hogwild++"};
    axes.counts("threads") = {6};
    axes.cores = 8;
    axes.node_cores = 4;
    for (const Plan& plan : product(axes, kSamples).plans) CHECK(plan.exchange.cluster == 4);
    axes.node_cores = 8; // one node: a model for each worker
    for (const Plan& plan : product(axes, kSamples).plans) CHECK(plan.exchange.cluster == 1);
}

TEST_CASE("cyclades takes batches that its steps do not take") {
    Axes axes;
    axes.texts("scheme") = {"serial", "cyclades"};
    axes.counts("threads") = {2};
    axes.counts("batch") = {64, 4'096};
    const std::vector<Plan> plans = product(axes, kSamples, {14, 6.3}).plans;
    CHECK(count(plans, "cyclades") == 2);
    for (const Plan& plan : plans) CHECK(plan.step.size == plans[0].step.size);
}

TEST_CASE("batches of two devices are axes of networks on both, and a bound one of rules that change them") {
    Axes axes;
    axes.texts("problem") = {"hinge", "network"};
    axes.texts("scheme") = {"hogwild"};
    axes.texts("device") = {"cpu", "both"};
    axes.counts("threads") = {2};
    axes.counts("batch") = {16};
    axes.counts("gpu_batch") = {0, 64, 48};
    axes.texts("batch_rule") = {"fixed", "adaptive"};
    axes.counts("batch_most") = {64, 256};
    const Product all = product(axes, kSamples);
    std::size_t of_both = 0;
    for (const Plan& plan : all.plans) {
        const bool both = plan.problem == "network" && plan.device == "both";
        of_both += both;
        if (!both) CHECK(plan.batch.gpu == 0);
        if (!both) CHECK(plan.batch.rule == "fixed");
        if (plan.batch.rule == "fixed") CHECK(plan.batch.most == Plan{}.batch.most);
    }
    CHECK(of_both == 2 * (1 + 2)); // a GPU's batches x (fixed, bounds)
    REQUIRE(all.left_out.size() == 3);
    for (const LeftOut& left : all.left_out)
        CHECK(left.why == "--gpu-batch 48 is not --batch 16 doubled some times; use 32 or 64");
}

TEST_CASE("no two plans of a product are the same run") {
    std::set<std::vector<std::pair<std::string, std::string>>> seen;
    for (const Plan& plan : product(everything(), kSamples).plans) CHECK(seen.insert(fields(plan)).second);
}

TEST_CASE("an axis that does not apply does not change the plan") {
    Plan plan;
    plan.update = "atomic";
    plan.guard = "locked";
    plan.threads = 8;
    plan.batch.size = 7;
    plan.exchange.period = 9;
    for (const std::string& scheme : kSchemes) {
        plan.scheme = scheme;
        const Plan once = collapsed(plan);
        CHECK(fields(collapsed(once)) == fields(once));
        CHECK((once.threads == 8) == means::threads(plan));
        CHECK((once.guard == "locked") == means::guard(plan));
        CHECK((once.batch.size == 7) == means::batch(plan));
        CHECK((once.exchange.period == 9) == means::exchange(plan));
        CHECK(once.update == "racy");
    }
}

TEST_CASE("a guard of hogwild is chosen beside every thread count, its update is not") {
    Axes axes;
    axes.texts("scheme") = {"hogwild"};
    axes.texts("update") = {"atomic", "noop"};
    axes.texts("guard") = {"locked", "global-lock"};
    axes.counts("threads") = {1, 2};
    CHECK(product(axes, kSamples).plans.size() == 4);
}

TEST_CASE("every scheme takes each warm-up, and samples become a share of an epoch") {
    Axes axes;
    axes.texts("problem") = {"hinge", "network"};
    axes.texts("scheme") = {"serial", "hogwild", "minibatch", "local-sgd"};
    axes.reals("warm_up") = {{0, false}, {2, false}, {54, true}};
    const std::vector<Plan> plans = product(axes, kSamples).plans;
    CHECK(plans.size() == 2 * 4 * 3);
    std::map<double, int> seen;
    for (const Plan& plan : plans) ++seen[plan.step.warm_up];
    CHECK(seen == std::map<double, int>{{0.0, 8}, {54.0 * (1.0 / kSamples), 8}, {2.0, 8}});
}

TEST_CASE("a rule for stale steps is hogwild's on networks and sparse rows, its limit of some rules") {
    Axes axes;
    axes.texts("problem") = {"hinge", "network", "factorization"};
    axes.texts("scheme") = {"serial", "hogwild"};
    axes.texts("staleness_rule") = {"none", "inverse", "delay-adaptive", "drop"};
    axes.counts("staleness_limit") = {2, 5};
    const std::vector<Plan> plans = product(axes, kSamples).plans;
    CHECK(plans.size() == 3 + 2 * (2 + 2 * 2) + 1);
    const Plan neutral;
    for (const Plan& plan : plans) {
        const bool rules = plan.problem != "factorization" && plan.scheme == "hogwild";
        if (!rules) CHECK(plan.staleness.rule == "none");
        const bool limited = plan.staleness.rule == "drop" || plan.staleness.rule == "delay-adaptive";
        if (!limited) CHECK(plan.staleness.limit == neutral.staleness.limit);
    }
}

TEST_CASE("hot coordinates of threads that write them directly are a matter of their placement alone") {
    Axes axes;
    axes.texts("problem") = {"logistic"};
    axes.texts("scheme") = {"serial", "hogwild", "async-local-sgd"};
    axes.counts("threads") = {2};
    axes.counts("hot") = {64, 1024};
    const auto placed = [&](const std::vector<std::string>& placements) {
        axes.texts("placement") = placements;
        std::map<std::string, std::set<std::uint32_t>> hot; // by scheme and placement
        for (const Plan& plan : product(axes, kSamples).plans)
            hot[plan.scheme + " " + plan.placement].insert(plan.hot.count);
        return hot;
    };
    using Hot = std::map<std::string, std::set<std::uint32_t>>;
    CHECK(placed({}) == Hot{{"serial stored", {0}}, {"hogwild stored", {0}}, {"async-local-sgd hottest", {0}}});
    CHECK(placed({"hottest", "hot-first", "hot-apart"}) == Hot{{"serial hottest", {0}},
                                                               {"serial scattered", {0}},
                                                               {"hogwild hottest", {0}},
                                                               {"hogwild hot-first", {64, 1024}},
                                                               {"hogwild hot-apart", {64, 1024}},
                                                               {"async-local-sgd hottest", {0}},
                                                               {"async-local-sgd scattered", {0}}});
    axes.counts("hot") = {};
    CHECK(placed({"hot-apart"})["hogwild hot-apart"] == std::set<std::uint32_t>{256});
    axes.counts("hot") = {0};
    CHECK(placed({"hot-apart"})["hogwild scattered"] == std::set<std::uint32_t>{0});
}

TEST_CASE("policies of layers are an axis where networks have a choice of updates, and left out of other problems") {
    Axes axes;
    axes.texts("problem") = {"hinge", "network"};
    axes.texts("scheme") = {"serial", "hogwild"};
    axes.texts("guard") = {"none", "locked"};
    axes.texts("layer_update") = {"none", "1=atomic+3=noop"};
    const Product all = product(axes, kSamples);
    CHECK(all.plans.size() == 2 * (1 + 2) + 1); // of networks hogwild without a guard, twice
    for (const Plan& plan : all.plans) {
        const bool chooses = plan.problem == "network" && plan.scheme == "hogwild" && plan.guard == "none";
        if (!chooses) CHECK(plan.network.update == "none");
    }
    REQUIRE(all.left_out.size() == 3);
    for (const LeftOut& each : all.left_out) CHECK(each.why.starts_with("hinge has no layers"));
}

TEST_CASE("a published vector is left out where a GPU steps, a shared state or a rule for stale steps where both do") {
    const auto check = [](void (*change)(Axes&), std::size_t left_out, const std::string& why) {
        Axes axes;
        axes.texts("problem") = {"network"};
        axes.texts("scheme") = {"hogwild"};
        axes.texts("device") = {"cpu", "gpu", "both"};
        change(axes);
        const Product product = hogwild::product(axes, kSamples);
        CHECK(product.plans.size() == 6 - left_out);
        REQUIRE(product.left_out.size() == left_out);
        for (const LeftOut& each : product.left_out) CHECK(each.why.starts_with(why));
    };
    check([](Axes& axes) { axes.texts("guard") = {"none", "publish"}; }, 2, "guards are among CPU threads");
    check([](Axes& axes) { axes.texts("optimizer") = {"sgd", "adam"}; }, 1, "threads and a GPU have no state of adam");
    check(
        [](Axes& axes) {
            axes.texts("staleness_rule") = {"none", "drop"};
        },
        1, "threads and a GPU count their steps apart");
}

TEST_CASE("tries are those of cas-bounded and of publish") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"hogwild"};
    axes.texts("update") = {"racy", "cas-bounded"};
    axes.texts("guard") = {"none", "locked", "publish"};
    axes.counts("cas_limit") = {3};
    const std::vector<Plan> plans = product(axes, kSamples).plans;
    CHECK(plans.size() == 2 + 1 + 1);
    for (const Plan& plan : plans)
        CHECK((plan.cas_limit == 3) == (plan.update == "cas-bounded" || plan.guard == "publish"));
}

TEST_CASE("the schedule's parameters reach the plans of their own kind only") {
    Axes axes;
    axes.texts("scheme") = {"serial"};
    axes.texts("step") = {"constant", "decay", "inverse-time", "backoff"};
    axes.reals("decay") = {0.5, 0.8};
    axes.reals("half_life") = {3};
    axes.reals("plateau") = {0.25};
    const std::vector<Plan> plans = product(axes, kSamples).plans;
    REQUIRE(plans.size() == 1 + 2 + 1 + 2);
    const Plan neutral;
    for (const Plan& plan : plans) {
        CHECK((plan.step.half_life == 3) == (plan.step.kind == "inverse-time"));
        CHECK((plan.step.plateau == 0.25) == (plan.step.kind == "backoff"));
        if (plan.step.kind == "constant") CHECK(plan.step.decay == neutral.step.decay);
    }
}

TEST_CASE("l2 of 1/n is one over the samples, by default too") {
    Axes axes;
    axes.texts("scheme") = {"serial"};
    REQUIRE(product(axes, kSamples).plans.size() == 1);
    CHECK(product(axes, kSamples).plans[0].l2 == 1.0 / kSamples);
    axes.reals("l2") = {0, Real(1, true), 0.5};
    const std::vector<Plan> plans = product(axes, kSamples).plans;
    REQUIRE(plans.size() == 3);
    CHECK(plans[0].l2 == 0);
    CHECK(plans[1].l2 == 1.0 / kSamples);
    CHECK(plans[2].l2 == 0.5);
}

TEST_CASE("a model's parameters multiply the plans of their own problem only") {
    Axes axes = everything();
    axes.texts("scheme") = {"serial"};
    axes.reals("step_size") = {};
    axes.counts("seed") = {1};
    axes.texts("problem") = {"factorization"};
    axes.parameters = {{"rank", {8, 16}}, {"biases", {}}};
    const Product ranks = product(axes, kSamples);
    REQUIRE(ranks.plans.size() == 2);
    CHECK(parameters(ranks.plans[0]) == std::vector<double>{8, 1, 0});
    CHECK(parameters(ranks.plans[1]) == std::vector<double>{16, 1, 0});
    axes.parameters["biases"] = {0, 1};
    CHECK(product(axes, kSamples).plans.size() == 4);
    axes.texts("problem") = {"hinge"};
    CHECK(product(axes, kSamples).plans.size() == 1);
}

TEST_CASE("a name that nothing knows is refused even where its axis does not apply") {
    Axes axes;
    axes.texts("scheme") = {"serial"};
    axes.texts("update") = {"atomc"};
    CHECK_THROWS_AS(product(axes, kSamples), Error);
}

TEST_CASE("every plan can run or is left out with a reason, once for all seeds") {
    Axes axes = everything();
    axes.texts("update") = {"racy", "noop"};
    axes.texts("telemetry") = {"off", "sampled", "exact"};
    const Product all = product(axes, kSamples);
    for (const Plan& plan : all.plans) CHECK(why_not(plan) == "");
    std::set<std::string> said;
    for (const LeftOut& left : all.left_out) {
        CHECK(left.why != "");
        CHECK(left.why == why_not(left.plan));
        CHECK(said.insert(describe(left.plan) + left.why).second);
    }
}

TEST_CASE("interleaving keeps seeds together, is a permutation, and repeats itself") {
    const std::vector<Plan> plans = product(everything(), kSamples).plans;
    const std::vector<std::size_t> order = interleaved(plans);
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    REQUIRE(sorted.size() == plans.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) REQUIRE(sorted[i] == i);
    for (std::size_t i = 1; i < order.size(); ++i) CHECK(plans[order[i - 1]].seed <= plans[order[i]].seed);
    CHECK(interleaved(plans) == order);

    // The blocks of two seeds hold the same combinations in the same place of `plans`, but run in another order.
    const std::size_t block = order.size() / 3;
    std::vector<std::size_t> first, second;
    for (std::size_t i = 0; i < block; ++i) {
        first.push_back(order[i] / 3);
        second.push_back(order[block + i] / 3);
    }
    CHECK(first != second);
    CHECK_FALSE(std::is_sorted(first.begin(), first.end()));
}

TEST_CASE("steps by graphs are four streams by default, which read a copy and have no blocks to choose") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"hogwild"};
    axes.texts("device") = {"gpu"};
    axes.texts("gpu_steps") = {"teams", "graphs"};
    axes.texts("products") = {"float32", "tf32"};
    axes.counts("blocks") = {16, 32};
    axes.given = {"--blocks"};
    const std::vector<Plan> plans = product(axes, kSamples).plans;
    REQUIRE(plans.size() == 2 + 2); // teams of either size, graphs of either precision
    for (const Plan& plan : plans) {
        const bool graphs = plan.gpu.steps == "graphs";
        CHECK(plan.network.read == (graphs ? "copy" : "in-place"));
        CHECK(plan.gpu.streams == (graphs ? 4 : 1));
        CHECK(gpu_teams(plan) == (graphs ? 4 : plan.gpu.blocks / 8));
        CHECK(describe(plan).find(graphs ? "4 streams of graphs" : "1 stream of ") != std::string::npos);
        CHECK((describe(plan).find("products in " + plan.gpu.products) != std::string::npos) == graphs);
        CHECK(plan.step.size <= 0.4 / (2 * gpu_teams(plan)));
    }
    CHECK(plans[2].gpu.blocks == plans[3].gpu.blocks);
    axes.counts("streams") = {2};
    axes.given = {"--streams"};
    axes.texts("read") = {"in-place", "copy"};
    axes.texts("gpu_steps") = {"graphs"};
    axes.texts("products") = {"float32"};
    const Product asked = product(axes, kSamples);
    REQUIRE(asked.plans.size() == 1);
    CHECK(asked.plans[0].gpu.streams == 2);
    REQUIRE(asked.left_out.size() == 1);
    CHECK(asked.left_out[0].why.starts_with("cuBLAS reads a copy"));
}

TEST_CASE("how a GPU's workers step is an axis of networks under hogwild there, and of nothing else") {
    Axes axes;
    axes.texts("problem") = {"hinge", "network"};
    axes.texts("scheme") = {"serial", "hogwild", "minibatch"};
    axes.texts("device") = {"cpu", "gpu"};
    axes.texts("gpu_steps") = {"teams", "graphs"};
    axes.texts("products") = {"tf32"};
    const Product all = product(axes, kSamples);
    CHECK(all.left_out.empty());
    CHECK(all.plans.size() == 2 * (1 + 2 + 2) + 1);
    for (const Plan& plan : all.plans) CHECK((plan.gpu.products == "tf32") == steps_by_graphs(plan));
    axes.texts("gpu_steps") = {"streams"};
    CHECK_THROWS_WITH_AS(product(axes, kSamples),
                         "unknown gpu-steps 'streams' (known: teams, graphs); use one of these", Error);
}

TEST_CASE("of runs of one network no line names it, of several each does, by its name") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"serial"};
    axes.texts("network") = {
        "conv 6 5 relu; maxpool 2; conv 16 5 relu; maxpool 2; dense 120 relu; dense 84 relu; dense 3"};
    const auto ends_with_name = [](const std::vector<Plan>& plans) {
        const std::string network = network_of_all(plans);
        return std::ranges::all_of(plans,
                                   [&](const Plan& plan) { return describe(plan, network).ends_with(", lenet"); });
    };
    std::vector<Plan> plans = product(axes, kSamples).plans;
    CHECK(network_of_all(plans) == axes.texts("network")[0]);
    CHECK(describe(plans[0], network_of_all(plans)) + ", lenet" == describe(plans[0]));
    axes.texts("network").emplace_back("lenet"); // another text, and another run
    plans = product(axes, kSamples).plans;
    CHECK(plans.size() == 2);
    CHECK(ends_with_name(plans));
    plans[1].problem = "hinge";
    CHECK(network_of_all(plans).empty());
    CHECK(network_of_all({}).empty());
}

} // namespace
} // namespace hogwild
