// hogwild tune and --scheme auto, by the built program on a tiny problem.
#include "engine/data/load.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "experiments/plans/product.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/text/json.h"
#include "experiments/tune/arms.h"
#include "experiments/tune/tune.h"
#include "tests/experiments/sweep/sweeps.h"

#include <algorithm>
#include <map>
#include <set>

using namespace hogwild;

namespace {

/// Samples and a target that every scheme reaches, within seconds on a busy machine.
const std::vector<std::string> kSmall{"--data",       "synthetic:rows=2000,features=60,nonzeros=6",
                                      "--no-cache",   "--l2",
                                      "1e-2",         "--threads",
                                      "1,2",          "--oversubscribe",
                                      "--target",     "gap:0.2",
                                      "--step-scale", "0.333,1",
                                      "--budget",     "2s"};

Finished tuned(std::vector<std::string> words, const Scratch& scratch) {
    words.insert(words.end(), kSmall.begin(), kSmall.end());
    return call(words, scratch.path);
}

Dataset tiny() { return load(kSmall[1], {}); }

std::uint64_t seedless(Plan plan) {
    plan.seed = 0;
    return hash(plan);
}

} // namespace

TEST_CASE("tuning says what is best, why, and how to run it; its trials lie in a folder of runs") {
    const Scratch scratch;
    const Finished done = tuned({"tune", "-o", "out"}, scratch);
    CHECK_MESSAGE(done.code == 0, done.error);
    for (const char* word :
         {"candidates in ", "a budget of 2 s", "target gap:0.2", "time to target", "\nbest: hinge ", "\nagain: "})
        CHECK_MESSAGE(done.out.find(word) != std::string::npos, word, " is not in ", done.out);
    CHECK(done.out.find("\nagain: " + program() + " run --data ") != std::string::npos);
    const auto trials = columns(scratch.path / "out" / "summary.csv", {"run", "epochs", "target"});
    CHECK(trials.size() > 1);
    for (const auto& trial : trials) CHECK(std::filesystem::exists(scratch.path / "out" / trial[0] / "manifest.json"));
}

TEST_CASE("as JSON the winner's time is updates over rate, and its command gives its plan") {
    const Scratch scratch;
    const Finished done = tuned({"tune", "--json", "--quiet", "-o", "out"}, scratch);
    REQUIRE_MESSAGE(done.code == 0, done.error);
    const Json found = json_of(done.out);
    const Json& best = found.at("finalists").at(0);
    CHECK(best.at("seconds_to_target").get<double>() > 0);
    const Json& serial = found.at("serial");
    const Json& lengths = found.at("final").at("epochs");
    for (const Json& each : found.at("finalists")) {
        CHECK(each.at("runs") == found.at("final").at("seeds"));
        const bool known = std::ranges::count(lengths, each.at("plan").at("epochs")) == 1;
        CHECK((known || each.at("reached") == 0)); // who missed the target has the most that a trial has
    }
    CHECK(std::ranges::count(found.at("finalists"), serial) == 1);
    CHECK(found.at("candidates").get<int>() > 20);
    CHECK(std::ranges::any_of(found.at("rungs"), [](const Json& rung) { return rung.at("neighbours") == true; }));
    CHECK(found.at("serial_step").is_null() == serial.is_null());
    std::size_t finals = 0;
    for (const auto& each : std::filesystem::directory_iterator(scratch.path / "out"))
        if (each.is_directory())
            finals += json_of(text_of(each.path() / "manifest.json")).value("finals", false) ? 1 : 0;
    CHECK(finals == found.at("final").at("runs"));
    if (!serial.is_null()) { // what a comparison of the folder is of
        CHECK(call({"compare", "out", "--csv", "verdicts.csv"}, scratch.path).code == 0);
        CHECK(columns(scratch.path / "verdicts.csv", {"verdict"}).size() + 1 == found.at("finalists").size());
    }
    std::vector<std::string> words = found.at("command");
    words.erase(words.begin());
    words.insert(words.end(), {"-o", "again", "--no-plot"});
    const int again = call(words, scratch.path).code;
    CHECK((again == 0 || again == 4)); // of another seed
    for (const auto& each : std::filesystem::directory_iterator(scratch.path / "again")) {
        if (!each.is_directory()) continue;
        Json plan = json_of(text_of(each.path() / "manifest.json")).at("plan");
        plan["seed"] = best.at("plan").at("seed");
        CHECK(plan == best.at("plan"));
    }
}

TEST_CASE("more threads than there are cores are capped, and that is said") {
    const Scratch scratch;
    const Finished done = call({"tune", "--data", kSmall[1], "--no-cache", "--l2", "1e-2", "--threads", "4096",
                                "--target", "gap:0.2", "--budget", "1s"},
                               scratch.path);
    CHECK_MESSAGE(done.code == 0, done.error);
    CHECK(done.error.find("warning: --threads capped at ") != std::string::npos);
}

