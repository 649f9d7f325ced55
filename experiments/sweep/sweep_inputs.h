// What the runs of a sweep on one dataset stand on: the samples, every combination's plans, the targets, and processes to run in.
//
// Thread-safety: one runner. Errors: those of loading; Error (Failure::kUsage) for a combination that is not one run.
#pragma once

#include "engine/plan/plan.h"
#include "experiments/folder/manifest.h"
#include "experiments/inputs/inputs.h"
#include "experiments/inputs/placements.h"
#include "experiments/plans/product.h"
#include "experiments/session/trial.h"
#include "experiments/sweep/spec/cases.h"
#include "experiments/targets/objectives.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hogwild {

/// What may be chosen for a combination: the settings that are tried, and the plan with them. The plan's seed counts nothing.
struct Candidate {
    Case tried;
    Plan plan;
};

/// What is tried for a combination of these settings.
using Tried = std::function<std::vector<Case>(const Case& settings)>;

struct Combination {
    Case settings;
    std::vector<Candidate> candidates; // one where nothing is tuned
};

class SweepInputs {
public:
    /// The plans. `settings`: combinations whose samples and target are the same. `tried`: as candidates(). `count`:
    /// how many candidates every combination has at the end (experiments/sweep/equal_chances.h), 0: as many as apply to
    /// it.
    SweepInputs(const std::vector<Case>& settings, const Tried& tried, std::size_t count = 0);

    /// What running them takes: targets, from optima that lie in this folder or are put there, and placements.
    /// Errors: Error (Failure::kMissing) for a GPU that is demanded and not there; those of Objectives.
    void prepare(const std::filesystem::path& optima);

    /// Each distinct one once.
    const std::vector<Combination>& combinations() const { return combinations_; }

    /// Lines for people: data, a network of all combinations, optima once prepared, what cannot run and why.
    const std::vector<std::string>& notes() const { return notes_; }

    /// The network that notes name; empty: there are none, or several.
    const std::string& network() const { return network_; }

    /// Adds a candidate, unless `hogwild run` would leave it out or the combination has its plan; whether it did.
    bool add(Combination& combination, const Case& tried);

    /// Tells runs apart: plan, samples and the target as it was asked for.
    std::string key(const Plan& plan) const;

    const Dataset& train() const { return placements_ ? placements_->train() : inputs_.train; }
    const Dataset* test() const;

    // Once prepared:
    const Origin& origin() const { return *origin_; }
    const Objective& objective(const Plan& plan) const { return objectives_->of(plan); }
    Trials& trials() { return *trials_; }

private:
    std::vector<Plan> plans() const;
    Product product_of(const Case& settings, const Case& tried);
    void note(const std::string& line);

    RunOptions options_; // of the first: samples and target
    Inputs inputs_;      // its samples until they are placed
    SampleScale scale_;
    Gpus gpus_;
    std::vector<Combination> combinations_;
    std::vector<std::string> notes_;
    std::string network_;
    std::set<std::string> left_out_; // kinds that notes name: of many candidates one
    std::unique_ptr<Placements> placements_;
    std::unique_ptr<Objectives> objectives_;
    std::unique_ptr<Origin> origin_;
    std::unique_ptr<Trials> trials_;
};

/// Combinations by their samples and target, in the order in which each kind comes first.
std::vector<std::vector<Case>> by_samples(const std::vector<Case>& cases);

} // namespace hogwild
