#include "engine/plan/plan.h"
#include "experiments/plans/hot_choice.h"

#include "engine/data/columns/column_use.h"
#include "engine/data/load.h"
#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/memory/viewed_pages.h"
#include "engine/plan/meaning.h"
#include "experiments/cost/estimate.h"
#include "experiments/plans/product.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/test_data.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

/// 64 columns: one is in every sample, sixteen are in a tenth, the others in one of a thousand.
std::vector<float> skewed() {
    std::vector<float> touched(64, 0.001f);
    for (std::size_t j = 0; j < 16; ++j) touched[4 * j] = 0.1f; // wherever they lie
    touched[9] = 1;
    return touched;
}

/// Columns that share no line, each written by so many of the samples.
std::vector<float> apart(std::size_t lines, float share) {
    std::vector<float> touched(16 * lines, 0);
    for (std::size_t i = 0; i < 16 * lines; ++i) touched[i] = share; // by 1 - (1 - share)^16 of them a line
    return touched;
}

/// Each of 4,000 users rates two of 2,001 items: the first of all, which is hot, and another.
Dataset skewed_ratings() {
    TestRatings ratings;
    ratings.users = 4'000;
    ratings.items = 2'001;
    for (std::uint32_t user = 0; user < 4'000; ++user) {
        ratings.ratings.push_back({user, 0, 1});
        ratings.ratings.push_back({user, 1 + user % 2'000, 1});
    }
    return ratings_dataset(std::move(ratings));
}

constexpr std::uint64_t kPeriod = 64; // a line is hot where more than 4 / 64 of the samples write it: 6.25 %

} // namespace

TEST_CASE("a worker waits for all hot lines that a sample writes, not for the hottest alone") {
    // 1 - (1 - 0.0426)^16 = 50.2 % of the samples write each of 40 lines. With two workers a sample waits for 40 x
    // 0.502 / 2 journeys, 1.003 us at 100 ns. A line alone would keep them from nothing, since its journeys take 2 x
    // 0.502 x 100 ns = 100 ns.
    const auto of = [](std::size_t lines, double sample) {
        return HotChooser(lines_of_columns(apart(lines, 0.0426f)), sample, 100e-9).of(2, kPeriod);
    };
    CHECK(of(40, 0.99e-6).updates == "replicated");
    CHECK(of(40, 0.99e-6).hot == 640);
    CHECK(of(40, 1.02e-6).updates == "direct");
    CHECK(of(20, 0.99e-6).updates == "direct");
    CHECK(of(20, 0.49e-6).updates == "replicated");
}

TEST_CASE("a line that every sample writes bounds all workers together") {
    std::vector<float> touched(1'000, 1e-6f);
    touched[500] = 1;
    const auto of = [&](unsigned workers, double sample) {
        return HotChooser(lines_of_columns(touched), sample, 100e-9).of(workers, kPeriod);
    };
    CHECK(of(16, 1.59e-6).hot == 16); // 16 journeys while each steps once
    CHECK(of(16, 1.61e-6).hot == 0);
    CHECK(of(8, 0.79e-6).hot == 16);
    CHECK(of(8, 0.81e-6).hot == 0);
}

TEST_CASE("lines that are exchanged as often as they are written are not hot, however many") {
    // 1 - (1 - 0.004)^16 = 6.2 % of the samples write each.
    for (const double sample : {1e-12, 1e-9, 1e-6}) {
        const HotChoice choice = HotChooser(lines_of_columns(apart(10'000, 0.004f)), sample, 100e-9).of(16, kPeriod);
        CHECK(choice.updates == "direct");
        CHECK(choice.hot == 0);
    }
    CHECK(HotChooser(lines_of_columns(apart(10'000, 0.004f)), 1e-9, 100e-9).of(16, kPeriod + 1).hot == 160'000);
    for (const std::uint64_t period : {0u, 1u, 4u}) { // no limit is above all samples
        const HotChoice choice = HotChooser(lines_of_columns(apart(10, 0.9f)), 1e-9, 100e-9).of(16, period);
        CHECK(choice.why == "no cache line is written by more than 100 % of the samples");
    }
}

TEST_CASE("hot lines are packed by how often their columns occur, and it says what a worker would wait for") {
    // Packed by heat a line has all samples, the next 1 - 0.9 x 0.999^15 of them, 11.3 %, the others 1.6 % and less.
    const HotChoice many = HotChooser(lines_of_columns(skewed()), 160e-9, 100e-9).of(16, kPeriod);
    CHECK(many.updates == "replicated");
    CHECK(many.hot == 32);
    CHECK(many.why ==
          "in place a step of 160 ns would wait up to 1.6 us for cache lines from other cores, 100 ns each");
    const HotChoice none = HotChooser(lines_of_columns(skewed()), 1e-6, 100e-9).of(2, kPeriod);
    CHECK(none.updates == "direct");
    CHECK(none.hot == 0);
    CHECK(none.why == "in place a step of 1 us would wait up to 200 ns for cache lines from other cores, 100 ns each");
    CHECK(HotChooser(lines_of_columns(skewed()), 160e-9, 100e-9).of(1, kPeriod).updates == "direct");
    CHECK(HotChooser(lines_of_columns(skewed()), 160e-9, std::nullopt).of(16, kPeriod).why ==
          "cache lines stay on one usable core");
    CHECK(HotChooser().of(16, kPeriod).updates == "direct");
}

TEST_CASE("text, whose samples write many hot lines, is replicated at any number of workers, and evenly spread columns "
          "never") {
    const auto check = [](const std::string& source, const char* updates) {
        CAPTURE(source);
        const Dataset data = load(source, {});
        Plan alone;
        alone.scheme = "serial";
        const std::vector<float> touched = column_use(data.sparse()).touched;
        const double sample = predicted_sample_seconds(alone, data.view());
        for (const double transfer : {30e-9, 50e-9, 100e-9, 250e-9}) { // as machines were seen to have
            CAPTURE(transfer);
            const HotChooser hot(lines_of_columns(touched), sample, transfer);
            for (const unsigned workers : {2u, 4u, 8u, 16u, 64u}) {
                CAPTURE(workers);
                Plan plan;
                plan.threads = workers;
                CHECK(choose_hot(plan, {}, hot).updates == updates);
            }
        }
    };
    check("synthetic:rows=2000,features=1000000,nonzeros=40,zipf=0.01,noise=0.05,spread=0.5", "direct");
    check("synthetic:rcv1/100", "replicated");
    for (const char* name : {"sparse/rcv1_train_1249.svm", "sparse/imdb_train.svm.xz"}) {
        if (const auto file = test_data(name)) check(*file, "replicated");
    }
}

TEST_CASE("auto becomes what was chosen, of the runs that have a choice, and can be overridden, which it says") {
    const HotChooser chooser(lines_of_columns(skewed()), 160e-9, 100e-9);
    Axes axes;
    axes.counts("threads") = {1, 16};
    axes.texts("hot_updates") = {"auto"};
    const auto of = [&] { return product(axes, 1'000, {}, &chooser); };
    const auto reason = [](const Product& all) { return all.hot_reasons.at(hash(all.plans.at(0))); };
    const Product both = of();
    for (const Plan& plan : both.plans) {
        const bool chosen = plan.scheme == "hogwild" && plan.threads == 16;
        CHECK(plan.hot.updates == (chosen ? "replicated" : "direct"));
        CHECK(plan.hot.count == (chosen ? 16 : 0)); // exchanged every 32 samples
        CHECK(plan.placement == (chosen ? "hot-first" : "stored"));
        CHECK(both.hot_reasons.contains(hash(plan)) == (plan.scheme == "hogwild"));
    }
    axes.texts("scheme") = {"hogwild"};
    axes.counts("threads") = {16};
    CHECK(reason(of()).starts_with("in place a step of 160 ns would wait up to "));
    axes.counts("hot") = {48};
    axes.counts("exchange") = {99};
    CHECK(of().plans.at(0).hot.count == 48);
    CHECK(of().plans.at(0).exchange.period == 99);
    CHECK(
        reason(of()).starts_with("overridden by --hot 48 --exchange 99; by itself --hot 16 --exchange 32: in place "));
    axes.counts("exchange") = {32};
    CHECK(reason(of()).starts_with("overridden by --hot 48; by itself --hot 16: in place "));
    axes.counts("hot") = {};
    axes.counts("exchange") = {99};
    CHECK(reason(of()).starts_with("overridden by --exchange 99; by itself --exchange 32: in place "));
    for (const std::string placement : {"stored", "hot-apart"}) {
        axes.texts("placement") = {placement};
        CHECK(of().plans.at(0).hot.updates == "direct");
        CHECK(reason(of()) == "overridden by --placement " + placement);
    }
    axes.texts("placement") = {"hottest"};
    CHECK(of().plans.at(0).hot.updates == "replicated");
    axes.counts("hot") = {0};
    CHECK(of().plans.at(0).hot.updates == "direct");
    CHECK(reason(of()) == "overridden by --hot 0");
    axes.counts("hot") = {48};
    axes.texts("guard") = {"locked"};
    CHECK(of().plans.at(0).hot.updates == "direct");
    CHECK(reason(of()).starts_with("overridden by --guard locked: guard locked holds "));
    axes.texts("guard") = {"none"};
    axes.texts("telemetry") = {"sampled"};
    CHECK(reason(of()).starts_with("overridden by --telemetry sampled: telemetry is of "));
    CHECK_THROWS_WITH_AS(product(axes, 1'000), doctest::Contains("--hot-updates cannot be auto here"), Error);
}

TEST_CASE("where auto cannot mean anything but direct, as of texts and cuts, it says so") {
    const HotChooser none;
    Axes axes;
    axes.texts("scheme") = {"serial", "hogwild"};
    axes.counts("threads") = {4};
    axes.texts("hot_updates") = {"auto"};
    for (const auto& [problem, why] :
         {std::pair{"skipgram", "neither sparse rows nor ratings"},
          {"cut", "neither sparse rows nor ratings"},
          {"network", "a step on a network touches all coordinates, so none is hotter than another; use --hot-updates "
                      "direct, or --scheme async-local-sgd for replicas of all"}}) {
        axes.texts("problem") = {problem};
        const Product all = product(axes, 1'000, {}, &none);
        const std::vector<std::string> lines = lines_of(all.hot_reasons, all.plans);
        REQUIRE(lines.size() == 1);
        CHECK(lines[0] == std::string("--hot-updates auto of 4 threads: direct (") + why + ")");
    }
}

TEST_CASE("what is said of auto is what runs, once for each reason, and nothing of what was asked for by name") {
    const HotChooser chooser(lines_of_columns(skewed()), 160e-9, 100e-9);
    Axes axes;
    axes.texts("scheme") = {"hogwild"};
    axes.counts("threads") = {1, 16};
    axes.texts("hot_updates") = {"delayed", "auto"};
    axes.counts("hot") = {48};
    axes.counts("seed") = {1, 2, 3};
    const Product all = product(axes, 1'000, {}, &chooser);
    const std::vector<std::string> lines = lines_of(all.hot_reasons, all.plans);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == "--hot-updates auto of 1 thread: direct (one worker's cache lines stay with its core)");
    CHECK(lines[1].starts_with("--hot-updates auto of 16 threads: replicated --hot 48 (overridden by --hot 48; by "
                               "itself --hot 16: "));
    for (const Plan& plan : all.plans) CHECK(all.hot_reasons.contains(hash(plan)) == (plan.hot.updates != "delayed"));
}

TEST_CASE("hot updates are told apart in their text, have exchanges of their own, and mean nothing to other schemes") {
    Axes axes;
    axes.counts("threads") = {8};
    axes.texts("hot_updates") = {"direct", "delayed", "thinned", "replicated"};
    const Product all = product(axes, 1'000);
    const std::vector<Plan>& plans = all.plans;
    CHECK(all.left_out.empty());
    REQUIRE(plans.size() == 5); // serial once
    const auto check = [](const Plan& plan, const std::string& text, std::uint32_t hot, std::uint32_t exchange) {
        CHECK(update_text(plan) == text);
        CHECK(plan.hot.count == hot);
        CHECK(plan.exchange.period == exchange);
        CHECK(means::exchange(plan) == (hot > 0));
        CHECK(means::combine(plan) == (text == "racy+replicated"));
    };
    check(plans[0], "racy", 0, 4'096);
    check(plans[1], "racy", 0, 4'096);
    check(plans[2], "racy+delayed", 256, 64);
    check(plans[3], "racy+thinned", 256, 4);
    check(plans[4], "racy+replicated", 256, 64);
}

TEST_CASE("the chooser looks at samples, and at the machine only where it is asked") {
    Axes axes;
    axes.texts("problem") = {"logistic"};
    axes.texts("hot_updates") = {"direct", "delayed"};
    CHECK(hot_chooser(axes, crowded().view()).of(8, kPeriod).why == "neither sparse rows nor ratings");
    axes.texts("hot_updates") = {"auto"};
    const HotChoice choice = hot_chooser(axes, crowded().view()).of(4'096, kPeriod);
    const bool several = core_budget().usable > 1; // of one no line leaves
    CHECK(choice.updates == (several ? "replicated" : "direct"));
    CHECK(choice.hot == (several ? 40 : 0));
}

TEST_CASE("ids that lie far apart, which no run takes, cost no choice and no run of anything as large as the largest") {
    TestRatings far;
    far.users = 3'000'000'000;
    far.items = 2;
    far.ratings = {{1'000'000, 0, 3}, {2'999'999'999, 1, 4}};
    const Dataset ratings = ratings_dataset(std::move(far));
    CHECK_FALSE(have_hot_lines(ratings.view()));
    CHECK(have_hot_lines(skewed_ratings().view()));
    Axes axes;
    axes.texts("problem") = {"factorization"};
    axes.texts("hot_updates") = {"auto"};
    axes.parameters["rank"] = {4};
    CHECK(hot_chooser(axes, ratings.view()).of(4'096, kPeriod).hot == 0); // of all coordinates it would take 50 GB
}

TEST_CASE("of ratings the pages are hot that have a hot line, of the largest rank that was asked for") {
    const Dataset ratings = skewed_ratings();
    Axes axes;
    axes.texts("problem") = {"factorization"};
    axes.texts("hot_updates") = {"auto"};
    axes.parameters["biases"] = {0};
    const auto page = static_cast<std::uint32_t>(page_size() / sizeof(float));
    const bool several = core_budget().usable > 1;
    for (const std::uint32_t rank : {page / 4, page}) {
        axes.parameters["rank"] = {16, static_cast<double>(rank)};
        const HotChoice choice = hot_chooser(axes, ratings.view()).of(4'096, 1'000);
        CHECK(choice.updates == (several ? "replicated" : "direct"));
        CHECK(choice.hot == (several ? page : 0)); // the one hot item's row lies on one page
    }
}
