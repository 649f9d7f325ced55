// What `hogwild run` takes where --hot-updates is not given. What auto itself chooses goes by a time: nothing here depends on that.
#include "engine/plan/plan.h"
#include "experiments/plans/hot_default.h"

#include "engine/data/load.h"
#include "engine/plan/meaning.h"
#include "experiments/plans/product.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/text/json.h"
#include "experiments/tune/arms.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/experiments/program.h"
#include "tests/experiments/sweep/sweeps.h"
#include "tests/random_graph.h"
#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Axes of_threads(const std::vector<std::uint64_t>& threads) {
    Axes axes;
    axes.counts("threads") = threads;
    return axes;
}

HotDefault taken(const Axes& axes) { return hot_default(axes, "", crowded().view()); }

/// The manifests of `folder`, by run.
std::map<std::string, Json> manifests(const fs::path& folder) {
    std::map<std::string, Json> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path file = entry.path() / "manifest.json";
        if (fs::exists(file)) found[entry.path().filename()] = json_of(text_of(file));
    }
    return found;
}

const std::vector<std::string> kTwo{"--scheme", "hogwild", "--threads", "2", "--oversubscribe"};

std::vector<std::string> two_and(const std::vector<std::string>& more) {
    std::vector<std::string> words = kTwo;
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// The one run of a manifest's or a report's command, into `folder`/again.
Json plan_again(std::vector<std::string> words, const fs::path& folder) {
    words.erase(words.begin());
    if (const auto output = std::ranges::find(words, "-o"); output != words.end()) words.erase(output, output + 2);
    words.insert(words.end(), {"-o", "again", "--no-plot"});
    const Finished done = call(words, folder);
    REQUIRE_MESSAGE(done.code == 0, done.error);
    const auto all = manifests(folder / "again");
    REQUIRE(all.size() == 1);
    return all.begin()->second.at("plan");
}

} // namespace

TEST_CASE("with several workers on sparse rows or ratings the default is auto, once any of them has a choice") {
    Axes of_ratings = of_threads({1, 4});
    of_ratings.texts("problem") = {"factorization"};
    CHECK(hot_default(of_ratings, "", random_ratings(200, 30, 20, {}, 1).view()).updates == "auto");
    for (const auto& threads : std::vector<std::vector<std::uint64_t>>{{2}, {1, 4}, {16, 1, 2}}) {
        CHECK(taken(of_threads(threads)).updates == "auto");
        CHECK(taken(of_threads(threads)).why.empty());
    }
    Axes axes = of_threads({4});
    axes.texts("update") = {"racy", "atomic", "cas-bounded"};
    axes.texts("scheme") = {"serial", "hogwild", "minibatch", "round-robin"};
    axes.texts("placement") = {"hottest"};
    CHECK(taken(axes).updates == "auto");
    axes.given = {"--hot-updates"};
    CHECK(taken(axes).updates.empty());
}

TEST_CASE("where no run has several threads on sparse rows or ratings it is direct, and nothing is said") {
    const auto silent = [](const HotDefault& without) {
        CHECK(without.updates == "direct");
        CHECK(without.why.empty());
        CHECK(lines_of(without, {}, {}).empty());
    };
    Axes axes = of_threads({1});
    axes.texts("guard") = {"none", "locked"};
    silent(taken(axes));
    axes = of_threads({4});
    axes.texts("scheme") = {"serial", "minibatch"};
    axes.texts("telemetry") = {"sampled"};
    silent(taken(axes));
    axes = of_threads({4});
    axes.texts("device") = {"gpu"};
    silent(taken(axes));
    const TestGraph graph = random_graph(200, 30, 2, 1);
    axes = of_threads({4});
    axes.texts("problem") = {"cut"};
    silent(hot_default(axes, "--checkpoint", graph.view()));
}

