#include "experiments/targets/objectives.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/optimum/optimum.h"
#include "engine/optimum/optimum_cache.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/record/targets.h"
#include "kernels/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hogwild {
namespace {

Optimum solved_for(const std::string& problem, const Dataset& train, double l2, const std::filesystem::path& cache,
                   const std::filesystem::path& kept) {
    const auto solved = [&] {
        return cache.empty() ? solve(problem, train.sparse(), l2) : solve_cached(cache, problem, train.sparse(), l2);
    };
    if (kept.empty()) return solved();
    const OptimumKey key{hash_of(train.sparse()), problem, l2};
    if (const auto known = load_optimum(kept, key)) return *known;
    Optimum fresh = solved();
    store_optimum(kept, key, fresh);
    return fresh;
}

/// Why no optimum of a problem that is not linear is known.
const char* why_unknown(const std::string& problem) {
    return problem_traits(problem).convex ? "its loss is convex, but nothing here certifies an optimum"
                                          : "its loss is not convex, and nothing certifies an optimum";
}

/// A target that no run could reach is refused before any. The problem has the score.
void check_score(const std::string& score, const std::string& problem, const Dataset& train, bool tested) {
    const std::string what = fmt::format("no target can be fixed for {} by {}", problem, score);
    const std::span<const Score> known = problem_traits(problem).scores;
    const auto at = std::ranges::find(known, score, &Score::name);
    if (at->samples == Scored::kTest && !tested)
        throw Error(Failure::kUsage, what, "there are no test samples", "name some with --test, or held-out");
    if (const auto lacks = train.view().why_unscored(static_cast<std::size_t>(at - known.begin())); !lacks.empty())
        throw Error(Failure::kUsage, what, fmt::format("the samples have {}", lacks),
                    "add some, or name another score");
}

} // namespace

Objectives::Objectives(const RunOptions& options, const std::vector<Plan>& plans, const Dataset& train, bool tested,
                       const std::filesystem::path& kept) {
    const bool gap = options.target && options.target->is_gap;
    const std::string cache = options.data.load_options().cache_directory;
    for (const Plan& plan : plans) {
        const auto [at, fresh] = objectives_.emplace(std::tuple(plan.problem, plan.l2, plan.l1), Objective{});
        if (!fresh) continue;
        Objective& objective = at->second;
        if (options.target) check_target(*options.target, plan.problem);
        if (options.target && !options.target->score.empty())
            check_score(options.target->score, plan.problem, train, tested);
        if (options.target) objective.target_of = options.target->score.empty() ? kTrainLoss : options.target->score;
        if (options.target && !gap) objective.target = options.target->value;
        if (!gap && !options.optimum) continue;
        if (!is_linear(plan.problem)) {
            if (gap) {
                throw Error(Failure::kUsage, "no target can be fixed for " + plan.problem + " by a gap",
                            why_unknown(plan.problem),
                            fmt::format("give the target as a loss, --target 0.3, or as a score, --target {}:X",
                                        problem_traits(plan).scores[0].name));
            }
            notes_.push_back(fmt::format("optimum of {}: unknown, {}", plan.problem, why_unknown(plan.problem)));
            continue;
        }
        if (plan.l2 == 0) {
            if (gap) {
                throw Error(Failure::kUsage, "no target can be fixed for " + plan.problem + " without L2",
                            "nothing certifies an optimum when lambda is 0",
                            "give the target as a loss, --target 0.3, or an --l2 above 0");
            }
            notes_.push_back(fmt::format("optimum of {}: unknown without L2, nothing certifies it", plan.problem));
            continue;
        }
        if (plan.l1 > 0) {
            if (gap) {
                throw Error(
                    Failure::kUsage, "no target can be fixed for " + plan.problem + " with L1 by a gap",
                    "the solver of optima knows no L1; what certifies a run's final weights is not known before it",
                    "give the target as a loss, --target 0.3");
            }
            notes_.push_back(fmt::format("optimum of {} with L1: unknown, final weights are certified by a duality gap",
                                         plan.problem));
            continue;
        }
        const Optimum solved = solved_for(plan.problem, train, plan.l2, cache, kept);
        objective.optimum = solved.lower;
        objective.attained = solved.value;
        objective.initial = solved.initial;
        if (gap) objective.target = target_at(options.target->value, solved.lower, solved.initial);
        std::string note = fmt::format("optimum of {}, l2 {}: F* in [{:.9g}, {:.9g}], F(w0) {:.6g}", plan.problem,
                                       human(plan.l2), solved.lower, solved.value, solved.initial);
        if (!solved.converged)
            note += fmt::format("; not solved to its tolerance after {}", human_seconds(solved.seconds));
        if (gap) note += fmt::format("; target {:.6g}", objective.target);
        notes_.push_back(std::move(note));
    }
}

const Objective& Objectives::of(const Plan& plan) const { return objectives_.at({plan.problem, plan.l2, plan.l1}); }

} // namespace hogwild
