// What tune tries, beside serial code: laws of its candidates.
#include "engine/plan/plan.h"
#include "experiments/tune/arms.h"

#include "engine/data/load.h"
#include "engine/plan/meaning.h"
#include "engine/run.h"
#include "experiments/plans/product.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Dataset few() { return load("synthetic:rows=300,features=60,nonzeros=6", {}); }

Dataset images() {
    LoadOptions options;
    options.samples = ImagesView::kSamples;
    return load("synthetic:images/100", options);
}

/// All schemes on one and two threads.
Axes both(std::string problem) {
    Axes axes;
    axes.cores = 2;
    axes.texts("problem") = {std::move(problem)};
    axes.counts("epochs") = {2};
    return axes;
}

std::vector<float> weights_of(Plan plan, const Dataset& data) {
    plan.pin = "none";
    plan.seed = 1;
    return run(plan, {data}).weights;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
    double largest = 0;
    for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, std::abs(double{a[j]} - double{b[j]}));
    return largest;
}

} // namespace

TEST_CASE("many cores do not make more candidates than a command may make") {
    Axes axes;
    axes.cores = 16;
    axes.texts("problem") = {"hinge"};
    const Arms tried = arms(axes, few());
    CHECK(std::ranges::any_of(tried.plans, [](const Plan& plan) { return plan.threads == 16; }));
}

TEST_CASE(
    "doubles of serial are the one-worker plans that walk its path, but for rounding, and no others") { // oracle 6
    const Dataset data = few();
    for (const std::string problem : {"hinge", "logistic"}) {
        Axes axes = both(problem);
        axes.reals("step_size") = {0.01};
        axes.counts("threads") = {1};
        axes.texts("hot_updates") = {"direct", "delayed", "thinned", "replicated"};
        axes.counts("exchange") = {16, 4096};
        axes.given = {"--step-size", "--threads", "--hot-updates", "--exchange"};
        Product all = product(searched(axes), data.view().rows(), sample_scale(data.view()));
        leave_out(all, [&](const Plan& plan) { return why_not(plan, data); });
        Plan serial;
        for (const Plan& plan : all.plans)
            if (plan.scheme == "serial") serial = plan;
        const std::vector<float> path = weights_of(serial, data);
        std::map<bool, std::set<std::string>> schemes;
        for (const Plan& plan : all.plans) {
            CAPTURE(describe(plan));
            schemes[doubles_serial(plan)].insert(plan.scheme);
            if (plan.scheme != "serial") CHECK(doubles_serial(plan) == (distance(weights_of(plan, data), path) < 1e-5));
        }
        CHECK(schemes[true].size() == 8);
        CHECK(schemes[false].contains("minibatch"));
        CHECK(schemes[false].contains("columns") == (problem == "logistic"));
    }
}

TEST_CASE("no candidate doubles serial where serial is one, and each comes after serial code of its step") {
    const Dataset data = few();
    for (const std::string problem : {"hinge", "logistic"}) {
        const std::vector<Plan> all = arms(both(problem), data).plans;
        const std::vector<std::size_t> own = yardsticks(all);
        std::set<double> steps;
        for (std::size_t i = 0; i < all.size(); ++i) {
            CAPTURE(describe(all[i]));
            CHECK_FALSE(doubles_serial(all[i]));
            if (all[i].scheme == "serial") steps.insert(all[i].step.size);
            CHECK((own[i] == i) == (all[i].scheme == "serial"));
            CHECK(own[i] <= i);
            CHECK(all[own[i]].scheme == "serial");
            if (all[i].scheme == "hogwild") CHECK(steps.contains(all[i].step.size));
            if (all[i].scheme == "hogwild") CHECK(all[own[i]].step.size == all[i].step.size);
        }
        CHECK(steps.size() >= 7); // of hinge loss one is too large for lambda
    }
}

