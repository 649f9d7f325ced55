#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "experiments/folder/result.h"
#include "experiments/table/final_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace hogwild {
namespace {

Result timed(const std::string& scheme, unsigned threads, std::uint64_t seed, double seconds) {
    Result result;
    result.plan.scheme = scheme;
    result.plan.threads = threads;
    result.plan.seed = seed;
    result.rows = 1'000'000;
    result.outcome.seconds = seconds;
    result.outcome.updates = 1'000'000;
    result.outcome.observations = {{.train_loss = 0.25}};
    return result;
}

Result reached(Result result, double seconds) {
    result.target = 0.3;
    result.to_target = {.reached = std::isfinite(seconds), .seconds = seconds};
    return result;
}

/// The lines after the title and its rule, without the footnotes.
std::vector<std::string> rows(const std::vector<Result>& results) {
    std::istringstream text(report(results));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    REQUIRE(lines.size() >= 3);
    const auto end = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("speed-up:"); });
    return {lines.begin() + 2, end};
}

bool says(const std::vector<Result>& results, const std::string& words) {
    return report(results).find(words) != std::string::npos;
}

std::string last_word(const std::string& line) { return line.substr(line.find_last_of(' ') + 1); }

TEST_CASE("the median counts forever and ignores what was not measured") {
    constexpr double kForever = std::numeric_limits<double>::infinity();
    CHECK(median({3, 1, 2}) == 2);
    CHECK(median({1, 2, 3, 4}) == 2.5);
    CHECK(median({1, kForever, kForever}) == kForever);
    CHECK(median({1, 2, kForever}) == 2);
    CHECK(median({kForever, kForever}) == kForever);
    CHECK(median({kNone, 5}) == 5);
    CHECK(median({}) != median({}));
}

TEST_CASE("runs that differ in their seed alone are one row") {
    const auto table = rows(
        {timed("hogwild", 2, 1, 1), timed("hogwild", 2, 2, 3), timed("hogwild", 2, 3, 2), timed("hogwild", 4, 1, 1)});
    REQUIRE(table.size() == 2);
    CHECK(table[0].find("2 [1 .. 3] s") != std::string::npos);
}

TEST_CASE("a cut is shown to its last digit, with the range over seeds; an error is rounded") {
    std::vector<Result> results;
    for (const double cut : {29'542.0, 1'029'543.0, 29'541.0}) {
        results.push_back(timed("serial", 1, results.size() + 1, 1));
        results.back().plan.problem = "cut";
        results.back().outcome.observations.back().scores[0] = cut;
    }
    CHECK(says(results, " 29,542 [29,541 .. 1,029,543] "));
    Result ratings = timed("serial", 1, 1, 1);
    ratings.plan.problem = "factorization";
    ratings.outcome.observations.back().scores[0] = 0.941512;
    CHECK(says({ratings}, " 0.9415 "));
}

TEST_CASE("without a target the speed-up is the ratio of updates per second to the best serial row") {
    Result slow = timed("serial", 1, 1, 4);
    slow.plan.order = "stored";
    const auto table = rows({slow, timed("serial", 1, 1, 2), timed("hogwild", 2, 1, 1)});
    REQUIRE(table.size() == 3);
    CHECK(last_word(table[0]) == "0.50");
    CHECK(last_word(table[1]) == "1.00");
    CHECK(last_word(table[2]) == "2.00");
}

TEST_CASE("with a target the speed-up is the ratio of times to it") {
    const auto table = rows({reached(timed("serial", 1, 1, 1), 0.9), reached(timed("hogwild", 2, 1, 10), 0.3)});
    REQUIRE(table.size() == 2);
    CHECK(last_word(table[1]) == "3.00");
}

Result batched(const std::string& scheme, std::uint32_t batch, double seconds) {
    Result result = timed(scheme, scheme == "serial" ? 1 : 2, 1, seconds);
    result.plan.problem = "network";
    result.plan.batch.size = batch;
    return result;
}