TEST_CASE(
    "where runs can have no replicas all are direct, and the option that it was is said, whether of some or of all") {
    const auto overridden = [](const Axes& axes, const std::string& by) {
        const HotDefault direct = taken(axes);
        CHECK(direct.updates == "direct");
        CHECK_MESSAGE((direct.why == "overridden by " + by || direct.why.starts_with("overridden by " + by + ": ")),
                      direct.why);
        CHECK(lines_of(direct, {}, {}) ==
              std::vector<std::string>{"--hot-updates direct of all runs (auto, the default, is " + direct.why + ")"});
    };
    struct Option {
        const char* axis;
        const char* usual;
        const char* other;
        const char* said;
    };
    for (const Option& option : std::vector<Option>{{"guard", "none", "locked", "--guard locked"},
                                                    {"memory", "host", "host-bf16", "--numbers bf16"},
                                                    {"numbers", "float32", "bf16", "--numbers bf16"},
                                                    {"device", "cpu", "both", "--device both"},
                                                    {"telemetry", "off", "sampled", "--telemetry sampled"},
                                                    {"update", "racy", "noop", "--update noop"},
                                                    {"placement", "hottest", "stored", "--placement stored"}}) {
        for (const auto& values : std::vector<std::vector<std::string>>{
                 {option.other}, {option.usual, option.other}, {option.other, option.usual}}) {
            Axes axes = of_threads({1, 4});
            axes.texts(option.axis) = values;
            overridden(axes, option.said);
        }
    }
    Axes axes = of_threads({4});
    axes.texts("device") = {"cpu", "gpu"};
    overridden(axes, "--device gpu");
    axes = of_threads({4});
    axes.counts("hot") = {0};
    overridden(axes, "--hot 0");
    const HotDefault parts = hot_default(of_threads({2}), "--resume", crowded().view());
    CHECK(parts.updates == "direct");
    CHECK(parts.why.starts_with("overridden by --resume: "));
}