TEST_CASE("a run of scheme auto runs what was found, and says so in its manifest") {
    const Scratch scratch;
    const Finished done = tuned({"run", "--scheme", "auto", "--seed", "1,2", "-o", "out", "--no-plot"}, scratch);
    CHECK_MESSAGE((done.code == 0 || done.code == 4), done.error);
    CHECK(done.error.find("auto: hinge ") != std::string::npos);
    std::set<std::string> schemes;
    std::size_t runs = 0;
    for (const auto& each : std::filesystem::directory_iterator(scratch.path / "out")) {
        if (!each.is_directory()) continue;
        const Json manifest = json_of(text_of(each.path() / "manifest.json"));
        CHECK(manifest.at("tuned").at("budget_seconds") == 2);
        CHECK(manifest.at("tuned").at("command").size() > 6);
        const Json& serial = manifest.at("tuned").at("serial");
        const bool is_serial = manifest.at("plan").at("scheme") == "serial";
        if (!serial.is_null() && manifest.at("tuned").at("seeds") > 0) {
            const char* why = is_serial ? "serial code" : " times as fast as serial = ";
            CHECK(done.error.find(why) != std::string::npos);
            if (!is_serial) CHECK(serial.at("seconds_to_target") >= manifest.at("tuned").at("seconds_to_target"));
        }
        schemes.insert(manifest.at("plan").at("scheme"));
        ++runs;
    }
    CHECK(runs == 2);
    CHECK(schemes.size() == 1);
    CHECK_FALSE(schemes.contains("auto"));
}

TEST_CASE("where no candidate reaches the target, a run of scheme auto says so before it runs the best") {
    const Scratch scratch;
    const std::vector<std::string> words{"run",      "--scheme", "auto",     "--no-plot", "--data",   kSmall[1],
                                         "--target", "gap:1e-9", "--epochs", "1",         "--budget", "1s"};
    const Finished done = call(words, scratch.path);
    CHECK(done.code == 4);
    CHECK(
        done.error.find(
            "counts\nno candidate reached the target in most of its last runs, so these are the defaults; try a longer "
            "--budget, more --epochs") != std::string::npos);
}

TEST_CASE("a budget that is spent before anything was measured is too short, and nobody interrupted") {
    const Scratch scratch;
    for (const std::vector<std::string>& words : {std::vector<std::string>{"tune"}, {"run", "--scheme", "auto"}}) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"--data", kSmall[1], "--no-cache", "--l2", "1e-2", "--budget", "1e-6ms"});
        const Finished done = call(all, scratch.path);
        CHECK(done.code == 2);
        CHECK(done.error.find("--budget 1 ns is too short (runs that say how long epochs take spent ") !=
              std::string::npos);
        CHECK(done.error.find("; leave it out, or give it ") != std::string::npos);
        CHECK(done.error.find("interrupted") == std::string::npos);
    }
    for (const auto& each : std::filesystem::recursive_directory_iterator(scratch.path))
        CHECK(each.path().filename() != "summary.csv"); // nothing is left of it
}

TEST_CASE("what tune names in its help it takes: auto is of runs") {
    const std::string of_tune = call({"tune", "--help"}).out, of_run = call({"run", "--help"}).out;
    CHECK(of_run.find("|auto") != std::string::npos);
    CHECK(of_tune.find("|auto") == std::string::npos);
    CHECK(of_tune.find("auto:") == std::string::npos);
    for (const char* scheme : {"serial|", "local-sgd", "direct|delayed"})
        CHECK(of_tune.find(scheme) != std::string::npos);
}

TEST_CASE("what cannot be tuned is refused with what to try") {
    const Scratch scratch;
    const auto refusal = [&](const std::vector<std::string>& words) {
        const Finished done = tuned(words, scratch);
        CHECK(done.code == 2);
        return done.error;
    };
    CHECK(refusal({"tune", "--problem", "hinge,logistic"}).find("tune each by itself") != std::string::npos);
    CHECK(refusal({"tune", "--scheme", "auto"}).find("unknown scheme 'auto'") != std::string::npos);
    CHECK(refusal({"run", "--scheme", "serial"}).find("--budget cannot go without --scheme auto") != std::string::npos);
    CHECK(refusal({"run", "--scheme", "auto,serial"}).find("--scheme auto cannot go with other schemes") !=
          std::string::npos);
    CHECK(refusal({"run", "--scheme", "auto", "--resume", "-o", "out"}).find("hogwild tune, then") !=
          std::string::npos);
    CHECK(refusal({"tune", "--device", "gpu"}).find("--device") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch.path / "hogwild-out"));
}