TEST_CASE("what a scheme does by default is the first of it that is tried, and all that is called usual") {
    for (const std::string problem : {"hinge", "logistic", "network"}) {
        const Dataset data = problem == "network" ? images() : few();
        const Arms tried = arms(both(problem), data);
        REQUIRE(tried.usual.size() == tried.plans.size());
        CHECK(tried.usual.front());
        std::set<std::pair<std::string, std::string>> kinds;
        for (std::size_t i = 0; i < tried.plans.size(); ++i) {
            const Plan& plan = tried.plans[i];
            CAPTURE(describe(plan));
            const bool first = kinds.emplace(plan.scheme, plan.hot.updates).second;
            CHECK(tried.usual[i] == first);
            if (!first) continue;
            Axes plain = both(problem);
            plain.texts("scheme") = {plan.scheme};
            plain.texts("hot_updates") = {plan.hot.updates};
            plain.counts("seed") = {0};
            Plan asked = product(plain, data.view().rows(), sample_scale(data.view())).plans.at(0);
            if (plan.hot.updates == "replicated") asked.hot.count = 60; // as many as there are
            if (problem == "network") asked.step.kind = "decay";
            CHECK(fields(asked) == fields(plan));
        }
        CHECK(kinds.size() >= 6);
    }
}

TEST_CASE("no step that is raced knows how long its run is, unless it was asked for; then every run is whole") {
    for (const std::string problem : {"network", "skipgram", "hinge"}) {
        Axes axes = both(problem);
        axes.counts("epochs") = {6};
        for (const char* scheme : {"serial", "hogwild", "minibatch", "local-sgd"}) {
            axes.texts("scheme") = {scheme};
            axes.given = {"--scheme"};
            axes.texts("step").clear();
            const auto plans = [&] { return product(searched(axes), 10'000).plans; };
            for (const Plan& plan : plans()) {
                CHECK(plan.step.kind == "decay");
                CHECK(plan.step.warm_up == (problem == "network" ? 0.2 : 0));
                for (unsigned twice = 0; twice < 40; ++twice)
                    CHECK(epochs_of(plan, twice) == std::array{1u, 2u, 4u, 6u}[std::min(twice, 3u)]);
                CHECK(most_doublings(plan) == 3);
            }
            axes.texts("step") = {"linear"};
            for (const Plan& plan : plans()) {
                CHECK(plan.step.kind == "linear");
                for (unsigned twice = 0; twice < 40; ++twice) CHECK(epochs_of(plan, twice) == 6);
                CHECK(most_doublings(plan) == 0);
            }
        }
    }
}

TEST_CASE("trials may be as long as a target wants where no epochs are given, but for steps that fall to a run's end") {
    const auto epochs = [](std::vector<std::uint64_t> given, std::vector<std::string> step) {
        Axes axes = both("hinge");
        axes.texts("scheme") = {"serial"};
        axes.given = {"--scheme"};
        axes.counts("epochs") = std::move(given);
        axes.texts("step") = std::move(step);
        return product(searched(axes), 10'000).plans.front().epochs;
    };
    CHECK(epochs({}, {}) == kMostEpochs);
    CHECK(epochs({6}, {}) == 6);
    CHECK(epochs({}, {"inverse-time"}) == kMostEpochs);
    CHECK(epochs({}, {"linear"}) == Plan{}.epochs);
}

TEST_CASE("without serial code one worker of a scheme is tried, and compared with nobody") {
    Axes axes = both("hinge");
    axes.texts("scheme") = {"hogwild"};
    axes.counts("threads") = {1};
    axes.given = {"--scheme", "--threads"};
    const std::vector<Plan> all = arms(axes, few()).plans;
    CHECK(all.size() > 7);
    CHECK(yardsticks(all) == std::vector<std::size_t>(all.size(), kNoYardstick));
}

TEST_CASE("how much of their increments replicas keep is searched, unless it is given") {
    const Dataset data = few();
    const auto couplings = [&](const Axes& axes) {
        std::map<bool, std::set<double>> of; // whether increments come together by their steepness
        for (const Plan& plan : arms(axes, data).plans) of[means::coupling(plan)].insert(plan.exchange.coupling);
        return of;
    };
    Axes axes = both("logistic");
    CHECK(couplings(axes)[true].size() > 1);
    CHECK(couplings(axes)[false].size() == 1);
    axes.reals("coupling") = {4};
    axes.given.insert("--coupling");
    CHECK(couplings(axes)[true] == std::set<double>{4});
}

TEST_CASE("replicas of hot coordinates are tried of few and of more: of lines, or of pages where they lie by groups") {
    Axes axes;
    CHECK(searched(axes).counts("hot") == std::vector<std::uint64_t>{256, 2'048});
    axes.texts("problem") = {"factorization"};
    CHECK(searched(axes).counts("hot") == std::vector<std::uint64_t>{8'192, 65'536});
}

TEST_CASE(
    "hot coordinates that are searched are no more than there are, each number once, and given ones stay as they are") {
    const auto numbers = [](const Axes& axes) {
        std::set<std::uint32_t> hot;
        std::set<std::uint64_t> plans;
        for (const Plan& plan : arms(axes, few()).plans) { // of 60 columns
            CHECK(plans.insert(hash(plan)).second);
            if (plan.hot.updates != "direct") hot.insert(plan.hot.count);
        }
        return hot;
    };
    Axes axes = both("logistic");
    CHECK(numbers(axes) == std::set<std::uint32_t>{60});
    axes.counts("hot") = {16, 256};
    axes.given.insert("--hot");
    CHECK(numbers(axes) == std::set<std::uint32_t>{16, 256});
}

TEST_CASE("trials double as often as those of the longest plan that does not know its end, whichever comes first") {
    Plan linear, decay, shorter;
    linear.step.kind = "linear";
    decay.step.kind = shorter.step.kind = "decay";
    linear.epochs = 64;
    decay.epochs = 20;
    shorter.epochs = 4;
    for (const std::vector<Plan>& plans :
         {std::vector{linear, shorter, decay}, {decay, linear, shorter}, {shorter, decay, linear}})
        CHECK(longest_of(plans).epochs == 20);
    CHECK(most_doublings(decay) == 5);
    CHECK(epochs_of(linear, 0) == 64);
}

TEST_CASE("neighbours differ in one setting, by a place on its list, steps first, and every default has its own") {
    Axes axes = both("logistic");
    axes.texts("scheme") = {"serial", "async-local-sgd"};
    const Arms tried = arms(axes, few());
    std::set<std::string> kinds;
    for (std::size_t arm = 0; arm < tried.plans.size(); ++arm) {
        const auto own = fields(tried.plans[arm]);
        const std::vector<std::size_t> near = neighbours(tried.plans, arm);
        bool steps = true;
        for (const std::size_t each : near) {
            const Plan& plan = tried.plans[each];
            CHECK(plan.scheme == tried.plans[arm].scheme);
            const auto its = fields(plan);
            std::string changed;
            for (std::size_t i = 0; i < own.size(); ++i)
                if (own[i] != its[i]) changed += own[i].first;
            CHECK(std::ranges::count(own, changed, [](const auto& field) { return field.first; }) == 1);
            CHECK((changed != "step_size" || steps));
            steps &= changed == "step_size";
            const auto between = [&](const Plan& other) { // in the changed setting alone
                const auto [low, high] = std::minmax({plan.exchange.period, tried.plans[arm].exchange.period});
                if (other.scheme != plan.scheme || other.exchange.period <= low || other.exchange.period >= high)
                    return false;
                Plan moved = other;
                moved.exchange.period = tried.plans[arm].exchange.period;
                return hash(moved) == hash(tried.plans[arm]);
            };
            if (changed == "exchange") CHECK(std::ranges::none_of(tried.plans, between));
            kinds.insert(changed);
            if (changed != "step_size") continue;
            const double size = tried.plans[arm].step.size;
            CHECK(std::max(size / plan.step.size, plan.step.size / size) == doctest::Approx(3).epsilon(0.01));
        }
        const auto steps_near = std::ranges::count_if(
            near, [&](std::size_t each) { return tried.plans[each].step.size != tried.plans[arm].step.size; });
        CHECK(steps_near >= 1);
        if (tried.usual[arm]) CHECK(steps_near == 2);
        CHECK(std::set(near.begin(), near.end()).size() == near.size());
    }
    for (const char* kind : {"step_size", "exchange", "coupling"}) CHECK(kinds.contains(kind));
}