TEST_CASE("one line says what auto made by default with several workers, and how to have increments in place") {
    // Sixteen lines' journeys of 100 ns between 2 workers take more than a step of 1 ns, and less than one of 1 s.
    const std::vector<float> touched(256, 0.2f);
    Axes axes = of_threads({1, 2, 4});
    axes.texts("hot_updates") = {"auto"};
    axes.counts("seed") = {1, 2};
    const HotDefault automatic{"auto", ""};
    const auto said = [&](double sample) {
        const HotChooser chooser(lines_of_columns(touched), sample, 100e-9);
        const Product all = product(axes, 1'000, {}, &chooser);
        const auto lines = lines_of(automatic, all.hot_reasons, all.plans);
        REQUIRE(lines.size() == 1);
        return lines[0];
    };
    CHECK(said(1e-9).starts_with("--hot-updates auto, by default: 2, 4 threads replicate the 256 hottest coordinates "
                                 "(in place a step of 1 ns would wait up to "));
    CHECK(said(1e-9).ends_with("; as in 2011: --hot-updates direct"));
    CHECK(said(1).starts_with("--hot-updates auto, by default: 2, 4 threads write all increments in place (in place "));
    CHECK_FALSE(holds(said(1), "2011"));
    CHECK(lines_of(HotDefault{}, {}, {}).empty());
}

TEST_CASE("a command that is stored names what auto made by default of all runs, and repeats these plans") {
    const std::vector<float> touched(256, 0.2f);
    const auto named_of = [&](const std::vector<std::uint64_t>& threads, double sample,
                              const std::vector<std::uint64_t>& hot = {}) {
        Axes axes = of_threads(threads);
        axes.counts("hot") = hot;
        axes.texts("hot_updates") = {"auto"};
        const HotChooser chooser(lines_of_columns(touched), sample, 100e-9);
        return named({"hogwild", "run"}, {"auto", ""}, axes, product(axes, 1'000, {}, &chooser).plans);
    };
    using Words = std::vector<std::string>;
    CHECK(named_of({1, 4}, 1) == Words{"hogwild", "run", "--hot-updates", "direct"});
    CHECK(named_of({2, 4}, 1e-9) == Words{"hogwild", "run", "--hot-updates", "replicated", "--hot", "256"});
    CHECK(named_of({2, 4}, 1e-9, {32, 64}) == Words{"hogwild", "run", "--hot-updates", "replicated"}); // --hot stands
    CHECK(named_of({1, 4}, 1e-9) == Words{"hogwild", "run"});                                          // two things
    CHECK(named({"hogwild"}, {"direct", "why"}, {}, {}) == Words{"hogwild"});
    CHECK(named({"hogwild"}, {}, {}, {}) == Words{"hogwild"});
}

TEST_CASE("the program chooses by default, says so, and its manifest's command gives the same plan by name") {
    const Scratch scratch;
    const Finished done = run_tiny(scratch.path, kTwo);
    REQUIRE_MESSAGE(done.code == 0, done.error);
    CHECK(holds(done.error, "\n--hot-updates auto, by default: "));
    const Json manifest = manifests(scratch.path / "out").begin()->second;
    const bool replicated = manifest.at("plan").value("hot_updates", "direct") == "replicated";
    CHECK(holds(text_of(scratch.path / "out" / "summary.csv"), replicated ? ",racy+replicated," : ",racy,"));
    CHECK(holds(done.error, manifest.at("hot_updates_auto").get<std::string>()));
    const std::vector<std::string> command = manifest.at("command");
    CHECK(std::ranges::find(command, "--hot-updates") != command.end());
    CHECK(plan_again(command, scratch.path) == manifest.at("plan"));
    for (const auto& [run, again] : manifests(scratch.path / "again")) {
        CHECK_FALSE(again.contains("hot_updates_auto"));
        CHECK(again.at("command").size() == command.size() + 1); // --no-plot, which it had, once more
    }
}

TEST_CASE("direct by name is direct, and so is a product that could not have replicas throughout, which it says") {
    const auto plans = [](const std::vector<std::string>& more, const std::string& by) {
        const Scratch scratch;
        const std::string said =
            by.empty() ? "" : "\n--hot-updates direct of all runs (auto, the default, is overridden by " + by;
        const Finished done = run_tiny(scratch.path, two_and(more));
        CHECK_MESSAGE(done.code == 0, done.error);
        CHECK(holds(done.error, "--hot-updates") == !said.empty());
        CHECK_MESSAGE(holds(done.error, said), done.error);
        std::size_t reasons = 0;
        for (const auto& [run, manifest] : manifests(scratch.path / "out")) {
            CHECK_FALSE(manifest.at("plan").contains("hot_updates"));
            reasons += manifest.contains("hot_updates_auto");
        }
        return reasons;
    };
    CHECK(plans({"--hot-updates", "direct"}, "") == 0);
    CHECK(plans({"--guard", "locked"}, "--guard locked: ") == 0);
    CHECK(plans({"--guard", "none,locked"}, "--guard locked: ") == 1);
    CHECK(plans({"--hot", "0"}, "--hot 0)\n") == 0);
    CHECK(plans({"--checkpoint", "every", "1s"}, "--checkpoint: ") == 1);
}

TEST_CASE("the settings that tuning names leave nothing to a default that measures") {
    Axes axes;
    axes.cores = 4;
    axes.counts("epochs") = {3};
    const Dataset data = load("synthetic:rows=2000,features=60,nonzeros=6", {});
    std::size_t direct = 0;
    for (const Plan& plan : arms(axes, data).plans) {
        const std::vector<Setting> settings = settings_of(plan, {}, data);
        CHECK(hot_default(options_of(settings).axes, "", data.view()).updates != "auto");
        direct += has_hot_choice(plan) && plan.hot.updates == "direct";
    }
    CHECK(direct > 0);
}

TEST_CASE("a sweep's runs are direct unless it says otherwise, and the command of each gives its plan by name") {
    const SpecFile spec(R"(
[run]
data = "synthetic:rows=300,features=40,nonzeros=5"
no-cache = true
oversubscribe = true
epochs = 1
scheme = "hogwild"
threads = 2
[seeds]
final = "1"
)");
    REQUIRE(spec.run().code == 0);
    const Json manifest = manifests(spec.out()).begin()->second;
    CHECK_FALSE(manifest.at("plan").contains("hot_updates"));
    CHECK_FALSE(manifest.contains("hot_updates_auto"));
    const std::vector<std::string> command = manifest.at("command");
    const auto updates = std::ranges::find(command, "--hot-updates");
    REQUIRE(updates != command.end());
    CHECK(updates[1] == "direct");
    const Scratch scratch;
    CHECK(plan_again(command, scratch.path) == manifest.at("plan"));
}
