#include "experiments/session/measured.h"

#include "engine/plan/choices.h"
#include "engine/plan/derived/sharing.h"
#include "engine/plan/derived/usual.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "experiments/folder/result.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace hogwild {

Result measured(std::string run, const Plan& plan, Outcome outcome, const Objective& objective, const Origin& origin) {
    Result result;
    result.run = std::move(run);
    result.data = origin.train.name();
    result.rows = origin.train.view().rows();
    if (origin.train.view().is<ImagesView>()) result.classes = origin.train.view().as<ImagesView>().classes;
    result.plan = plan;
    result.outcome = std::move(outcome);
    result.outcome.weights = {};
    if (wants_gpu(plan)) { // of a run that failed, too
        const Sharing both = sharing(plan, origin.gpus.list.at(0));
        result.outcome.gpu.shares_cells = both.cells;
        result.outcome.gpu.cells_are_atomic = both.atomic;
    }
    result.target = objective.target;
    result.target_of = objective.target_of;
    if (std::isfinite(result.target)) {
        result.to_target = time_to_target(result.outcome.observations, result.target, watched(plan, result.target_of));
    }
    for (std::size_t i = 0; i < kTargetFractions.size() && std::isfinite(objective.optimum); ++i) {
        const double target = target_at(kTargetFractions[i], objective.optimum, objective.initial);
        result.to_fractions[i] = time_to_target(result.outcome.observations, target);
    }
    return result;
}

std::string short_name(const Plan& plan) {
    std::string name = plan.scheme;
    if (means::update(plan)) name += "-" + update_text(plan);
    if (means::guard(plan) && guard_traits(plan).orders) name += "-" + plan.guard;
    if (device_traits(plan).gpu) name += "-" + plan.device;
    if (const std::string memory = memory_name(plan); memory != home_of(plan.device)) name += "-" + memory;
    if (means::threads(plan)) name += fmt::format("-t{}", plan.threads);
    if (means::streams(plan)) name += fmt::format("-g{}x", plan.gpu.streams);
    if (means::streams(plan)) name += means::blocks(plan) ? std::to_string(plan.gpu.blocks) : "graphs";
    if (plan.delay > 0) name += fmt::format("-d{:.0f}ns", plan.delay * 1e9);
    for (const Parameter& each : problem_traits(plan).parameters) {
        const double value = *parameter(plan, each.name);
        if (value != each.usual) name += fmt::format("-{}{}", each.name, value);
    }
    return name + fmt::format("-s{}", plan.seed);
}

} // namespace hogwild
