// What is minimised, who works when, and on what.
#include "engine/data/sparse/placement.h"
#include "engine/memory/memory_kind.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/usual.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/meaning.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"
#include "kernels/guards.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

/// Guards that may be asked for.
std::span<const std::string_view> guard_names() {
    static const std::vector<std::string_view> kNames = [] {
        std::vector<std::string_view> names(catalog::names<Guards>.begin(), catalog::names<Guards>.end());
        std::erase_if(names, [](std::string_view name) { return !guard_traits(name).is_choice; });
        return names;
    }();
    return kNames;
}

std::string update_or_guard(const Plan& plan) {
    if (means::update(plan)) return update_text(plan);
    return means::guard(plan) ? plan.guard : "-";
}

std::string threads_text(const Plan& plan) {
    if (!means::threads(plan)) return "";
    return fmt::format(", {} thread{}", grouped(plan.threads), plan.threads == 1 ? "" : "s");
}

std::string device_text(const Plan& plan) {
    if (!device_traits(plan).gpu) return "";
    return on_both(plan) ? " on both devices" : " on gpu";
}

/// The parts of an old spelling, which says more than a place.
Spelling memory_respelled(std::string_view name) {
    const auto kind = parse_memory(name);
    if (!kind || name == place_name(*kind) || !why_no_memory(*kind).empty()) return {};
    Spelling parts{{"memory", std::string(place_name(*kind))}, {"numbers", std::string(numbers_name(*kind))}};
    if (kind->rounding != MemoryKind{}.rounding) parts.emplace_back("rounding", rounding_name(*kind));
    return parts;
}

/// By an old spelling all of a memory; of any other name `validate` knows whether it is a place.
void put_memory(Plan& plan, const Value& value, double) {
    const std::string& name = std::get<std::string>(value);
    if (memory_respelled(name).empty())
        plan.memory = name;
    else
        set_memory(plan, name);
}

/// What `memory_name` wrote.
void read_memory(Plan& plan, const std::string& name) {
    if (const auto kind = parse_memory(name))
        set_memory(plan, *kind);
    else
        plan.memory = name; // `validate` refuses it
}

std::string memory_text(const Plan& plan) {
    const std::string name = memory_name(plan);
    return name == home_of(plan.device) ? "" : ", " + name + " memory";
}

/// The homes of all devices, "host for cpu, device for gpu", and the memory of a plan.
std::vector<std::string> homes() {
    std::vector<std::string> each;
    for (const DeviceTraits& device : kDeviceTraits) each.push_back(fmt::format("{} for {}", device.home, device.name));
    return {fmt::format("{}", fmt::join(each, ", ")), Plan{}.memory};
}

