// F* and the target of every objective (problem, L2, L1) of a product: fixed before anything is timed.
//
// Solves in double, once per objective, through the optimum cache when there is one. Errors: Error (Failure::kUsage)
// for a target as a gap where nothing certifies F* (L2 is 0, L1 is not, or the problem is not linear). It is thrown too
// for a target on a score that the problem has not or that these samples do not give. Error (Failure::kDisk) when an
// optimum cannot be kept.
#pragma once

#include "engine/data/dataset.h"
#include "engine/record/outcome.h"
#include "experiments/options/options.h"

#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

struct Objective {
    double optimum = kNone;  // certified lower bound on F*
    double attained = kNone; // the best F that was found, at most optimum + certificate
    double initial = kNone;  // F(w0)
    double target = kNone;   // of what `target_of` names
    std::string target_of;   // "train_loss", or a score; empty: there is no target
};

/// The column of what a target is of where it is no score.
inline constexpr const char* kTrainLoss = "train_loss";

class Objectives {
public:
    /// `kept`: a folder whose optima hold before any other, certified or not, and which gets those that it lacks; empty:
    /// none. So targets stay what they were, whatever a solver made of them elsewhere or later. `tested`: there are test samples.
    Objectives(const RunOptions& options, const std::vector<Plan>& plans, const Dataset& train, bool tested,
               const std::filesystem::path& kept = {});

    const Objective& of(const Plan& plan) const;

    /// One line for each that was solved, for people.
    const std::vector<std::string>& notes() const { return notes_; }

private:
    std::map<std::tuple<std::string, double, double>, Objective> objectives_;
    std::vector<std::string> notes_;
};

} // namespace hogwild