TEST_CASE("updates per second of a network are compared with those of the serial row of the same batch") {
    const std::vector<Result> both{batched("serial", 16, 4), batched("serial", 64, 2), batched("hogwild", 16, 2),
                                   batched("hogwild", 64, 2)};
    const auto table = rows(both);
    const char* ratios[] = {"1.00", "1.00", "2.00", "1.00"};
    for (std::size_t i = 0; i < both.size(); ++i) CHECK(last_word(table.at(i)) == ratios[i]);
    CHECK(says(both, "against the best serial row of the same batch, a ratio of medians\n"));

    std::vector<Result> lone = both;
    lone.push_back(batched("hogwild", 1, 4)); // has no serial row of its own
    CHECK(last_word(rows(lone).at(4)) == "0.50");
    CHECK(says(
        lone,
        "against the best serial row of the same batch, or of batch 64 where there is none, a ratio of medians\n"));
}

TEST_CASE("times to a target are compared with those of the best serial row, whatever its batch") {
    const std::vector<Result> results{reached(batched("serial", 16, 9), 4), reached(batched("serial", 64, 9), 2),
                                      reached(batched("hogwild", 16, 9), 2)};
    const auto table = rows(results);
    const char* ratios[] = {"0.50", "1.00", "1.00"};
    for (std::size_t i = 0; i < results.size(); ++i) CHECK(last_word(table.at(i)) == ratios[i]);
    CHECK(says(results, "speed-up: time to target against the best serial row, a ratio of medians\n"));
}

TEST_CASE("rows of one batch, and serial code that knows none, are compared with the best serial row alone") {
    Result margins = timed("minibatch", 2, 1, 1), larger = margins;
    larger.plan.batch.size = 2 * margins.plan.batch.size;
    for (const auto& results : {std::vector{batched("serial", 16, 4), batched("hogwild", 16, 2)},
                                {timed("serial", 1, 1, 1), margins, larger}})
        CHECK(says(results, "against the best serial row, a ratio of medians\n"));
}

TEST_CASE("there is no speed-up over a serial row that minimises another function") {
    for (const auto change : {+[](Plan& plan) { plan.l2 = 1e-3; }, +[](Plan& plan) { plan.l1 = 1e-3; }}) {
        Result other = timed("hogwild", 2, 1, 1);
        change(other.plan);
        const auto table = rows({timed("serial", 1, 1, 2), other});
        REQUIRE(table.size() == 2);
        CHECK(last_word(table[0]) == "1.00");
        CHECK(last_word(table[1]) == "-");
    }
}

TEST_CASE("a missed target counts as one that takes forever") {
    const auto table = rows({reached(timed("serial", 1, 1, 1), 1), reached(timed("serial", 1, 2, 1), 1),
                             reached(timed("serial", 1, 3, 1), 1), reached(timed("hogwild", 2, 1, 1), 0.1),
                             reached(timed("hogwild", 2, 2, 1), kNone), reached(timed("hogwild", 2, 3, 1), kNone)});
    REQUIRE(table.size() == 2);
    CHECK(table[1].find("missed 2/3") != std::string::npos);
    CHECK(last_word(table[1]) == "-");
}

TEST_CASE("a diverged run says so and has no speed-up") {
    Result broken = timed("hogwild", 2, 1, 1);
    broken.outcome.status = "diverged";
    const auto table = rows({timed("serial", 1, 1, 1), broken});
    CHECK(table[1].find("diverged") != std::string::npos);
    CHECK(last_word(table[1]) == "-");

    Result fine = timed("hogwild", 2, 2, 1);
    CHECK(rows({broken, fine})[0].find("1/2 diverged") != std::string::npos);
}

TEST_CASE("a speed-up without a serial row says what is missing") {
    CHECK(says({timed("hogwild", 2, 1, 1)}, "serial, which was not run"));
    CHECK(!says({timed("hogwild", 2, 1, 1), timed("serial", 1, 1, 1)}, "was not run"));
}