constexpr auto kRows = std::to_array<Axis>({
    {.name = "problem",
     .field = +[](Plan& plan) -> std::string& { return plan.problem; },
     .help = "What is minimised",
     .role = Axis::Role::kObjective,
     .tuning = Axis::Tuning::kFixed,
     .names = [] { return std::span<const std::string_view>(catalog::names<Problems>); },
     .text_place = 1,
     .sentence = {10, [](const Plan& plan) { return plan.problem; }},
     .table = {10, Axis::Shown::kIfVaried, "problem"}},
    {.name = "scheme",
     .field = +[](Plan& plan) -> std::string& { return plan.scheme; },
     .help = "Who works when; auto: what hogwild tune finds within --budget, with its threads, policy and step",
     .role = Axis::Role::kMethod,
     .names = scheme_names,
     .also = kAuto,
     .usual = "serial,hogwild",
     .text_place = 2,
     .sentence = {20, [](const Plan& plan) { return " " + plan.scheme; }},
     .table = {20, Axis::Shown::kAlways, "scheme"}},
    {.name = "update",
     .field = +[](Plan& plan) -> std::string& { return plan.update; },
     .help = "How an increment reaches the shared buffer ({all_updates} without a guard; {margin_updates}: its "
             "margins, {plain_updates}; "
             "default: {} on threads, {adding_updates} with a GPU)",
     .stage = Axis::Stage::kUpdate,
     .role = Axis::Role::kMethod,
     .names = [] { return std::span<const std::string_view>(catalog::names<Updates>); },
     .depends = true,
     .applies = means::update,
     .idle_note = "only {all_updates} without a guard, and {margin_updates}, have a choice of updates",
     .text_place = 3,
     .cell = update_text,
     .sentence = {100, [](const Plan& plan) { return means::update(plan) ? " " + update_text(plan) : ""; }},
     .table = {30, Axis::Shown::kAlways, "update/guard", update_or_guard},
     .announced = {20, [](const Plan& plan) { return means::streams(plan) && means::update(plan); }}},
    {.name = "guard",
     .field = +[](Plan& plan) -> std::string& { return plan.guard; },
     .help = "What is held around one step ({guards}); publish: steps read and replace whole vectors of weights, of a "
             "network or of up to 65,536 columns",
     .stage = Axis::Stage::kUpdate,
     .role = Axis::Role::kMethod,
     .names = guard_names,
     .applies = means::guard,
     .idle_note = "only {guards|takes|take} one",
     .idle = Axis::Idle::kDefaultFirst,
     .text_place = 4,
     .sentence =
         {110,
          [](const Plan& plan) { return means::guard(plan) && plan.guard != Plan{}.guard ? " " + plan.guard : ""; }}},
    {.name = "device",
     .field = +[](Plan& plan) -> std::string& { return plan.device; },
     .help = "Whose workers step ({gpu_streams}; {gpu_batches}, and {gpu_teams} of networks, but not on both): cpu, "
             "threads; "
             "gpu, streams; both",
     .stage = Axis::Stage::kDevice,
     .group = Axis::Group::kGpu,
     .role = Axis::Role::kPlace,
     .names = names_of<kDeviceTraits>,
     .applies = means::device,
     .idle_note = "only {gpu_streams} and {gpu_batches}, and {gpu_teams} of networks, have a form for a GPU",
     .idle = Axis::Idle::kDefaultFirst,
     .text_place = 9,
     .has_cell = [](const Plan&) { return true; },
     .sentence = {130, device_text},
     .table = {40, Axis::Shown::kIfAny, "device", [](const Plan& plan) { return plan.device; }, wants_gpu}},
    {.name = "memory",
     .field = +[](Plan& plan) -> std::string& { return plan.memory; },
     .help = "Where the parameter buffer lies ({gpu_streams}; default: {}; {steps_on_doubles,}: {}), see below",
     .defaults = homes,
     .stage = Axis::Stage::kMemory,
     .group = Axis::Group::kGpu,
     .role = Axis::Role::kPlace,
     .names = [] { return std::span<const std::string_view>(kPlaceNames); },
     .respelled = memory_respelled,
     .depends = true,
     .put = put_memory,
     .applies = means::memory,
     .idle_note = "only {choice_of_memory|has|have} a choice of memory, {short_numbers_alone} of short numbers",
     .idle = Axis::Idle::kStays,
     .settle =
         [](Plan& plan) {
             if (!means::memory(plan)) plan.memory = home_of(plan.device);
         },
     .text_place = 10,
     .text = memory_name,
     .read = read_memory,
     .has_cell = [](const Plan&) { return true; },
     .sentence = {180, memory_text},
     .table = {50, Axis::Shown::kIfAnyOrVaried, "memory", memory_name, wants_gpu},
     .announced = {30, [](const Plan& plan) { return means::streams(plan) && means::memory(plan); }}},
    {.name = "numbers",
     .field = +[](Plan& plan) -> std::string& { return plan.numbers; },
     .help = "What the parameter buffer holds ({gpu_streams}; {steps_on_doubles,}: fp64 too; {short_numbers_alone}: "
             "bf16, fp16, int8 too; "
             "default: {}), see below",
     .stage = Axis::Stage::kMemory,
     .role = Axis::Role::kPlace,
     .names = [] { return std::span<const std::string_view>(kNumbersNames); },
     .depends = true, // an old spelling of the memory says it
     .applies = means::numbers,
     .idle_note = "only {choice_of_memory|has|have} a choice of numbers, {short_numbers_alone} of short ones",
     .has_cell = [](const Plan&) { return true; }},
    {.name = "rounding",
     .field = +[](Plan& plan) -> std::string& { return plan.rounding; },
     .help = "Of bf16, fp16 and int8: how steps round to them, without bias; by random words that a step draws once; "
             "to the nearest (default: {})",
     .stage = Axis::Stage::kMemory,
     .role = Axis::Role::kPlace,
     .names = [] { return std::span<const std::string_view>(kRoundingNames); },
     .depends = true, // an old spelling says it too
     .applies = means::rounding,
     .idle_note = "only steps on bf16, fp16 and int8 round to them",
     .has_cell = [](const Plan&) { return true; }},
    {.name = "placement",
     .field = +[](Plan& plan) -> std::string& { return plan.placement; },
     .help = "Where each coordinate lies in the buffer: as in the file, by frequency, at random, or at random but for "
             "the --hot hottest, which come first, together or on a cache line each (default: {}; of {gpu_streams}'s "
             "sparse rows on a GPU scattered, where it copies hot coordinates hot-first, of {exchanges}'s hottest)",
     .stage = Axis::Stage::kPlacement,
     .role = Axis::Role::kPlace,
     .names = names_of<kPlacementTraits>,
     .depends = true,
     .settle =
         [](Plan& plan) {
             if (plan.hot.count == 0 && places_hot(plan)) plan.placement = "scattered";
         },
     .text_place = 11,
     .sentence =
         {
             190,
             [](const Plan& plan) {
                 return plan.placement == usual_placement(plan) ? "" : ", " + plan.placement + " placement";
             }},
     .table = {60, Axis::Shown::kIfVaried, "placement", nullptr,
               [](const Plan& plan) { return plan.placement != usual_placement(plan); }},
     .announced = {80, means::hot}},
    {.name = "threads",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.threads; },
     .help =
         "Workers: 1,2,4; a range doubles, 1..16 is 1,2,4,8,16; all is 1..usable cores (default: the usable cores; "
         "with --device both one fewer for every stream and the replica's bridge, and one for the rest of the system)",
     .stage = Axis::Stage::kThreads,
     .role = Axis::Role::kPlace,
     .grammar = Axis::Grammar::kThreads,
     .typed = "N|A..B|all",
     .depends = true,
     .range = {1, kMostThreads, Range::Open::kNone, "needs 1 to 4096 workers", "use the number of cores"},
     .applies = means::threads,
     .idle_note = "{one_worker|has|have} one thread, a GPU has streams",
     .text_place = 12,
     .sentence = {120, threads_text},
     .table = {70, Axis::Shown::kAlways, "threads",
               [](const Plan& plan) { return device_traits(plan).threads ? std::to_string(plan.threads) : "-"; },
               nullptr, true},
     .announced = {10, [](const Plan& plan) { return means::streams(plan) && means::threads(plan); }}},
});

static_assert(kMostThreads == 4096);

} // namespace

constinit const std::span<const Axis> kWhatAxes = kRows;

} // namespace hogwild
