// How large steps are, and of how many samples.
#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/usual.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

std::string step_cell(const Plan& plan) {
    std::string text = fmt::format("{} {}", plan.step.kind, human(plan.step.size));
    if (means::decay(plan)) text += fmt::format(" x {}", human(plan.step.decay));
    return text;
}

std::string batches_cell(const Plan& plan) {
    if (!means::two_batches(plan)) return "-";
    return plan.batch.rule + (adapts(plan) ? fmt::format(" to {}", plan.batch.most) : "");
}

/// Whether its text says how the batches of two devices are.
bool writes_two_batches(const Plan& plan) { return problem_traits(plan).takes_network && has_two_batches(plan); }

/// Rounded as a size that somebody chose. Errors: usage where nothing, or nothing finite, is left of it.
double scaled(double size, double factor) {
    constexpr int kDigits = 3;
    if (const double product = size * factor; std::isfinite(product) && product > 0) return to_digits(product, kDigits);
    throw Error(Failure::kUsage, fmt::format("--step-scale {} cannot be", exact(factor)),
                fmt::format("times a step size of {} it is no finite number above 0", human(size)), "use 0.1 to 10");
}

constexpr auto kRows = std::to_array<Axis>({
    {.name = "step",
     .field = +[](Plan& plan) -> std::string& { return plan.step.kind; },
     .help = "How the step size falls (default: {}; of skipgram and network linear)",
     .stage = Axis::Stage::kOrder,
     .names = names_of<kStepTraits>,
     .depends = true,
     .put =
         [](Plan& plan, const Value& value, double) {
             plan.step.kind = std::get<std::string>(value);
             plan.step.warm_up = 0;
         },
     .text_place = 27,
     .sentence = {220,
                  [](const Plan& plan) { return fmt::format(", {} step {}", plan.step.kind, human(plan.step.size)); }},
     .table = {300, Axis::Shown::kAlways, "step", step_cell},
     .announced = {90}},
    {.name = "step_size",
     .field = +[](Plan& plan) -> double& { return plan.step.size; },
     .help =
         "Step size that --step begins with, after a --warm-up (default: by problem, scheme and data; of networks at "
         "most {} / (threads + {} x GPU teams) under {all_updates})",
     .defaults =
         [] {
             return std::vector{human(kMostStepAtOnce), human(kStepsOfTeam)};
         },
     .stage = Axis::Stage::kStep,
     .tuning = Axis::Tuning::kFine,
     .typed = "X",
     .depends = true,
     .range = {0, kLargest, Range::Open::kBelow, "a step size is a finite number above 0", "use 0.1"},
     .text_place = 28,
     .announced = {100}},
    {.name = "step_scale",
     .help = "Times the step size: of the default, one grid for all schemes",
     .stage = Axis::Stage::kScale,
     .tuning = Axis::Tuning::kFine,
     .grammar = Axis::Grammar::kAboveZero,
     .typed = "X",
     .depends = true,
     .put = [](Plan& plan, const Value& value,
               double) { plan.step.size = scaled(plan.step.size, std::get<Real>(value).value); },
     .column = false},
    {.name = "decay",
     .field = +[](Plan& plan) -> double& { return plan.step.decay; },
     .help = "{epoch_decays,}: factor per epoch; {plateaus,}: factor on a plateau",
     .stage = Axis::Stage::kStep,
     .tuning = Axis::Tuning::kFine,
     .typed = "X",
     .depends = true,
     .range = {0, 1, Range::Open::kBelow, "the factor on the step lies in (0, 1]", "use 0.9"},
     .applies = means::decay,
     .idle_note = "only {--step decays} decay",
     .text_place = 29,
     .sentence =
         {230, [](const Plan& plan) { return means::decay(plan) ? fmt::format(" x {}", human(plan.step.decay)) : ""; }},
     .announced = {110}},
    {.name = "half_life",
     .field = +[](Plan& plan) -> double& { return plan.step.half_life; },
     .help = "{half_lives,}: epochs after which the step has halved",
     .stage = Axis::Stage::kStep,
     .group = Axis::Group::kOne,
     .grammar = Axis::Grammar::kAboveZero,
     .typed = "EPOCHS",
     .range = {0, std::numeric_limits<double>::infinity(), Range::Open::kBelow, "needs a number of epochs above 0",
               "use 1"},
     .applies = means::half_life,
     .idle_note = "only {--step half_lives|has|have} one",
     .text_place = 30,
     .column = false},
    {.name = "plateau",
     .field = +[](Plan& plan) -> double& { return plan.step.plateau; },
     .help = "{plateaus,}: relative improvement per epoch below which the step shrinks",
     .stage = Axis::Stage::kStep,
     .group = Axis::Group::kOne,
     .grammar = Axis::Grammar::kAboveZero,
     .typed = "X",
     .range = {0, 1, Range::Open::kAbove, "a relative improvement lies in [0, 1)", "use 0.01"},
     .applies = means::plateau,
     .idle_note = "only {--step plateaus|looks|look} for one",
     .text_place = 31,
     .column = false},
    {.name = "warm_up",
     .field = +[](Plan& plan) -> double& { return plan.step.warm_up; },
     .help =
         "The step size rises linearly to that of --step over so many epochs or samples; not what --no-warm-up skips "
         "(default: {}; of networks and squared losses {} where --step is not given)",
     .defaults =
         [] {
             return std::vector{written(Plan{}.step.warm_up), human(kUsualWarmUp)};
         },
     .stage = Axis::Stage::kStep,
     .grammar = Axis::Grammar::kWarmUp,
     .typed = "EPOCHS|Nsamples",
     .depends = true,
     .range = {0, 1e6, Range::Open::kNone, "a warm-up takes 0 to 1,000,000 epochs", "use 1, or 1000samples"},
     .text_place = 32,
     .has_cell = [](const Plan& plan) { return plan.step.warm_up > 0; },
     .sentence =
         {
             240,
             [](const Plan& plan) {
                 return plan.step.warm_up > 0 ? fmt::format(", warm-up {}", human(plan.step.warm_up)) : "";
             }},
     .table = {270, Axis::Shown::kIfVaried, "warm-up", [](const Plan& plan) { return human(plan.step.warm_up); }},
     .announced = {120, [](const Plan& plan) { return means::network(plan) || plan.step.warm_up > 0; }}},
    {.name = "batch",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.batch.size; },
     .help = "Samples per step: of {minibatches}, and of every scheme's steps of a network; {conflict_batches}: whose "
             "conflicts are looked at together",
     .stage = Axis::Stage::kStep,
     .tuning = Axis::Tuning::kFine,
     .typed = "N",
     .depends = true,
     .range = {1, kLargest, Range::Open::kNone, "a batch needs at least one sample", "use 1 or more"},
     .applies = means::batch,
     .idle_note = "only {batches|has|have} batches",
     .text_place = 22,
     .sentence = {250,
                  [](const Plan& plan) { return means::batch(plan) ? ", batch " + grouped(plan.batch.size) : ""; }},
     .table = {310, Axis::Shown::kIfAny, "batch", nullptr, nullptr, true},
     .announced = {130}},
    {.name = "gpu_batch",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.batch.gpu; },
     .help =
         "Samples per step of a GPU's teams (networks on both devices): --batch, or that doubled some times (default: "
         "{}, --batch)",
     .stage = Axis::Stage::kStep,
     .group = Axis::Group::kGpu,
     .typed = "N",
     .applies = means::two_batches,
     .idle_note = "only networks under {gpu_streams} on both devices have two batches",
     .text_place = 52,
     .written = [](const Plan& plan) { return writes_two_batches(plan) || plan.batch.gpu > 0; },
     .sentence =
         {
             260,
             [](const Plan& plan) {
                 return means::two_batches(plan) && plan.batch.gpu > 0
                            ? fmt::format(", {} on the GPU", grouped(plan.batch.gpu))
                            : "";
             }},
     .table =
         {320, Axis::Shown::kIfVaried, "GPU's batch",
          [](const Plan& plan) { return means::two_batches(plan) ? std::to_string(first_gpu_batch(plan)) : "-"; }}},
    {.name = "batch_rule",
     .field = +[](Plan& plan) -> std::string& { return plan.batch.rule; },
     .help =
         "Whether batches change (networks on both devices): adaptive halves that of the device with fewer steps, and "
         "doubles that of the other, until both make as many; adaptive-linear lets step sizes grow with them",
     .stage = Axis::Stage::kStep,
     .group = Axis::Group::kGpu,
     .names = names_of<kBatchRuleTraits>,
     .applies = means::two_batches,
     .idle_note = "only networks under {gpu_streams} on both devices have two batches",
     .text_place = 53,
     .written = [](const Plan& plan) { return writes_two_batches(plan) || adapts(plan); },
     .table = {330, Axis::Shown::kIfVaried, "batches", batches_cell}},
    {.name = "batch_most",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.batch.most; },
     .help = "{adapting_batches,}: no batch grows beyond it, as none shrinks below --batch",
     .stage = Axis::Stage::kStep,
     .group = Axis::Group::kGpu,
     .typed = "N",
     .applies = means::batch_most,
     .idle_note = "only --batch-rule {adapting_batches|has|have} one",
     .text_place = 54,
     .written = [](const Plan& plan) { return writes_two_batches(plan) || adapts(plan); },
     .sentence =
         {
             270,
             [](const Plan& plan) {
                 return means::batch_most(plan)
                            ? fmt::format(", {} up to {}", plan.batch.rule, grouped(plan.batch.most))
                            : "";
             }}},
});

} // namespace

constinit const std::span<const Axis> kStepAxes = kRows;

} // namespace hogwild
