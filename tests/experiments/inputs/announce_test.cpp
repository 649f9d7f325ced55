#include "experiments/inputs/announce.h"

#include "experiments/plans/product.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hogwild {
namespace {

constexpr std::uint64_t kRows = 270;

/// The options that are said to have no effect.
std::multiset<std::string> idle(const Axes& axes) {
    std::multiset<std::string> options;
    for (const std::string& line : idle_lines(axes, product(axes, kRows).plans)) {
        const std::string begin = "note: ", end = " has no effect";
        REQUIRE(line.rfind(begin, 0) == 0);
        REQUIRE(line.find(end) != std::string::npos);
        options.insert(line.substr(begin.size(), line.find(end) - begin.size()));
    }
    return options;
}

/// A product of one scheme and one schedule that names every option.
Axes all_given(const std::string& scheme, const std::string& step) {
    Axes axes;
    axes.texts("scheme") = {scheme};
    axes.texts("step") = {step};
    axes.given = {"--threads", "--update",  "--guard",     "--batch",     "--exchange",
                  "--decay",   "--plateau", "--half-life", "--cas-limit", "--telemetry"};
    return axes;
}

using Names = std::multiset<std::string>;

TEST_CASE("every option that was given and that no run uses is said") {
    CHECK(idle(all_given("serial", "constant")) == Names{"--threads", "--update", "--guard", "--batch", "--exchange",
                                                         "--decay", "--half-life", "--plateau", "--cas-limit"});
    CHECK(idle(all_given("hogwild", "decay")) ==
          Names{"--batch", "--exchange", "--half-life", "--plateau", "--cas-limit"});
    CHECK(idle(all_given("conflict-free", "decay")) == Names{"--update", "--guard", "--batch", "--exchange",
                                                             "--telemetry", "--half-life", "--plateau", "--cas-limit"});
    CHECK(idle(all_given("minibatch", "inverse-time")) ==
          Names{"--update", "--guard", "--exchange", "--telemetry", "--decay", "--plateau", "--cas-limit"});
    CHECK(idle(all_given("local-sgd", "backoff")) ==
          Names{"--update", "--guard", "--batch", "--telemetry", "--half-life", "--cas-limit"});
}

TEST_CASE("defaults of runs on a GPU are said for each device, and only those that were taken") {
    Axes axes;
    axes.texts("scheme") = {"hogwild"};
    axes.texts("device") = {"cpu", "gpu", "both"};
    axes.cores = 16;
    const auto lines = default_lines(axes, product(axes, kRows).plans);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].starts_with("defaults of hinge hogwild: --step "));
    CHECK(lines[1].starts_with("defaults of hinge hogwild on gpu: --update atomic --memory device --streams 4 --blocks "
                               "66 --hot 64 --placement hot-first "));
    CHECK(lines[2].find("on both: --threads 10 --update atomic --memory replica ") != std::string::npos);

    axes.texts("device") = {"gpu"};
    axes.texts("update") = {"racy"};
    axes.texts("memory") = {"device"};
    axes.given = {"--streams", "--blocks"};
    CHECK(default_lines(axes, product(axes, kRows).plans)[0].starts_with(
        "defaults of hinge hogwild on gpu: --hot 0 --placement scattered --step "));
}

TEST_CASE("defaults of steps by graphs name the copy that they read, and no blocks; options that only they or teams "
          "have are said") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"hogwild"};
    axes.texts("device") = {"gpu"};
    axes.texts("gpu_steps") = {"graphs"};
    axes.given = {"--gpu-steps", "--products", "--blocks"};
    const auto lines = default_lines(axes, product(axes, kRows).plans);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].starts_with(
        "defaults of network hogwild on gpu: --update atomic --memory device --streams 4 --read copy --hot 0 "));
    CHECK(idle(axes) == Names{"--blocks"});
    axes.texts("gpu_steps") = {"teams"};
    CHECK(idle(axes) == Names{"--products"});
    axes.texts("device") = {"cpu"};
    CHECK(idle(axes) == Names{"--blocks", "--gpu-steps", "--products"});
}