TEST_CASE("a run that reached its target and ended above it is counted") {
    Result back = reached(timed("serial", 1, 1, 1), 0.5), stayed = back,
           missed = reached(timed("serial", 1, 1, 1), kNone);
    back.outcome.observations = missed.outcome.observations = {{.train_loss = 0.4}};
    CHECK(says({back, stayed, missed}, "1 of 3 runs ended above it"));
    CHECK(!says({stayed}, "ended above"));
}

TEST_CASE("of a score of which more is better a run may have ended below its target") {
    Result back = reached(timed("serial", 1, 1, 1), 0.5);
    back.plan.problem = "skipgram";
    back.target_of = "analogy_accuracy";
    back.outcome.observations = {{.train_loss = 0.25, .scores = {kNone, kNone, 0.2}}};
    Result stayed = back;
    stayed.outcome.observations[0].scores[2] = 0.4;
    CHECK(says({back, stayed}, "when the analogy accuracy first rose to it; 1 of 2 runs ended below it"));
    CHECK(!says({stayed}, "ended below"));
}

TEST_CASE(
    "runs whose workers waited for cores are counted, and only where it was more than a twentieth of their time") {
    Result run = timed("hogwild", 4, 1, 1);
    run.outcome.disturbance.core_wait_seconds = 0.19;
    CHECK(!says({run}, "waited for cores"));
    run.outcome.disturbance.core_wait_seconds = 0.21;
    CHECK(says({run, timed("serial", 1, 1, 1)}, "1 of 2 runs waited for cores"));
}

TEST_CASE("that fewer snapshots were kept than asked for is said") {
    const auto kept = [](std::uint32_t observe, std::size_t observations) {
        Result result = timed("serial", 1, 1, 1);
        result.plan.epochs = 4;
        result.plan.observations_per_epoch = observe;
        result.outcome.observations.assign(observations, {.train_loss = 0.25});
        return result;
    };
    CHECK(says({kept(100, 21), kept(100, 11)},
               "2 of 2 runs kept fewer snapshots than --observe asks for, 10 of 400 at the least: "));
    const std::string words = "kept fewer snapshots";
    CHECK(says({kept(10, 4)}, words));        // memory for fewer than one an epoch
    CHECK_FALSE(says({kept(10, 21)}, words)); // few samples
    CHECK_FALSE(says({kept(100, 401)}, words));
}

TEST_CASE("a network whose loss ends no lower than it began, or than a guess's, is counted, with what to try") {
    const auto trained = [](double before, double after, double error = kNone) {
        Result result = timed("serial", 1, 1, 1);
        result.plan.problem = "network";
        result.classes = 10;
        result.outcome.observations = {
            {.train_loss = before}, {.train_loss = before / 2}, {.train_loss = after, .scores = {error, kNone, kNone}}};
        return result;
    };
    const std::string words = " runs of networks learnt nothing (training loss ",
                      guess =
                          " or more; a guess among 10 classes has ln 10 = 2.303): take a smaller step (--step-size, "
                          "--step-scale), or a larger one where the loss hardly moved\n";
    CHECK_FALSE(says({trained(2.4, 2.2)}, words));
    CHECK(says({trained(2.4, 2.4)}, "\n1 of 1" + words + "2.4" + guess));
    CHECK(says({trained(2.1, 2.1)}, "\n1 of 1" + words + "2.1" + guess));
    CHECK(says({trained(2.4, 2.2), trained(2.4, 2.41), trained(2.4, 2.3), timed("serial", 1, 2, 1)},
               "\n2 of 3" + words + "2.3" + guess));
    CHECK(says({trained(2.4, 2.29, 0.82)}, "\n1 of 1" + words));
    CHECK_FALSE(says({trained(2.4, 2.29, 0.8)}, words)); // knows which, if not how surely
    CHECK_FALSE(says({trained(2.4, 2.27, 0.9)}, words));
    Result diverged = trained(2.3, 5), idle = trained(2.3, 2.3), linear = idle;
    diverged.outcome.status = "diverged"; // says more itself
    idle.plan.update = "noop";            // was asked for
    linear.plan.problem = "hinge";
    CHECK_FALSE(says({diverged, idle, linear}, words));
}

