#include "engine/plan/plan.h"
#include "experiments/compare/compare.h"
#include "experiments/folder/result.h"

#include "engine/error.h"
#include "experiments/compare/compare_report.h"
#include "experiments/compare/verdict_row.h"
#include "tests/experiments/summaries.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace hogwild {
namespace {

const Metric kTime = parse_metric("time-to-target");

Summary summary_of(const std::filesystem::path& folder) { return read_summary(folder.string(), {}); }

struct Two {
    Scratch scratch;
    Summary a, b;
    Two(const std::vector<Result>& of_a, const std::vector<Result>& of_b)
        : a(summary_of(made_up_folder(scratch.path / "a", of_a))),
          b(summary_of(made_up_folder(scratch.path / "b", of_b))) {}
};

TEST_CASE("runs are paired by seed, whatever the order of the rows") {
    const std::vector<Result> before = five_seeds(1), after = five_seeds(0.8);
    std::vector<Result> shuffled(after.rbegin(), after.rend());
    const Two straight(before, after), mixed(before, shuffled);
    const Compared first = compare_folders(straight.a, straight.b, kTime);
    const Compared second = compare_folders(mixed.a, mixed.b, kTime);
    REQUIRE(first.list.size() == 2);
    REQUIRE(second.list.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const Comparison &one = first.list[i], &other = second.list[i];
        CHECK(one.first().text("scheme") == other.first().text("scheme"));
        for (std::size_t k = 0; k < 5; ++k) {
            CHECK(one.a.runs[k]->text("seed") == one.b.runs[k]->text("seed"));
            CHECK(one.b.runs[k]->text("run") == other.b.runs[k]->text("run"));
        }
        CHECK(one.ratio.low == other.ratio.low);
        CHECK(one.ratio.high == other.ratio.high);
    }
    CHECK(first.list[0].first().text("scheme") == "hogwild");
    CHECK(first.list[0].judgement == Judgement::kFaster);
    CHECK(first.list[1].judgement == Judgement::kSame);
}

TEST_CASE("a ratio of times is that of seconds per update times that of updates") {
    std::vector<Result> slow = five_seeds(1.7);
    for (Result& run : slow) run.to_target.updates *= 1.3;
    slow[3].to_target = {}; // seed 2 of hogwild missed
    const Two folders(five_seeds(1), slow);
    for (const Comparison& of : compare_folders(folders.a, folders.b, kTime).list) {
        REQUIRE(of.split);
        constexpr double kRounding = 8 * 0x1p-53; // of eight operations
        CHECK(of.split->seconds_per_update * of.split->updates == doctest::Approx(of.ratio.ratio).epsilon(kRounding));
    }
}

TEST_CASE("a run that missed counts with all its time, one that diverged too") {
    std::vector<Result> runs = five_seeds(1);
    runs[1].to_target = {};              // hogwild, seed 1: 10 s for nothing
    runs[3].outcome.status = "diverged"; // seed 2, after it had been there
    runs[3].outcome.seconds = 4;
    runs[3].outcome.reason = "the loss is not finite";
    const Two folders(five_seeds(1), runs);
    const Comparison of = compare_folders(folders.a, folders.b, kTime).list[0];
    CHECK(successes(of.b.trials) == 3);
    double spent = 10 + 4;
    for (const std::size_t at : {5, 7, 9}) spent += runs[at].to_target.seconds;
    CHECK(of.b.expected() == doctest::Approx(spent / 3));
    CHECK(of.judgement == Judgement::kUndecided);
}

TEST_CASE("one or two seeds are undecided, and the reason says how many are needed") {
    for (const std::size_t seeds : {1, 2}) {
        std::vector<Result> a = five_seeds(1), b = five_seeds(0.5);
        a.resize(2 * seeds);
        const Two folders(a, b);
        const Compared compared = compare_folders(folders.a, folders.b, kTime);
        CHECK(compared.list[0].judgement == Judgement::kUndecided);
        CHECK(compared.list[0].reason.find("3 are needed") != std::string::npos);
        CHECK(compared.notes.size() == 1); // the seeds that stayed alone
    }
}

TEST_CASE("step sizes may be tuned apart between folders, within one they are configurations of their own") {
    std::vector<Result> a = five_seeds(1), b = five_seeds(1);
    for (Result& run : b) run.plan.step.size *= 4;
    const Two tuned(a, b);
    CHECK(compare_folders(tuned.a, tuned.b, kTime).list.size() == 2);

    std::vector<Result> grid = a;
    for (Result run : a) {
        run.plan.step.size *= 4;
        run.run += "-large";
        grid.push_back(run);
    }
    const Two many(grid, b);
    const Compared compared = compare_folders(many.a, many.b, kTime);
    REQUIRE(compared.list.size() == 2);
    for (const Comparison& of : compared.list) {
        CHECK(of.a.runs[0]->text("step_size") == of.b.runs[0]->text("step_size"));
    }
}

TEST_CASE("in one folder all are compared with the fastest serial runs") {
    std::vector<Result> runs = five_seeds(0.5);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Result slow = made_up_run("serial", 1, seed, 3);
        slow.plan.step.size *= 2;
        slow.run += "-slow";
        runs.push_back(slow);
    }
    const Scratch scratch;
    const Summary summary = summary_of(made_up_folder(scratch.path / "a", runs));
    const Compared compared = compare_with_best(summary, parse_against("scheme=serial"), kTime);
    REQUIRE(compared.baselines.size() == 1);
    CHECK(compared.baselines[0].first().text("run") == "serial-t1-s1");
    REQUIRE(compared.list.size() == 2);
    CHECK(compared.list[0].judgement == Judgement::kFaster);
    CHECK(compared.list[1].judgement == Judgement::kSlower);
    const std::string text = compare_report(compared, kTime, "a", "a");
    CHECK(text.find("speed-up [95 %]") != std::string::npos);
    CHECK(text.find("1 FASTER, 1 SLOWER") != std::string::npos);
    CHECK_THROWS_WITH_AS(compare_with_best(summary, parse_against("threads=7"), kTime),
                         doctest::Contains("no run with threads=7"), Error);
}

