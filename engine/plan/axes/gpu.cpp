// How a GPU steps, and what is done with the hottest coordinates.
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/usual.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"

#include <array>

#include <fmt/format.h>

namespace hogwild {
namespace {

std::string streams_text(const Plan& plan) {
    if (!means::streams(plan)) return "";
    const std::string each = means::blocks(plan) ? fmt::format("{} blocks", grouped(plan.gpu.blocks)) : "graphs";
    return fmt::format(", {} stream{} of {}", plan.gpu.streams, plan.gpu.streams == 1 ? "" : "s", each);
}

std::string streams_cell(const Plan& plan) {
    if (!means::streams(plan)) return "-";
    return fmt::format("{} x {}", plan.gpu.streams, means::blocks(plan) ? std::to_string(plan.gpu.blocks) : "graphs");
}

std::string hot_text(const Plan& plan) {
    return means::hot(plan) && !device_traits(plan).gpu ? fmt::format(", {} hot", grouped(plan.hot.count)) : "";
}

std::string hot_cell(const Plan& plan) {
    return means::hot(plan) && !device_traits(plan).gpu ? std::to_string(plan.hot.count) : "-";
}

std::string hot_rule_text(const Plan& plan) {
    return means::hot_rule(plan) ? fmt::format(", {} hot x {}", grouped(plan.hot.count), human(plan.hot.rule)) : "";
}

std::string hot_rule_cell(const Plan& plan) {
    if (!means::streams(plan)) return "-";
    return plan.hot.count > 0 ? fmt::format("{} x {}", plan.hot.count, human(plan.hot.rule)) : "0";
}

std::string bridge_cell(const Plan& plan) {
    if (!means::bridge(plan)) return "-";
    return fmt::format("{}, {}", human(plan.bridge.rule), human_seconds(plan.bridge.pause));
}

constexpr const char* kShareOfIncrements = "a share of increments lies in (0, 1]";

constexpr auto kRows = std::to_array<Axis>({
    {.name = "streams",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.gpu.streams; },
     .help = "GPU workers ({gpu_workers} on a GPU; default: {}, of networks {}, but {} with graphs)",
     .defaults =
         [] {
             const std::string usual = fmt::format("{}", Plan{}.gpu.streams);
             return std::vector{usual, fmt::format("{}", kStreamsOfTeams), usual};
         },
     .stage = Axis::Stage::kStreams,
     .group = Axis::Group::kGpu,
     .role = Axis::Role::kPlace,
     .typed = "N",
     .range = {1, 128, Range::Open::kNone, "needs 1 to 128 streams", "use 4"},
     .applies = means::streams,
     .idle_note = "only {gpu_workers} on a GPU have streams",
     .text_place = 13,
     .sentence = {140, streams_text},
     .table = {80, Axis::Shown::kIfAny, "streams x blocks", streams_cell, nullptr, true},
     .announced = {40}},
    {.name = "blocks",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.gpu.blocks; },
     .help =
         "Thread blocks of a stream, 8 warps each; a warp steps on a row, so streams x blocks x 8 rows are in flight "
         "(of ratings and edges more) (default: {}); of networks, blocks make teams of up to eight, each of which "
         "steps on a batch (default: {})",
     .defaults =
         [] {
             return std::vector{fmt::format("{}", Plan{}.gpu.blocks), fmt::format("{}", kBlocksOfTeams)};
         },
     .stage = Axis::Stage::kThreads,
     .group = Axis::Group::kGpu,
     .role = Axis::Role::kPlace,
     .typed = "N",
     .range = {1, 1u << 20, Range::Open::kNone, "needs 1 to 2^20 thread blocks",
               "use half the GPU's number of multiprocessors"},
     .applies = means::blocks,
     .idle_note = "only {gpu_workers} on a GPU have thread blocks, but not {gpu_streams}'s graphs",
     .text_place = 14,
     .announced = {50}},
    {.name = "hot",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.hot.count; },
     .help =
         "Hottest coordinates that each thread block copies and adds to, of dense rows all or none; 0 for none; needs "
         "--placement hot-first, hot-apart or hottest (default: {} from {} blocks of all streams up under "
         "atomic, 0 otherwise and with --telemetry exact); of ratings those of the most rated users and items, as many "
         "as these hold, one at least, as they are stored (default: 0); on CPU threads those of --hot-updates, in "
         "whole "
         "cache lines of 16, under --placement hot-first or hottest, or those that --placement hot-first lays together "
         "and hot-apart on a line each (default: {}); of ratings, edges and texts in whole pages, as they are stored "
         "(default: {})",
     .defaults =
         [] {
             return std::vector{std::to_string(kHotOfBlocks), std::to_string(kBlocksOfHot),
                                std::to_string(kHotOfThreads), grouped(kHotOfGroups)};
         },
     .stage = Axis::Stage::kHot,
     .group = Axis::Group::kGpu,
     .typed = "N",
     .depends = true,
     .applies = means::hot,
     .idle_note =
         "only {hot_updates} on a GPU, and on threads with --hot-updates or a placement of them, has hot coordinates",
     .text_place = 15,
     .sentence = {200, hot_text},
     .table = {100, Axis::Shown::kIfVaried, "hot", hot_cell},
     .announced = {70}},
    {.name = "hot_rule",
     .field = +[](Plan& plan) -> double& { return plan.hot.rule; },
     .help = "Share of a copy's increments that reach the buffer: 1 sums over blocks, less averages",
     .stage = Axis::Stage::kHot,
     .group = Axis::Group::kGpu,
     .role = Axis::Role::kPlace,
     .typed = "X",
     .range = {0, 1, Range::Open::kBelow, kShareOfIncrements, "use 1"},
     .applies = means::hot_rule,
     .idle_note = "no run copies hot coordinates",
     .text_place = 16,
     .sentence = {210, hot_rule_text},
     .table = {90, Axis::Shown::kIfVaried, "hot x rule", hot_rule_cell}},
    {.name = "bridge_rule",
     .field = +[](Plan& plan) -> double& { return plan.bridge.rule; },
     .help = "replica: share of the GPU's increments that reach the host's array",
     .stage = Axis::Stage::kHot,
     .group = Axis::Group::kGpu,
     .role = Axis::Role::kPlace,
     .typed = "X",
     .range = {0, 1, Range::Open::kBelow, kShareOfIncrements, "use 1"},
     .applies = means::bridge,
     .idle_note = "only --memory replica has a bridge",
     .text_place = 17,
     .table = {110, Axis::Shown::kIfVaried, "bridge rule, pause", bridge_cell}},
    {.name = "bridge_pause",
     .field = +[](Plan& plan) -> double& { return plan.bridge.pause; },
     .help = "replica: pause between two exchanges",
     .stage = Axis::Stage::kHot,
     .group = Axis::Group::kGpu,
     .role = Axis::Role::kPlace,
     .typed = "SECONDS",
     .range = {0, 1, Range::Open::kNone, "a pause lies between 0 and 1 second", "use 0"},
     .applies = means::bridge,
     .idle_note = "only --memory replica has a bridge",
     .text_place = 18},
});

} // namespace

constinit const std::span<const Axis> kGpuAxes = kRows;

} // namespace hogwild