TEST_CASE("runs of which a team of a GPU made no step are counted, and the most that stood idle in one") {
    Result all = timed("hogwild", 0, 1, 1), some = all, others = all;
    all.outcome.gpu.team_updates = {40, 60, 50};
    some.outcome.gpu.team_updates = {100, 0, 50};
    others.outcome.gpu.team_updates = {0, 150, 0};
    CHECK(!says({all}, "made no step"));
    CHECK(says({all, some}, "1 of 2 runs had teams of a GPU that made no step, up to 1 of 3"));
    CHECK(says({others, all, some}, "2 of 3 runs had teams of a GPU that made no step, up to 2 of 3"));
}

TEST_CASE("runs as short as a disturbance are named") {
    CHECK(says({timed("serial", 1, 1, 0.001)}, "as short as one disturbance"));
    CHECK(!says({timed("serial", 1, 1, 0.002)}, "disturbance"));
    Result failed = timed("hogwild", 2, 1, 0);
    failed.outcome.status = "failed";
    CHECK(!says({failed, timed("serial", 1, 1, 1)}, "disturbance"));
    CHECK(says({failed, timed("serial", 1, 1, 0.001)}, "runs of 1 ms"));
}

TEST_CASE("every line of the table is as wide as the columns say") {
    std::istringstream text(report({timed("serial", 1, 1, 1), timed("hogwild", 16, 1, 123)}));
    std::string title, rule, row;
    std::getline(text, title);
    std::getline(text, rule);
    for (const char* word : {"scheme", "update/guard", "threads", "step", "status", "train loss", "speed-up"}) {
        CHECK(title.find(word) != std::string::npos);
    }
    while (std::getline(text, row) && row.rfind("speed-up:", 0) != 0) {
        CHECK(row.size() == rule.size()); // the last column is aligned right
        for (std::size_t i = 0; i < rule.size(); ++i) {
            if (rule[i] == ' ') CHECK(row[i] == ' ');
        }
    }
}

Result on(const std::string& device, const std::string& memory) {
    Result result = timed("hogwild", 7, 1, 1);
    result.plan.update = "atomic";
    result.plan.device = device;
    set_memory(result.plan, memory);
    result.outcome.gpu.updates = device == "cpu" ? 0 : device == "gpu" ? 1'000'000 : 750'000;
    return result;
}

std::string title(const std::vector<Result>& results) {
    const std::string text = report(results);
    return text.substr(0, text.find('\n'));
}

TEST_CASE("what networks alone take is counted in images, not in nonzeros") {
    Result network = timed("serial", 1, 1, 1);
    network.plan.problem = "network";
    CHECK(title({network}).find("  M images/s  train loss") != std::string::npos);
    for (const auto& results : {std::vector{timed("serial", 1, 1, 1)}, std::vector{network, timed("serial", 1, 1, 1)}})
        CHECK(title(results).find("  M updates/s  M nonzeros/s  ") != std::string::npos);
}

TEST_CASE("rows of a GPU say device and memory, have streams x blocks, and no threads") {
    const auto table = rows({timed("serial", 1, 1, 1), on("gpu", "device")});
    CHECK(table[1].find("gpu") != std::string::npos);
    CHECK(table[1].find(" device ") != std::string::npos);
    CHECK(table[1].find("4 x 66") != std::string::npos);
    CHECK(table[1].find(" 7 ") == std::string::npos);
    CHECK(title({on("gpu", "device")}).find("device  memory") != std::string::npos);
    CHECK(title({timed("serial", 1, 1, 1), timed("hogwild", 2, 1, 1)}).find("memory") == std::string::npos);
    CHECK(title({timed("serial", 1, 1, 1)}).find("streams") == std::string::npos);
}