TEST_CASE("what is not given is searched, what is given is fixed, and every scheme has its turn") {
    Axes axes;
    axes.cores = 4;
    const Dataset data = tiny();
    const std::vector<Plan> all = arms(axes, data).plans;
    std::set<std::string> first{"serial direct"}, schemes;
    bool first_turn = true;
    std::set<unsigned> threads, clusters;
    std::set<std::uint64_t> plans;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string kind = all[i].scheme + " " + all[i].hot.updates;
        schemes.insert(kind);
        if (kind != "serial direct") first_turn = first_turn && first.insert(kind).second;
        clusters.insert(all[i].exchange.cluster);
        threads.insert(all[i].threads);
        CHECK(plans.insert(seedless(all[i])).second);
    }
    CHECK(first == schemes);
    CHECK(all.front().scheme == "serial");
    CHECK(schemes.contains("serial direct"));
    CHECK(schemes.contains("hogwild direct"));
    CHECK(schemes.contains("hogwild replicated"));
    for (const unsigned each : threads) CHECK(clusters.contains(each)); // a model for each worker, and one for all
    CHECK(threads == std::set<unsigned>{1, 2, 4});
    axes.texts("scheme") = {"hogwild"};
    axes.counts("threads") = {2};
    axes.texts("update") = {"atomic"};
    axes.texts("hot_updates") = {"delayed"};
    axes.given = {"--scheme", "--threads", "--update", "--hot-updates"};
    for (const Plan& plan : arms(axes, data).plans) {
        CHECK(plan.hot.updates == "delayed");
        CHECK(plan.scheme == "hogwild");
        CHECK(plan.threads == 2);
        CHECK(plan.update == "atomic");
    }
}

TEST_CASE("the settings of a plan give that plan, whatever scheme it is of") {
    Axes axes;
    axes.cores = 2;
    axes.reals("l2") = {1e-3};
    axes.counts("epochs") = {7};
    axes.texts("step") = {"inverse-time"};
    const Dataset data = tiny();
    for (const Plan& plan : arms(axes, data).plans) {
        const std::vector<Setting> settings = settings_of(plan, {{"data", kSmall[1]}, {"threads", "1,2"}}, data);
        const Product made = product(options_of(settings).axes, data.view().rows(), sample_scale(data.view()));
        REQUIRE(made.plans.size() == 1);
        CHECK(seedless(made.plans[0]) == seedless(plan));
        for (const char* named : {"step", "step-size", "epochs"})
            CHECK(std::ranges::count(settings, named, &Setting::option) >= 1);
    }
}

TEST_CASE("the settings of a network's plan give that plan, whatever its schedule") {
    Axes axes;
    axes.cores = 2;
    axes.texts("problem") = {"network"};
    LoadOptions images;
    images.samples = ImagesView::kSamples;
    const Dataset data = load("synthetic:images/100", images);
    for (const char* step : {"", "linear", "constant"}) {
        if (*step != '\0') axes.texts("step") = {step};
        const std::vector<Plan> plans = arms(axes, data).plans;
        for (std::size_t i = 0; i < std::min<std::size_t>(plans.size(), 20); ++i) {
            CAPTURE(describe(plans[i]));
            const auto settings = settings_of(plans[i], {{"data", "synthetic:images/100"}}, data);
            const Product made = product(options_of(settings).axes, data.view().rows(), sample_scale(data.view()));
            REQUIRE(made.plans.size() == 1);
            CHECK(seedless(made.plans[0]) == seedless(plans[i]));
        }
    }
}

TEST_CASE("the command that is printed does what was tuned: of serial code of a network, to the same step") {
    const Scratch scratch;
    const auto of = [&](std::vector<std::string> words, const std::string& folder) {
        words.insert(words.end(), {"-o", folder});
        const Finished done = call(words, scratch.path);
        REQUIRE_MESSAGE(done.code == 0, done.error);
        return done;
    };
    const Json found = json_of(of({"tune", "--problem", "network", "--network", "dense 16 relu; dense 10", "--data",
                                   "synthetic:tiny", "--scheme", "serial", "--batch", "4,16", "--step-scale", "1,2",
                                   "--target", "test_error:0.5", "--budget", "20s", "--json", "--quiet"},
                                  "out")
                                   .out);
    const Json& best = found.at("finalists").at(0).at("plan");
    std::map<std::string, std::string> updates; // to the target, by seed, of the winner's runs, the shorter ones too
    for (const auto& trial :
         columns(scratch.path / "out" / "summary.csv", {"seed", "updates_to_target", "batch", "step_size"})) {
        const bool winner = std::stoul(trial[2]) == best.at("batch") && std::stod(trial[3]) == best.at("step_size");
        if (winner && trial[1] != "") updates[trial[0]] = trial[1];
    }
    REQUIRE(updates.size() >= 3);
    std::string seeds;
    for (const auto& [seed, reached] : updates) seeds += (seeds.empty() ? "" : ",") + seed;
    std::vector<std::string> words = found.at("command");
    words.erase(words.begin());
    words.insert(words.end(), {"--seed", seeds, "--no-plot"});
    of(words, "again");
    const auto again = columns(scratch.path / "again" / "summary.csv", {"seed", "updates_to_target"});
    CHECK(again.size() == updates.size());
    for (const auto& run : again) CHECK(updates.at(run[0]) == run[1]);
}