TEST_CASE("runs that minimise other functions are not compared: another lambda, another lambda1") {
    for (const auto change : {+[](Plan& plan) { plan.l2 = 1e-3; }, +[](Plan& plan) { plan.l1 = 1e-3; }}) {
        std::vector<Result> runs = five_seeds(0.5);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            runs.push_back(made_up_run("hogwild", 4, seed, 0.1));
            change(runs.back().plan);
        }
        const Scratch scratch;
        const Summary summary = summary_of(made_up_folder(scratch.path / "a", runs));
        const Compared compared = compare_with_best(summary, parse_against("scheme=serial"), kTime);
        REQUIRE(compared.list.size() == 1);
        CHECK(compared.list[0].first().text("threads") != "4");
        CHECK(std::ranges::any_of(compared.notes, [](const std::string& note) {
            return note.find("1 configuration left out: none of the same problem, data, l2, l1 and delay") == 0;
        }));
    }
}

TEST_CASE("two networks are two functions: each has serial runs of its own") {
    std::vector<Result> runs = five_seeds(0.5), others = five_seeds(0.25);
    for (std::vector<Result>* some : {&runs, &others}) {
        for (Result& run : *some) {
            run.plan.problem = "network";
            run.plan.network.layers = some == &runs ? "dense 10" : "mlp-784-128-10";
            if (some == &others) run.to_target.seconds *= 16;
        }
    }
    runs.insert(runs.end(), others.begin(), others.end());
    const Scratch scratch;
    const Summary summary = summary_of(made_up_folder(scratch.path / "runs", runs));
    const Compared compared = compare_with_best(summary, {{"scheme", "serial"}}, kTime);
    CHECK(compared.baselines.size() == 2);
    REQUIRE(compared.list.size() == 2);
    for (const Comparison& of : compared.list) CHECK(of.a.runs[0]->text("network") == of.first().text("network"));
}

TEST_CASE("a network that all have is said once, by its name, others where they are") {
    const std::string lenet =
        "conv 6 5 relu; maxpool 2; conv 16 5 relu; maxpool 2; dense 120 relu; dense 84 relu; dense 10";
    const auto report_of = [](const std::string& first, const std::string& second) {
        std::vector<Result> runs = five_seeds(0.5), others = five_seeds(0.25);
        for (Result& run : runs) run.plan.network.layers = first;
        for (Result& run : others) {
            run.plan.network.layers = second;
            run.plan.l2 = 1e-3;
            runs.push_back(run);
        }
        for (Result& run : runs) run.plan.problem = "network";
        const Scratch scratch;
        const Summary summary = summary_of(made_up_folder(scratch.path / "runs", runs));
        return compare_report(compare_with_best(summary, {{"scheme", "serial"}}, kTime), kTime, "a", "a");
    };
    const std::string one = report_of(lenet, lenet), two = report_of(lenet, "dense 10");
    CHECK_MESSAGE(one.find(", a, network lenet\nA: ") != std::string::npos, one);
    CHECK_MESSAGE(one.find("network lenet") == one.rfind("network lenet"), one);
    CHECK_MESSAGE(one.find("conv") == std::string::npos, one);
    CHECK_MESSAGE(two.find(", a\nA: ") != std::string::npos, two);
    for (const char* each : {", network lenet", ", network dense 10"})
        CHECK_MESSAGE(two.find(each) != std::string::npos, two);
}