TEST_CASE("a run of both devices says how much of it the GPU did") {
    const auto table = rows({on("both", "replica"), on("gpu", "device")});
    CHECK(table[0].find("75 %") != std::string::npos);
    CHECK(title({on("gpu", "device")}).find("GPU's share") == std::string::npos);
}

TEST_CASE("increments of both sides that are not atomic say so, and what that means") {
    Result mapped = on("both", "mapped");
    mapped.outcome.gpu.shares_cells = mapped.outcome.gpu.cells_are_atomic = true;
    CHECK(!says({mapped}, "not atomic"));
    mapped.outcome.gpu.cells_are_atomic = false;
    CHECK(says({mapped}, "mapped (not atomic)"));
    CHECK(says({mapped}, "not atomic: CPU and GPU increments can overwrite each other"));
}

TEST_CASE("bridges that differ are told apart") {
    Result often = on("both", "replica"), seldom = often;
    seldom.plan.bridge.pause = 0.002;
    CHECK(says({often, seldom}, "1, 2 ms"));
    CHECK(title({often}).find("bridge") == std::string::npos);
}

TEST_CASE("an axis of a GPU has a column only where rows that have it differ") {
    Result copies = on("gpu", "device"), both = on("both", "replica"), fewer = copies;
    copies.plan.hot.count = both.plan.hot.count = 64;
    copies.plan.placement = "hot-first";
    both.plan.placement = "hot-first";
    const std::vector<Result> all{timed("serial", 1, 1, 1), copies, both};
    for (const char* axis : {"hot x rule", "placement", "bridge"}) CHECK(title(all).find(axis) == std::string::npos);
    fewer.plan.hot.count = 16;
    fewer.plan.placement = "hottest";
    CHECK(title({copies, on("gpu", "device")}).find("hot x rule") != std::string::npos);
    CHECK(title({copies, fewer}).find("placement  threads  streams x blocks  hot x rule") != std::string::npos);
}

TEST_CASE("staleness of the GPU has a column of its own") {
    Result run = on("both", "replica");
    run.outcome.gpu.staleness = {.count = 9, .median = 1111, .p99 = 2222, .max = 3333};
    CHECK(title({run}).find("GPU staleness") != std::string::npos);
    CHECK(says({run}, "1111, 2222, 3333"));
    CHECK(title({on("both", "replica")}).find("staleness") == std::string::npos);
}

TEST_CASE("a row's largest staleness is that of any seed, its quantiles are medians") {
    std::vector<Result> runs;
    for (const double most : {17.0, 52.0, 19.0}) {
        runs.push_back(timed("hogwild", 2, runs.size() + 1, 1));
        runs.back().outcome.telemetry.staleness = {.count = 9, .median = most - 16, .p99 = most - 10, .max = most};
    }
    CHECK(says(runs, " 3, 9, 52"));
}

TEST_CASE("layers that an update policy of their own has are named, also where all runs have it") {
    Result run = timed("hogwild", 2, 1, 1);
    run.plan.problem = "network";
    CHECK_FALSE(says({run}, "layers"));
    run.plan.network.update = "1=atomic";
    CHECK(says({run}, " 1=atomic "));
    CHECK(says({run}, " layers "));
}

TEST_CASE("without a serial row there is no column of speed-ups") {
    CHECK(title({timed("hogwild", 2, 1, 1)}).find("speed-up") == std::string::npos);
    CHECK(title({timed("hogwild", 2, 1, 1), timed("serial", 1, 1, 1)}).find("speed-up") != std::string::npos);
}

TEST_CASE("no results make no table") { CHECK(report({}) == ""); }

} // namespace
} // namespace hogwild