TEST_CASE("defaults of a GPU's replicas name no policy and no memory, which they have no choice of") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"async-local-sgd"};
    axes.texts("device") = {"gpu"};
    axes.given = {"--update", "--memory", "--streams", "--exchange", "--gpu-steps"};
    CHECK(idle(axes) == Names{"--memory", "--gpu-steps", "--update"});
    axes.given = {};
    const auto lines = default_lines(axes, product(axes, kRows).plans);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].starts_with("defaults of network async-local-sgd on gpu: --streams 1 --blocks 32 --step linear "));
    CHECK(lines[0].find(" --exchange 128 ") != std::string::npos);
}

TEST_CASE("what only other problems or schemes have is said of each option by name") {
    Axes axes;
    axes.texts("scheme") = {"serial"};
    axes.texts("hot_updates") = {"replicated"};
    axes.given = {"--hot-updates", "--gpu-steps", "--products", "--batch-rule", "--network", "--read", "--rank"};
    CHECK(idle(axes) ==
          Names{"--gpu-steps", "--products", "--hot-updates", "--batch-rule", "--network", "--read", "--rank"});
    axes.texts("problem") = {"hinge", "factorization"};
    axes.texts("hot_updates") = {"direct"};
    axes.given = {"--rank", "--dim"};
    CHECK(idle(axes) == Names{"--dim"});
    axes.texts("problem") = {"network"};
    axes.given = {"--network", "--read"};
    CHECK(idle(axes).empty());
    axes.texts("scheme") = {"minibatch"};
    CHECK(idle(axes) == Names{"--read"});
    for (const std::string scheme : {"hogwild++", "replicated", "local-sgd", "async-local-sgd", "svrg", "saga"}) {
        Axes other;
        other.texts("problem") = {"logistic"};
        other.texts("scheme") = {scheme};
        other.given = {"--update", "--guard", "--hot-updates"};
        CHECK(idle(other) == Names{"--hot-updates", "--update", "--guard"});
    }
}

TEST_CASE("no hot coordinates are what all runs have that know none: --hot 0 is no option without effect") {
    Axes axes;
    axes.texts("scheme") = {"serial", "hogwild"};
    axes.given = {"--hot"};
    axes.counts("hot") = {0};
    CHECK(idle(axes).empty());
    axes.counts("hot") = {64};
    CHECK(idle(axes) == Names{"--hot"});
}

TEST_CASE("one run that uses an option is enough, and nothing is said of what was not given") {
    Axes axes = all_given("serial", "constant");
    axes.texts("scheme") = {"serial", "hogwild", "minibatch", "local-sgd"};
    axes.texts("step") = {"constant", "inverse-time", "backoff"};
    axes.texts("update") = {"racy", "cas-bounded"};
    CHECK(idle(axes).empty());
    axes = all_given("serial", "constant");
    axes.given.clear();
    CHECK(idle(axes).empty());
}

TEST_CASE("a limit of tries means nothing where a guard takes the choice of update away") {
    Axes axes = all_given("hogwild", "decay");
    axes.texts("update") = {"cas-bounded"};
    axes.given = {"--cas-limit", "--update"};
    CHECK(idle(axes).empty());
    axes.texts("guard") = {"locked"};
    CHECK(idle(axes) == Names{"--update", "--cas-limit"});
}

TEST_CASE("a warm-up that outlasts the run is said, once for each length of either") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"serial", "hogwild"};
    axes.counts("epochs") = {1, 5};
    axes.reals("warm_up") = {{1, false}, {2, false}, {7, false}};
    const std::vector<std::string> said = long_warm_up_lines(product(axes, kRows).plans);
    REQUIRE(said.size() == 3); // 2 of 1, 7 of 1, 7 of 5
    CHECK(said[0].starts_with("note: a warm-up of 2 epochs outlasts a run of 1 "));
    axes.reals("warm_up") = {};
    CHECK(long_warm_up_lines(product(axes, kRows).plans).empty());
}

