// What workers with models of their own exchange, and whom a synchronous step waits for.
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/meaning.h"
#include "engine/plan/plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kMostDoublings = 16;

/// Whether its text has what exchanges with a shared model are: names of problems need not be known.
bool writes_combining(const Plan& plan) { return means::combine(plan) || hot_traits(plan).replicates; }

constexpr auto kRows = std::to_array<Axis>({
    {.name = "exchange",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.exchange.period; },
     .help =
         "Samples per worker between exchanges: local-sgd and async-local-sgd, 0 for once per epoch; replicated: "
         "between its averages; hogwild++: for which a cluster keeps the token; hogwild: of --hot-updates (default of "
         "async-local-sgd and hogwild: 512 / threads, or teams of a GPU, 16 to 128, of ratings and edges 16,384 / "
         "threads, 256 to 4,096, of windows 4,096 / threads, 64 to 1,024, of thinned ones 4)",
     .stage = Axis::Stage::kStep,
     .typed = "N",
     .depends = true,
     .applies = means::exchange,
     .idle_note = "only local-sgd, async-local-sgd, replicated and hogwild++ exchange, and hogwild with --hot-updates",
     .text_place = 23,
     .sentence = {290,
                  [](const Plan& plan) {
                      return means::exchange(plan) ? fmt::format(", exchange {}", plan.exchange.period) : "";
                  }},
     .table = {340, Axis::Shown::kIfAny, "exchange", nullptr, nullptr, true},
     .announced = {140}},
    {.name = "cluster",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.exchange.cluster; },
     .help = "replicated, hogwild++: workers that share a model: 1 (core), those of a NUMA node or, on a machine of "
             "one, of "
             "a last-level cache (node), all (machine) (default: node where there are several, else core)",
     .stage = Axis::Stage::kCluster,
     .grammar = Axis::Grammar::kCluster,
     .typed = "N|core|node|machine",
     .depends = true,
     .range = {1, kMostThreads, Range::Open::kNone, "a model is shared by 1 to 4096 workers",
               "use 1, or core, node or machine"},
     .applies = means::cluster,
     .idle_note = "only replicated and hogwild++ have some",
     .settle = [](Plan& plan) { plan.exchange.cluster = std::min(plan.exchange.cluster, plan.threads); },
     .text_place = 35,
     .written = means::cluster,
     .sentence = {300,
                  [](const Plan& plan) {
                      return means::cluster(plan) ? fmt::format(", {} to a model", plan.exchange.cluster) : "";
                  }},
     .table = {350, Axis::Shown::kIfVaried, "to a model"},
     .announced = {160}},
    {.name = "backup",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.backup; },
     .help = "backup-workers: shares of a step that it does not wait for, fewer than --threads; 0 for minibatch's bits",
     .stage = Axis::Stage::kStep,
     .typed = "N",
     .applies = means::backup,
     .idle_note = "only backup-workers has some",
     .text_place = 34,
     .written = means::backup,
     .sentence =
         {
             280,
             [](const Plan& plan) {
                 return means::backup(plan) ? fmt::format(", {} backup{}", plan.backup, plan.backup == 1 ? "" : "s")
                                            : "";
             }},
     .table = {390, Axis::Shown::kIfVaried, "backups"}},
    {.name = "exchange_doublings",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.exchange.doublings; },
     .help =
         "async-local-sgd on sparse rows, --hot-updates replicated: coordinates that occur 4^k times less often than "
         "the hottest are exchanged 2^k times less often, k up to K",
     .stage = Axis::Stage::kCluster,
     .typed = "K",
     .range = {0, kMostDoublings, Range::Open::kNone, "a period doubles up to 16 times", "use 6"},
     .applies = means::doublings,
     .idle_note = "only async-local-sgd has some, and --hot-updates replicated, but for networks",
     .text_place = 36,
     .written = writes_combining,
     .sentence =
         {310, [](const Plan&
                      plan) { return means::doublings(plan) ? fmt::format(" x 2^{}", plan.exchange.doublings) : ""; }},
     .table = {370, Axis::Shown::kIfVaried, "doublings"}},
    {.name = "combine",
     .field = +[](Plan& plan) -> std::string& { return plan.exchange.combine; },
     .help = "async-local-sgd, --hot-updates replicated: what workers' increments add up to: what steps one after the "
             "other would have, their sum, their average",
     .stage = Axis::Stage::kCluster,
     .names = names_of<kCombineTraits>,
     .applies = means::combine,
     .idle_note = "only async-local-sgd has a choice, and --hot-updates replicated",
     .text_place = 37,
     .written = writes_combining,
     .sentence = {320, [](const Plan& plan) { return means::combine(plan) ? ", " + plan.exchange.combine : ""; }},
     .table = {360, Axis::Shown::kIfVaried, "combine"}},
    {.name = "coupling",
     .field = +[](Plan& plan) -> double& { return plan.exchange.coupling; },
     .help = "--combine sequential: how much steeper losses are than along single coordinates, of networks than 1",
     .stage = Axis::Stage::kCluster,
     .typed = "X",
     .range = {0, 1e6, Range::Open::kBelow, "a factor on curvatures lies in (0, 1,000,000]", "use 2"},
     .applies = means::coupling,
     .idle_note = "only --combine sequential has one",
     .text_place = 38,
     .written = writes_combining,
     .sentence =
         {
             330,
             [](const Plan& plan) {
                 return means::coupling(plan) ? fmt::format(", coupling {}", human(plan.exchange.coupling)) : "";
             }},
     .table = {380, Axis::Shown::kIfVaried, "coupling",
               [](const Plan& plan) { return means::coupling(plan) ? exact(plan.exchange.coupling) : "-"; }},
     .announced = {150}},
});

} // namespace

constinit const std::span<const Axis> kExchangeAxes = kRows;

} // namespace hogwild
