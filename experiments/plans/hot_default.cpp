#include "experiments/plans/hot_default.h"

#include "engine/data/sparse/norms.h"
#include "engine/plan/choices.h"
#include "engine/plan/meaning.h"
#include "engine/plan/names.h"
#include "experiments/plans/product.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hogwild {
namespace {

/// Whose lines all stay with one core, whatever becomes of increments.
bool is_alone(const Plan& plan) { return !device_traits(plan).gpu && plan.threads == 1; }

} // namespace

bool has_hot_choice(const Plan& plan, const Axes& axes) {
    return means::hot_updates(plan) && !is_alone(plan) && why_no_replicas(plan, axes).empty();
}

HotDefault hot_default(const Axes& axes, std::string_view parts, const AnyView& samples) {
    if (axes.given.contains("--hot-updates")) return {};
    if (!have_hot_lines(samples)) return {"direct", ""};
    Axes direct = axes;
    direct.texts("hot_updates") = {"direct"};
    const std::vector<Plan> plans = product(direct, samples.rows(), sample_scale(samples)).plans;
    const auto is_several = [](const Plan& plan) { return means::hot_updates(plan) && plan.threads > 1; };
    if (std::ranges::none_of(plans, is_several)) return {"direct", ""}; // a GPU's plan has one thread
    for (const Plan& plan : plans) {
        if (!means::hot_updates(plan) || is_alone(plan)) continue;
        if (const std::string why = why_no_replicas(plan, axes); !why.empty()) return {"direct", why};
    }
    if (parts.empty()) return {std::string(kAuto), ""};
    return {"direct", fmt::format("overridden by {}: what workers keep of hot coordinates is in no snapshot", parts)};
}

std::vector<std::string> lines_of(const HotDefault& taken, const HotReasons& reasons, const std::vector<Plan>& plans) {
    if (!taken.why.empty())
        return {fmt::format("--hot-updates direct of all runs (auto, the default, is {})", taken.why)};
    if (!is_auto(taken.updates)) return {};
    std::map<std::uint32_t, std::set<unsigned>> made; // threads, by how many coordinates are hot: 0 of direct ones
    const Plan* most = nullptr;                       // workers, whose reason stands for all
    for (const Plan& plan : plans) {
        if (is_alone(plan) || !reasons.contains(hash(plan))) continue;
        made[hot_traits(plan).elsewhere ? plan.hot.count : 0].insert(plan.threads);
        if (most == nullptr || plan.threads > most->threads) most = &plan;
    }
    if (most == nullptr) return {};
    std::vector<std::string> texts;
    for (const auto& [hot, threads] : made)
        texts.push_back(fmt::format("{} threads {}", fmt::join(threads, ", "),
                                    hot == 0 ? "write all increments in place"
                                             : fmt::format("replicate the {} hottest coordinates", hot)));
    const bool direct = made.rbegin()->first == 0;
    return {fmt::format("--hot-updates auto, by default: {} ({}){}", fmt::join(texts, "; "), reasons.at(hash(*most)),
                        direct ? "" : "; as in 2011: --hot-updates direct")};
}

std::vector<std::string> named(std::vector<std::string> command, const HotDefault& taken, const Axes& axes,
                               const std::vector<Plan>& plans) {
    if (!is_auto(taken.updates)) return command;
    std::set<std::pair<std::string, std::uint32_t>> made;
    for (const Plan& plan : plans) {
        if (means::hot_updates(plan)) made.emplace(plan.hot.updates, axes.counts("hot").empty() ? plan.hot.count : 0);
    }
    if (made.size() != 1) return command;
    const auto& [updates, hot] = *made.begin();
    command.insert(command.end(), {"--hot-updates", updates});
    if (hot > 0) command.insert(command.end(), {"--hot", std::to_string(hot)});
    return command;
}

} // namespace hogwild
