#include "experiments/plans/hot_choice.h"

#include "engine/data/columns/column_use.h"
#include "engine/data/ratings/ratings.h"
#include "engine/data/sparse/placement.h"
#include "engine/measure/measure.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/run.h"
#include "experiments/cost/estimate.h"
#include "experiments/plans/defaults.h"
#include "kernels/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace hogwild {
namespace {

constexpr double kExchange = 4; // journeys of a line's exchange

/// With replicas of hot coordinates.
Plan replicated(Plan plan) {
    plan.hot.updates = "replicated";
    plan.hot.count = 1;
    plan.placement = "hottest";
    suit_exchange(plan);
    return plan;
}

/// The largest value that was asked for, of each parameter of the plan's model.
std::vector<double> most_parameters(const Plan& plan, const Axes& axes) {
    std::vector<double> most = parameters(plan);
    const std::span<const Parameter> known = problem_traits(plan).parameters;
    for (std::size_t i = 0; i < most.size(); ++i) {
        const auto asked = axes.parameters.find(known[i].name);
        if (asked != axes.parameters.end() && !asked->second.empty()) most[i] = std::ranges::max(asked->second);
    }
    return most;
}

/// "overridden by --guard locked: " where that is what the reason against anything but direct is about; else nothing.
std::string overrider(const Plan& plan, const std::string& why) {
    for (const char* name : {"device", "memory", "numbers", "guard", "update", "telemetry"}) {
        const Axis& choice = axis(name);
        Plan without = plan;
        reset(choice, without);
        const Value chosen = value_of(choice, plan);
        if (chosen != value_of(choice, without) && why_not_hot_updates(without) != why)
            return fmt::format("overridden by {} {}: ", option_of(choice), written(chosen));
    }
    return "";
}

} // namespace

HotChooser::HotChooser(HotLines lines, double sample, std::optional<double> transfer)
    : lines_(std::move(lines)), sample_(sample), transfer_(transfer) {}

HotChoice HotChooser::of(unsigned workers, std::uint64_t period) const {
    const std::vector<double>& shares = lines_.shares;
    if (shares.empty()) return {"direct", 0, "neither sparse rows nor ratings"};
    if (workers < 2) return {"direct", 0, "one worker's cache lines stay with its core"};
    if (!transfer_) return {"direct", 0, "cache lines stay on one usable core"};
    const double least = kExchange / std::max(kExchange, static_cast<double>(period)), many = workers;
    const auto above = [&](const std::vector<double>& falling) {
        return std::ranges::lower_bound(falling, least, std::greater{}) - falling.begin();
    };
    const auto hot = above(shares);
    if (hot == 0)
        return {"direct", 0,
                fmt::format("no cache line is written by more than {} % of the samples", human(100 * least))};
    const double in_turn = *transfer_ * (many - 1) / many * std::accumulate(shares.begin(), shares.begin() + hot, 0.0);
    const double wait = std::max(in_turn, *transfer_ * many * shares[0]);
    const std::string why =
        fmt::format("in place a step of {} would wait up to {} for cache lines from other cores, {} each",
                    human_seconds(sample_), human_seconds(wait), human_seconds(*transfer_));
    if (wait <= sample_) return {"direct", 0, why};
    const auto units = static_cast<std::uint32_t>(above(lines_.units));
    return {"replicated", std::min(units * lines_.unit, lines_.coordinates), why};
}

bool have_hot_lines(const AnyView& samples) {
    return samples.visit([]<class View>(const View& view) {
        if constexpr (std::same_as<View, RatingsView>) return !ids_far_apart(view);
        return std::same_as<View, SparseView>;
    });
}

HotChooser hot_chooser(const Axes& axes, const AnyView& samples) {
    if (!has_auto(axes.texts("hot_updates")) || !have_hot_lines(samples)) return {};
    Plan alone;
    alone.scheme = "serial";
    alone.problem = axes.texts("problem").front();
    alone.parameters = most_parameters(alone, axes);
    const auto nanoseconds = measure_line_transfer_ns();
    return {is_linear(alone.problem) ? lines_of_columns(column_use(samples.as<SparseView>()).touched)
                                     : lines_of_groups(bound(samples, alone)),
            predicted_sample_seconds(alone, samples), nanoseconds ? std::optional(*nanoseconds * 1e-9) : std::nullopt};
}

std::string why_no_replicas(const Plan& plan, const Axes& axes) {
    const Plan with = replicated(plan);
    if (const std::string why = why_not_hot_updates(with); !why.empty()) return overrider(with, why) + why;
    const auto follows = [](const std::string& placement) { return !placement_traits(placement).leads_with_hot(); };
    const std::vector<std::string>& placements = axes.texts("placement");
    if (const auto other = std::ranges::find_if(placements, follows); other != placements.end())
        return fmt::format("overridden by --placement {}", *other);
    return std::ranges::find(axes.counts("hot"), 0u) != axes.counts("hot").end() ? "overridden by --hot 0" : "";
}

HotChoice choose_hot(const Plan& plan, const Axes& axes, const HotChooser& hot) {
    const std::string why = why_no_replicas(plan, axes);
    return why.empty() ? hot.of(plan.threads, replicated(plan).exchange.period) : HotChoice{"direct", 0, why};
}

std::string why_hot(const Plan& plan, const Axes& axes, const HotChooser& hot) {
    const HotChoice choice = choose_hot(plan, axes, hot);
    if (choice.hot == 0) return choice.why;
    std::string given, own;
    const auto compare = [&](const char* option, std::uint32_t of_plan, std::uint32_t chosen) {
        if (of_plan == chosen) return;
        given += fmt::format(" {} {}", option, of_plan);
        own += fmt::format(" {} {}", option, chosen);
    };
    compare("--hot", plan.hot.count, choice.hot);
    compare("--exchange", plan.exchange.period, replicated(plan).exchange.period);
    return given.empty() ? choice.why : fmt::format("overridden by{}; by itself{}: {}", given, own, choice.why);
}

std::vector<std::string> lines_of(const HotReasons& reasons, const std::vector<Plan>& plans) {
    std::vector<std::string> lines;
    for (const Plan& plan : plans) {
        const auto reason = reasons.find(hash(plan));
        if (reason == reasons.end()) continue;
        const std::string what = hot_traits(plan).elsewhere
                                     ? fmt::format("{} --hot {}", plan.hot.updates, plan.hot.count)
                                     : plan.hot.updates;
        std::string line = fmt::format("--hot-updates auto of {} thread{}: {} ({})", plan.threads,
                                       plan.threads == 1 ? "" : "s", what, reason->second);
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace hogwild
