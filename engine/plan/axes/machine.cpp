// How workers go through the samples, and on which hardware.
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/meaning.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "kernels/kernels.h"
#include "kernels/lanes/dispatch.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr auto kLaneNames = [] {
    std::array<std::string_view, 1 + kInstructionSets> names{kAuto};
    std::ranges::copy(kInstructionSetNames, names.begin() + 1);
    return names;
}();

constexpr auto kRows = std::to_array<Axis>({
    {.name = "delay",
     .field = +[](Plan& plan) -> double& { return plan.delay; },
     .help =
         "Added to each gradient, between its reads and its writes: what a costlier loss would do (CPU threads, not "
         "{never_delayed})",
     .stage = Axis::Stage::kHot,
     .role = Axis::Role::kObjective,
     .tuning = Axis::Tuning::kFixed,
     .typed = "SECONDS",
     .range = {0, 0.01, Range::Open::kNone, "a delay lies between 0 and 0.01 seconds", "use 1e-6"},
     .text_place = 19,
     .sentence = {470,
                  [](const Plan& plan) {
                      return plan.delay > 0 ? fmt::format(", each gradient {} later", human_seconds(plan.delay)) : "";
                  }},
     .table = {120, Axis::Shown::kIfVaried, "delay", [](const Plan& plan) { return human_seconds(plan.delay); }}},
    {.name = "order",
     .field = +[](Plan& plan) -> std::string& { return plan.order; },
     .help = "In which order samples are visited",
     .stage = Axis::Stage::kOrder,
     .names = names_of<kOrderTraits>,
     .text_place = 5,
     .table = {130, Axis::Shown::kIfVaried, "order"}},
    {.name = "pin",
     .field = +[](Plan& plan) -> std::string& { return plan.pin; },
     .help = "Where threads are bound",
     .stage = Axis::Stage::kOrder,
     .names = names_of<kPinTraits>,
     .text_place = 6,
     .table = {140, Axis::Shown::kIfVaried, "pin"}},
    {.name = "lanes",
     .field = +[](Plan& plan) -> std::string& { return plan.lanes; },
     .help = "Instruction set: same bits, another speed",
     .stage = Axis::Stage::kOrder,
     .names = [] { return std::span<const std::string_view>(kLaneNames); },
     .text_place = 8,
     .sentence = {450, [](const Plan& plan) { return plan.lanes == Plan{}.lanes ? "" : ", lanes " + plan.lanes; }},
     .table = {150, Axis::Shown::kIfVaried, "lanes"}},
    {.name = "telemetry",
     .field = +[](Plan& plan) -> std::string& { return plan.telemetry; },
     .help = "Staleness and lost updates: sampled costs a little, exact is not for timed runs",
     .stage = Axis::Stage::kHotUpdates,
     .tuning = Axis::Tuning::kFixed,
     .names = [] { return std::span<const std::string_view>(catalog::names<Probes>); },
     .applies = means::telemetry,
     .idle_note =
         "{no_concurrent_writers|has|have} no concurrent writers to watch, {clusters|has|have} several models, "
         "{steps_on_doubles} no probes",
     .text_place = 7,
     .has_cell = [](const Plan&) { return true; },
     .sentence =
         {460,
          [](const Plan& plan) { return plan.telemetry == Plan{}.telemetry ? "" : ", telemetry " + plan.telemetry; }},
     .table = {160, Axis::Shown::kIfVaried, "telemetry", [](const Plan& plan) { return plan.telemetry; }}},
    {.name = "hot_updates",
     .field = +[](Plan& plan) -> std::string& { return plan.hot.updates; },
     .help =
         "{hot_updates}'s threads: how increments of the --hot hottest coordinates are written: as all others; by each "
         "worker "
         "once in --exchange samples (not of cuts); one in --exchange, so many times as large (sparse rows); to a "
         "replica of each worker's, which is exchanged every --exchange samples; auto: replicated where on sparse rows "
         "and ratings workers would wait longer for lines from other cores, whose travel is measured, than they step, "
         "else direct (default: {}, but {} where some of the runs can have no replicas, with --checkpoint and "
         "--resume, and in sweeps)",
     .defaults =
         [] {
             return std::vector{std::string(kAuto), Plan{}.hot.updates};
         },
     .stage = Axis::Stage::kHotUpdates,
     .role = Axis::Role::kMethod,
     .names = names_of<kHotUpdateTraits>,
     .also = kAuto,
     .applies = means::hot_updates,
     .idle_note = "only {hot_updates|has|have} a choice of them",
     .idle = Axis::Idle::kDefaultFirst,
     .text_place = 33,
     .written = [](const Plan& plan) { return plan.hot.updates != Plan{}.hot.updates; },
     .column = false}, // that of `update` says it
});

} // namespace

constinit const std::span<const Axis> kMachineAxes = kRows;

} // namespace hogwild