TEST_CASE("different targets are never compared") {
    std::vector<Result> other = five_seeds(0.5), score = five_seeds(0.5);
    for (Result& run : other) run.target = 0.3;
    for (Result& run : score) run.target_of = "test_error";
    const Two scores(five_seeds(1), score);
    for (const Comparison& of : compare_folders(scores.a, scores.b, kTime).list)
        CHECK(of.reason == "the two had different targets");
    const Two folders(five_seeds(1), other);
    for (const Comparison& of : compare_folders(folders.a, folders.b, kTime).list) {
        CHECK(of.judgement == Judgement::kUndecided);
        CHECK(of.reason == "the two had different targets");
        CHECK(of.ratio.low == 0);
    }
}

TEST_CASE("a target that the first weights met tells nothing apart") {
    std::vector<Result> met = five_seeds(0.5);
    for (Result& run : met) run.to_target.seconds = run.to_target.updates = 0;
    const Two folders(five_seeds(1), met);
    for (const Comparison& of : compare_folders(folders.a, folders.b, kTime).list) {
        CHECK(of.judgement == Judgement::kUndecided);
        CHECK(of.reason == "the first weights met the target; take one further away");
    }
    for (const Comparison& of : compare_folders(folders.a, folders.b, parse_metric("updates-per-second")).list)
        CHECK(of.judgement == Judgement::kSame);
}

TEST_CASE("of a rate more is better") {
    std::vector<Result> fast = five_seeds(1);
    for (Result& run : fast) run.outcome.seconds = 5;
    const Two folders(five_seeds(1), fast);
    const Metric rate = parse_metric("updates-per-second");
    const Comparison of = compare_folders(folders.a, folders.b, rate).list[0];
    CHECK(of.judgement == Judgement::kFaster);
    for (const Column& column : verdict_row(of, rate, "a", "b")) {
        if (column.name == "ratio") CHECK(std::get<double>(column.cell) == doctest::Approx(2));
        if (column.name == "expected_b") CHECK(std::get<double>(column.cell) == doctest::Approx(4000));
    }
}

TEST_CASE("what cannot be compared says why") {
    const auto refused = [](const std::vector<Result>& a, const std::vector<Result>& b, const char* said) {
        const Two folders(a, b);
        CHECK_THROWS_WITH_AS(compare_folders(folders.a, folders.b, kTime), doctest::Contains(said), Error);
    };
    const std::vector<Result> good = five_seeds(1);
    std::vector<Result> other_threads, other_seeds = good, twice = good, untargeted = good;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) other_threads.push_back(made_up_run("hogwild", 4, seed, 1));
    for (Result& run : other_seeds) run.plan.seed += 100;
    twice.push_back(good[0]);
    for (Result& run : untargeted) run.target = kNone;
    refused(good, other_threads, "closest two differ in threads (2 and 4)");
    refused(good, other_seeds, "have a seed in common");
    refused(twice, good, "a second run of seed 1");
    refused(good, untargeted, "no run of");
}

TEST_CASE("the best of a kind of schemes can be what others are compared with") {
    std::vector<Result> runs;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        runs.push_back(made_up_run("serial", 1, seed, 1));
        runs.push_back(made_up_run("minibatch", 2, seed, 0.8));
        runs.push_back(made_up_run("local-sgd", 2, seed, 0.6));
        runs.push_back(made_up_run("local-sgd", 4, seed, 0.1));
        runs.push_back(made_up_run("hogwild", 2, seed, 0.3));
    }
    const Scratch scratch;
    const Summary summary = summary_of(made_up_folder(scratch.path / "runs", runs));
    const Compared compared = compare_with_best(summary, parse_against("kind=sync,threads=2"), kTime);
    REQUIRE(compared.baselines.size() == 1);
    CHECK(compared.baselines[0].asked("scheme") == "local-sgd");
    CHECK(compared.baselines[0].asked("threads") == "2");
    for (const Comparison& of : compared.list) {
        if (of.first().text("scheme") == "hogwild") CHECK(of.ratio.ratio == doctest::Approx(0.5));
    }
}

} // namespace
} // namespace hogwild
