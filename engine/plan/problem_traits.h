// What a problem is and takes: one row of properties each, from what its access pattern says (kernels/steps/steps.h).
// Nobody else asks a pattern by its problem's name.
//
// Unknown names: engine/plan/choice_rows.h. Thread-safety: rows are constants; all functions are pure.
#pragma once

#include "kernels/parameters.h"
#include "kernels/score.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

struct ProblemTraits {
    std::string_view name{};

    // Its models.
    bool takes_network = false;              // they are networks
    std::span<const Parameter> parameters{}; // what else a user chooses of them

    // Its losses.
    std::span<const Score> scores{}; // what samples are scored by besides
    bool regularised = false;        // they have a regulariser
    double l2 = 0;                   // lambda where nothing is said: see usual_l2
    bool shrinks_all = false;        // L2 shrinks all weights at every step; else each sample shrinks what it touches
    bool convex = false;             // of problems that are not linear

    // Its steps.
    bool takes_batches = false;  // they take `batch` samples, whatever the scheme
    bool touches_all = false;    // they touch every weight
    bool guided = false;         // told where to read and write and by which factor, as published vectors want
    bool projects = false;       // they project what they write, so that increments do not add up
    bool has_long_steps = false; // beside one on a rating or an edge

    // What GPU streams do.
    bool runs_on_gpu = false;    // step on its samples
    bool has_hot_copies = false; // copy hot coordinates (kernels/cuda/rows/hot_copies.cuh)
    bool has_halves = false;     // step on parameters of 16 bits (kernels/numbers/storage.h)

    /// Whether any score is of test samples.
    constexpr bool scores_test() const {
        return std::ranges::any_of(scores, [](const Score& score) { return score.samples == Scored::kTest; });
    }

    /// lambda where nothing is said, of so many samples; of ratings for each unit of their deviation.
    double usual_l2(std::uint64_t samples, double deviation = 1) const;
};

/// Every problem's row, in the order of the catalog.
std::span<const ProblemTraits> all_problems();

/// The row of that name.
const ProblemTraits& problem_traits(std::string_view name);
const ProblemTraits& problem_traits(const Plan& plan);

/// Whether more of this score is better; else less is. Precondition: it is one of `known_names("score")`.
bool more_is_better(std::string_view score);

/// Its name on a command line: "--rank".
std::string option_of(const Parameter& parameter);

/// The plan's parameters of its model, with the usual ones where it names none.
std::vector<double> parameters(const Plan& plan);

/// That of the name; nothing where the problem's models have none.
std::optional<double> parameter(const Plan& plan, std::string_view name);

} // namespace hogwild
