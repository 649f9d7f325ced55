// What workers with models of their own exchange, and whom a synchronous step waits for.
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/usual.h"
#include "engine/plan/derived/workers.h"
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

std::vector<std::string> usual_exchanges() {
    std::vector<std::string> usual;
    for (const UsualExchange& each : {kExchangeOfRows, kExchangeOfGroups, kExchangeOfWindows}) {
        usual.push_back(grouped(each.together));
        usual.push_back(fmt::format("{} to {}", grouped(each.least), grouped(each.most)));
    }
    usual.push_back(grouped(kExchangeOfThinned));
    return usual;
}

constexpr auto kRows = std::to_array<Axis>({
    {.name = "exchange",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.exchange.period; },
     .help =
         "Samples per worker between exchanges: {worker_replicas}, 0 for once per epoch; {averaged_clusters}: between its "
         "averages; {exchanged_clusters}: for which a cluster keeps the token; {hot_updates}: of --hot-updates (default "
         "of {exchanges} and {hot_updates}: {} / threads, or teams of a GPU, {}, of ratings and edges {} / threads, {}, "
         "of windows {} / threads, {}, of thinned ones {})",
     .defaults = usual_exchanges,
     .stage = Axis::Stage::kStep,
     .tuning = Axis::Tuning::kFine,
     .typed = "N",
     .depends = true,
     .applies = means::exchange,
     .idle_note = "only {replicas|exchanges|exchange}, and {hot_updates} with --hot-updates",
     .text_place = 23,
     .sentence = {290,
                  [](const Plan& plan) {
                      return means::exchange(plan) ? ", exchange " + grouped(plan.exchange.period) : "";
                  }},
     .table = {340, Axis::Shown::kIfAny, "exchange", nullptr, nullptr, true},
     .announced = {140}},
    {.name = "cluster",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.exchange.cluster; },
     .help = "{clusters,}: workers that share a model: 1 (core), those of a NUMA node or, on a machine of one, "
             "of a last-level cache (node), all (machine) (default: node where there are several, else core)",
     .stage = Axis::Stage::kCluster,
     .grammar = Axis::Grammar::kCluster,
     .typed = "N|core|node|machine",
     .depends = true,
     .range = {1, kMostThreads, Range::Open::kNone, "a model is shared by 1 to 4096 workers",
               "use 1, or core, node or machine"},
     .applies = means::cluster,
     .idle_note = "only {clusters|has|have} some",
     .settle = [](Plan& plan) { plan.exchange.cluster = std::min(plan.exchange.cluster, plan.threads); },
     .text_place = 35,
     .written = means::cluster,
     .sentence = {300,
                  [](const Plan& plan) {
                      return means::cluster(plan) ? fmt::format(", {} to a model", grouped(plan.exchange.cluster)) : "";
                  }},
     .table = {350, Axis::Shown::kIfVaried, "to a model"},
     .announced = {160}},
    {.name = "backup",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.backup; },
     .help = "{backups}: shares of a step that it does not wait for, fewer than --threads; 0 for {whole_minibatches}'s bits",
     .stage = Axis::Stage::kStep,
     .typed = "N",
     .applies = means::backup,
     .idle_note = "only {backups|has|have} some",
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
         "{exchanges} on sparse rows, --hot-updates replicated: coordinates that occur 4^k times less often than "
         "the hottest are exchanged 2^k times less often, k up to K",
     .stage = Axis::Stage::kCluster,
     .typed = "K",
     .range = {0, kMostDoublings, Range::Open::kNone, "a period doubles up to 16 times", "use 6"},
     .applies = means::doublings,
     .idle_note = "only {exchanges|has|have} some, and --hot-updates replicated, but for networks",
     .text_place = 36,
     .written = writes_combining,
     .sentence =
         {310, [](const Plan&
                      plan) { return means::doublings(plan) ? fmt::format(" x 2^{}", plan.exchange.doublings) : ""; }},
     .table = {370, Axis::Shown::kIfVaried, "doublings"}},
    {.name = "combine",
     .field = +[](Plan& plan) -> std::string& { return plan.exchange.combine; },
     .help = "{exchanges}, --hot-updates replicated: what workers' increments add up to: what steps one after the "
             "other would have, their sum, their average",
     .stage = Axis::Stage::kCluster,
     .names = names_of<kCombineTraits>,
     .applies = means::combine,
     .idle_note = "only {exchanges|has|have} a choice, and --hot-updates replicated",
     .text_place = 37,
     .written = writes_combining,
     .sentence = {320, [](const Plan& plan) { return means::combine(plan) ? ", " + plan.exchange.combine : ""; }},
     .table = {360, Axis::Shown::kIfVaried, "combine"}},
    {.name = "coupling",
     .field = +[](Plan& plan) -> double& { return plan.exchange.coupling; },
     .help = "{--combine measured_shares,}: how much steeper losses are than along single coordinates, of networks than 1",
     .stage = Axis::Stage::kCluster,
     .typed = "X",
     .range = {0, 1e6, Range::Open::kBelow, "a factor on curvatures lies in (0, 1,000,000]", "use 2"},
     .applies = means::coupling,
     .idle_note = "only {--combine measured_shares|has|have} one",
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
