// What is added to the losses, for how long a run goes on, and what is looked at meanwhile.
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

/// "--l2 1/n (= 0.0037)"; the number alone where each sample shrinks what it touches.
std::string l2_option(const Plan& plan) {
    const std::string value = human(plan.l2);
    return problem_traits(plan).shrinks_all ? fmt::format("--l2 1/n (= {})", value) : "--l2 " + value;
}

constexpr auto kRows = std::to_array<Axis>({
    {.name = "l2",
     .field = +[](Plan& plan) -> double& { return plan.l2; },
     .help = "lambda of (lambda / 2) |w|^2 (default: 1/n; of ratings, each shrinking what it touches, {} times their "
             "deviation)",
     .defaults = [] { return std::vector{human(problem_traits(Factorization::name).usual_l2(1))}; },
     .stage = Axis::Stage::kL2,
     .role = Axis::Role::kObjective,
     .tuning = Axis::Tuning::kFixed,
     .grammar = Axis::Grammar::kOneOverRows,
     .typed = "X|1/n",
     .depends = true,
     .range = {0, kLargest, Range::Open::kNone, "lambda is a finite number from 0 up", "use 1/n"},
     .applies = means::l2,
     .idle_note = "their losses have no regulariser",
     .text_place = 21,
     .table = {280, Axis::Shown::kIfVaried, "l2", [](const Plan& plan) { return human(plan.l2); }},
     .announced = {170, nullptr, l2_option}},
    {.name = "l1",
     .field = +[](Plan& plan) -> double& { return plan.l1; },
     .help = "{corrected_steps,}: lambda1 of lambda1 |w|_1, by proximal steps; part of the loss",
     .group = Axis::Group::kOne,
     .role = Axis::Role::kObjective,
     .typed = "X",
     .range = {0, kLargest, Range::Open::kNone, "lambda1 is a finite number from 0 up", "use 0"},
     .idle = Axis::Idle::kStays,
     .text_place = 39,
     .written = [](const Plan& plan) { return scheme_traits(plan).corrects_steps() || plan.l1 > 0; },
     .has_cell = [](const Plan& plan) { return plan.l1 > 0; },
     .sentence = {170, [](const Plan& plan) { return plan.l1 > 0 ? fmt::format(", l1 {}", human(plan.l1)) : ""; }},
     .table = {290, Axis::Shown::kIfVaried, "l1", [](const Plan& plan) { return human(plan.l1); }}},
    {.name = "epochs",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.epochs; },
     .help = "Traversals of the samples, all workers together",
     .stage = Axis::Stage::kEpochs,
     .tuning = Axis::Tuning::kFixed,
     .typed = "N",
     .depends = true,
     .range = {1, 1e6, Range::Open::kNone, "a run takes 1 to 1,000,000 epochs", "use 10"},
     .text_place = 20,
     .table = {400, Axis::Shown::kIfVaried, "epochs"},
     .announced = {210}},
    {.name = "seed",
     .field = +[](Plan& plan) -> std::uint64_t& { return plan.seed; },
     .help = "Repeats; 1..5 is 1,2,3,4,5",
     .stage = Axis::Stage::kEpochs,
     .role = Axis::Role::kRepeat,
     .grammar = Axis::Grammar::kSeeds,
     .typed = "N|A..B",
     .text_place = 26,
     .column = false}, // which run of its kind it is: the first that is measured
    {.name = "cas_limit",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.cas_limit; },
     .help = "{dropping_updates,}: tries before an increment is dropped; {publishing_guards,}: before a step is",
     .group = Axis::Group::kOne,
     .typed = "N",
     .range = {1, kLargest, Range::Open::kNone, "an increment needs at least one try", "use 1 or more"},
     .applies = means::cas_limit,
     .idle_note = "only {--update dropping_updates}, without a guard, and {--guard publishing_guards} have one",
     .text_place = 24,
     .column = false},
    {.name = "int8_range",
     .field = +[](Plan& plan) -> double& { return plan.int8_range; },
     .help = "int8: how large a weight can at least be; they are a power of two apart, X / 127 to twice that",
     .group = Axis::Group::kOne,
     .grammar = Axis::Grammar::kAboveZero,
     .typed = "X",
     .range = {1e-6, 1e6, Range::Open::kNone, "what int8 weights reach lies between 1e-6 and 1,000,000", "use 4"},
     .applies = means::int8_range,
     .idle_note = "only numbers of int8 have a range",
     .text_place = 40,
     .written = [](const Plan& plan) { return has_int8(plan); },
     .column = false,
     .sentence =
         {
             160,
             [](const Plan& plan) {
                 return means::int8_range(plan) ? fmt::format(", int8 range {}", human(plan.int8_range)) : "";
             }}},
    {.name = "observations_per_epoch",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.observations_per_epoch; },
     .help = "Snapshots per epoch, copied while workers run",
     .group = Axis::Group::kOne,
     .typed = "N",
     .option = "--observe",
     .range = {1, 10'000, Range::Open::kNone, "needs 1 to 10000 observations an epoch", "use 10"},
     .text_place = 25,
     .column = false},
});

} // namespace

constinit const std::span<const Axis> kObjectiveAxes = kRows;

} // namespace hogwild
