#include "experiments/hot_choice.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "experiments/applies.h"
#include "experiments/product.h"
#include "tests/engine/schemes/toy_run.h"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

using namespace hogwild;

namespace {

/// Of 64 columns one is in every sample, sixteen are in a tenth, the others in one of a thousand.
std::vector<float> skewed() {
    std::vector<float> touched(64, 0.001f);
    for (std::size_t j = 0; j < 16; ++j) touched[4 * j] = 0.1f; // wherever they lie
    touched[9] = 1;
    return touched;
}

} // namespace

TEST_CASE("hot are the columns of the lines that more samples write than lines can travel") {
    // Packed by heat a line has all samples, the next 1 - 0.9 x 0.999^15 of them, 11.3 %, the others 1.6 % and less.
    const auto hot = [](unsigned workers, double sample) {
        return HotChooser(skewed(), sample, 100e-9).of(workers).hot; // contended beyond sample / (workers 100 ns)
    };
    CHECK(hot(2, 180e-9) == 16);  // 90 %
    CHECK(hot(2, 210e-9) == 0);   // more than all
    CHECK(hot(4, 210e-9) == 16);  // 52.5 %
    CHECK(hot(16, 160e-9) == 32); // 10 %
    CHECK(hot(16, 184e-9) == 16); // 11.5 %
    CHECK(hot(64, 64e-9) == 64);  // 1 %
}

TEST_CASE("where no line travels increments are direct, and where some do they are replicated, and it says why") {
    const HotChoice many = HotChooser(skewed(), 160e-9, 100e-9).of(16);
    CHECK(many.updates == "replicated");
    CHECK(many.why == "2 lines that more than 10 % of the samples write (a line comes from another core in 100 ns, one "
                      "worker takes 160 ns for a sample); the hottest 100 %");
    const HotChoice none = HotChooser(skewed(), 1e-6, 100e-9).of(2);
    CHECK(none.updates == "direct");
    CHECK(none.hot == 0);
    CHECK(HotChooser(skewed(), 160e-9, 100e-9).of(1).updates == "direct");
    CHECK(HotChooser(skewed(), 160e-9, std::nullopt).of(16).why == "lines stay on one usable core");
    CHECK(HotChooser().of(16).updates == "direct");
}

TEST_CASE("auto becomes what was chosen, of the runs that have a choice, and can be overridden") {
    const HotChooser chooser(skewed(), 160e-9, 100e-9);
    Axes axes;
    axes.threads = {1, 16};
    axes.hot_updates = {"auto"};
    const auto of = [&] { return product(axes, 1'000, {}, &chooser).plans; };
    for (const Plan& plan : of()) {
        const bool chosen = plan.scheme == "hogwild" && plan.threads == 16;
        CHECK(plan.hot_updates == (chosen ? "replicated" : "direct"));
        CHECK(plan.hot == (chosen ? 32 : 0));
        CHECK(plan.placement == (chosen ? "hot-first" : "stored"));
    }
    axes.scheme = {"hogwild"};
    axes.threads = {16};
    axes.hot = {48};
    axes.exchange = {99};
    CHECK(of().at(0).hot == 48);
    CHECK(of().at(0).exchange == 99);
    for (const std::string placement : {"stored", "hot-apart"}) {
        axes.placement = {placement};
        CHECK(of().at(0).hot_updates == "direct");
    }
    axes.placement = {"hottest"};
    CHECK(of().at(0).hot_updates == "replicated");
    axes.hot = {0};
    CHECK(of().at(0).hot_updates == "direct");
    axes.hot = {48};
    axes.guard = {"locked"};
    CHECK(of().at(0).hot_updates == "direct");
    CHECK_THROWS_WITH_AS(product(axes, 1'000), doctest::Contains("--hot-updates cannot be auto here"), Error);
}

TEST_CASE("hot updates are told apart in their text, have exchanges of their own, and mean nothing to other schemes") {
    Axes axes;
    axes.threads = {8};
    axes.hot_updates = {"direct", "delayed", "thinned", "replicated"};
    const Product all = product(axes, 1'000);
    const std::vector<Plan>& plans = all.plans;
    CHECK(all.left_out.empty());
    REQUIRE(plans.size() == 5); // serial once
    const auto check = [](const Plan& plan, const std::string& text, std::uint32_t hot, std::uint32_t exchange) {
        CHECK(update_text(plan) == text);
        CHECK(plan.hot == hot);
        CHECK(plan.exchange == exchange);
        CHECK(applies(plan).exchange == (hot > 0));
        CHECK(applies(plan).combine == (text == "racy+replicated"));
    };
    check(plans[0], "racy", 0, 4'096);
    check(plans[1], "racy", 0, 4'096);
    check(plans[2], "racy+delayed", 256, 64);
    check(plans[3], "racy+thinned", 256, 4);
    check(plans[4], "racy+replicated", 256, 64);
}

TEST_CASE("the chooser looks at samples, and at the machine only where it is asked") {
    CHECK(hot_chooser({"direct", "delayed"}, crowded().view()).of(8).why == "no sparse rows");
    const HotChoice choice = hot_chooser({"auto"}, crowded().view()).of(4'096);
    const bool several = core_budget().usable > 1; // of one no line leaves
    CHECK(choice.updates == (several ? "replicated" : "direct"));
    CHECK(choice.hot == (several ? 40 : 0));
}