TEST_CASE("a network's defaults name its warm-up, and that a schedule which was named has none") {
    Axes axes;
    axes.texts("problem") = {"network"};
    CHECK(default_lines(axes, product(axes, kRows).plans)[0].find(" --warm-up 0.2 ") != std::string::npos);
    axes.texts("step") = {"linear"};
    CHECK(default_lines(axes, product(axes, kRows).plans)[0].find(" --warm-up 0 ") != std::string::npos);
}

TEST_CASE("a warm-up that a run takes by default is named") {
    for (const std::string problem : {"hinge", "logistic", "squared"}) {
        Axes axes;
        axes.texts("problem") = {problem};
        const std::vector<Plan> plans = product(axes, kRows).plans;
        CHECK((default_lines(axes, plans)[0].find(" --warm-up ") != std::string::npos) == (plans[0].step.warm_up > 0));
    }
}

TEST_CASE("a network's defaults name where an optimiser's state is and its shares, and a replica's coupling") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"hogwild", "async-local-sgd"};
    axes.texts("optimizer") = {"sgd", "momentum", "adam"};
    const auto lines = default_lines(axes, product(axes, kRows).plans);
    REQUIRE(lines.size() == 6);
    const auto names = [&](std::size_t line, const std::string& words) {
        return lines[line].find(words) != std::string::npos;
    };
    CHECK(!names(0, " --state "));
    CHECK(!names(0, " --beta1 "));
    CHECK(!names(0, " --coupling "));
    CHECK(names(1, " --state shared --beta1 0.9 --epochs "));
    CHECK(names(2, " --state shared --beta1 0.9 --beta2 0.999 "));
    CHECK(names(3, " --coupling 2 "));
    CHECK(!names(4, " --state ")); // each replica has its own
    axes.texts("scheme") = {"hogwild"};
    axes.texts("optimizer") = {"adam"};
    axes.texts("state") = {"per-worker"};
    axes.reals("beta1") = {0.5};
    axes.given = {"--state", "--beta1"};
    const std::string given = default_lines(axes, product(axes, kRows).plans)[0];
    CHECK(given.find(" --state ") == std::string::npos);
    CHECK(given.find(" --beta1 ") == std::string::npos);
}

TEST_CASE("a state for each of one device is the shared one: one run, which is said") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"hogwild"};
    axes.texts("optimizer") = {"adam"};
    axes.texts("state") = {"shared", "per-device"};
    axes.given = {"--state"};
    const auto said = [&] { return idle_lines(axes, product(axes, kRows).plans); };
    CHECK(product(axes, kRows).plans.size() == 1);
    CHECK(said() ==
          std::vector<std::string>{"note: --state per-device is shared in all of these runs (they have one device)"});
    axes.texts("device") = {"both"};
    CHECK(said().empty());
    axes.texts("device") = {"cpu"};
    axes.texts("state") = {"shared", "per-worker"};
    CHECK(said().empty());
    axes.texts("state") = {"per-device"};
    axes.texts("optimizer") = {"sgd"};
    CHECK(idle(axes) == Names{"--state"}); // nothing else is said of it
}

TEST_CASE("no step of a network is stale where its locks are held from its read on: a rule for such has no effect") {
    Axes axes;
    axes.texts("problem") = {"network"};
    axes.texts("scheme") = {"hogwild"};
    axes.texts("staleness_rule") = {"drop"};
    axes.given = {"--staleness-rule"};
    for (const std::string guard : {"none", "locked", "global-lock", "locked-read"}) {
        axes.texts("guard") = {guard};
        CHECK(idle(axes) == (guard == "locked-read" ? Names{"--staleness-rule"} : Names{}));
    }
}

TEST_CASE("a batch that holds all samples is said once, a smaller one is not") {
    Axes axes;
    axes.texts("scheme") = {"serial", "minibatch"};
    axes.counts("batch") = {16, kRows - 1, kRows, 10'000};
    axes.counts("seed") = {1, 2};
    const std::vector<std::string> said = whole_batch_lines(product(axes, kRows).plans, kRows);
    REQUIRE(said.size() == 2);
    CHECK(said[0].find("a batch of 270 holds all 270 samples") != std::string::npos);
    CHECK(said[1].find("a batch of 10,000 holds all 270 samples") != std::string::npos);
}

} // namespace
} // namespace hogwild
