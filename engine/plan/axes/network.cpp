// What a network is, how its workers step, and what becomes of a gradient.
#include "engine/network/network.h"
#include "engine/network/layer_updates.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/usual.h"
#include "engine/plan/meaning.h"
#include "engine/plan/optimizer_traits.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"
#include "kernels/network/optimizer.h"
#include "kernels/steps/staleness_rule.h"

#include <array>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::array<std::string_view, 2> kReads = {"in-place", "copy"};
constexpr std::array<std::string_view, 2> kGpuSteps = {"teams", "graphs"};
constexpr std::array<std::string_view, 2> kProducts = {"float32", "tf32"};

/// Whether its problem, which need not be known, is of networks.
bool is_network(const Plan& plan) { return problem_traits(plan).takes_network; }

bool writes_rule(const Plan& plan) { return is_network(plan) || plan.staleness.rule != Plan{}.staleness.rule; }

std::string state_text(const Plan& plan) {
    if (!means::state(plan) || plan.optimizer.state == Plan{}.optimizer.state) return "";
    return state_traits(plan).per_device ? " with a state per device" : " with a state per worker";
}

std::string beta2_text(const Plan& plan) {
    const double usual = optimizer_traits(plan).usual_beta2;
    return means::beta2(plan) && plan.optimizer.beta2 != usual ? fmt::format(", beta2 {}", human(plan.optimizer.beta2))
                                                               : "";
}

std::string stale_cell(const Plan& plan) {
    if (!means::staleness_rule(plan)) return "-";
    return plan.staleness.rule + (means::staleness_limit(plan) ? fmt::format(" {}", plan.staleness.limit) : "");
}

constexpr const char* kShareOfBefore = "a share of what was before lies in [0, 1)";

constexpr auto kRows = std::to_array<Axis>({
    {.name = "network",
     .field = +[](Plan& plan) -> std::string& { return plan.network.layers; },
     .help =
         "network: lenet, cnn-32-64, fcn-r, mlp-784-128-10 (any sizes), or its layers, such as 'conv 8 5 relu; maxpool "
         "2; dense 10'",
     .stage = Axis::Stage::kScale,
     .role = Axis::Role::kObjective,
     .typed = "NAME|LAYERS",
     .check =
         [](const Plan& plan) {
             if (problem_traits(plan).takes_network) check_network(plan.network.layers);
         },
     .put = [](Plan& plan, const Value& value,
               double) { plan.network.layers = one_line(std::get<std::string>(value)); },
     .applies = means::network,
     .idle_note = "only --problem network trains one",
     .text_place = 41,
     .written = is_network,
     .sentence = {350,
                  [](const Plan& plan) { return means::network(plan) ? ", " + short_text(plan.network.layers) : ""; }},
     .table = {180, Axis::Shown::kIfVaried, "network"}},
    {.name = "read",
     .field = +[](Plan& plan) -> std::string& { return plan.network.read; },
     .help = "network: a step computes with the shared weights where they are, or with a copy made first",
     .stage = Axis::Stage::kScale,
     .names = [] { return std::span<const std::string_view>(kReads); },
     .depends = true,
     .applies = means::read,
     .idle_note = "only networks have a choice, {minibatches|has|have} none",
     .text_place = 42,
     .written = is_network,
     .sentence = {360,
                  [](const Plan& plan) {
                      const bool copies = means::read(plan) && plan.network.read != Plan{}.network.read;
                      return std::string(copies ? ", read as a copy" : "");
                  }},
     .table = {190, Axis::Shown::kIfVaried, "read"},
     .announced = {60, means::products}},
    {.name = "gpu_steps",
     .field = +[](Plan& plan) -> std::string& { return plan.gpu.steps; },
     .help = "network, {gpu_streams} on a GPU: a step is a team's of thread blocks, or a stream's that replays a "
             "captured graph, "
             "dense layers by cuBLAS, from a copy of the weights",
     .stage = Axis::Stage::kUpdate,
     .group = Axis::Group::kGpu,
     .names = [] { return std::span<const std::string_view>(kGpuSteps); },
     .applies = means::gpu_steps,
     .idle_note = "only networks under {gpu_streams} on a GPU have a choice of them",
     .text_place = 48,
     .written = is_network},
    {.name = "products",
     .field = +[](Plan& plan) -> std::string& { return plan.gpu.products; },
     .help = "graphs: what cuBLAS multiplies with; tf32 keeps 11 significant bits of each factor",
     .stage = Axis::Stage::kUpdate,
     .group = Axis::Group::kGpu,
     .names = [] { return std::span<const std::string_view>(kProducts); },
     .applies = means::products,
     .idle_note = "only --gpu-steps graphs has a choice of them",
     .text_place = 49,
     .written = is_network,
     .sentence = {370,
                  [](const Plan& plan) { return means::products(plan) ? ", products in " + plan.gpu.products : ""; }},
     .table = {200, Axis::Shown::kIfVaried, "products"}},
    {.name = "layer_update",
     .field = +[](Plan& plan) -> std::string& { return plan.network.update; },
     .help =
         "network: layers that racy, atomic or noop updates instead of --update, such as 1=atomic+5=noop; layers are "
         "numbered from 1, those without weights too",
     .stage = Axis::Stage::kScale,
     .typed = "none|LAYER=POLICY[+...]",
     .check = [](const Plan& plan) { check_layer_updates(plan.network.update); },
     .applies = means::layer_update,
     .idle_note = "only networks under {layer_updates} without a guard have a choice of them",
     .idle = Axis::Idle::kStays,
     .settle =
         [](Plan& plan) {
             if (means::network(plan) && !means::layer_update(plan)) plan.network.update = Plan{}.network.update;
         },
     .text_place = 51,
     .written = [](const Plan& plan) { return is_network(plan) || plan.network.update != Plan{}.network.update; },
     .sentence =
         {
             420,
             [](const Plan& plan) {
                 return plan.network.update == Plan{}.network.update ? "" : ", layers " + plan.network.update;
             }},
     .table = {210, Axis::Shown::kIfAny, "layers", nullptr,
               [](const Plan& plan) { return plan.network.update != Plan{}.network.update; }}},
    {.name = "optimizer",
     .field = +[](Plan& plan) -> std::string& { return plan.optimizer.name; },
     .help = "network: what a step goes against instead of its gradient (default: {}, the gradient)",
     .stage = Axis::Stage::kOptimizer,
     .names = [] { return std::span<const std::string_view>(catalog::names<Optimizers>); },
     .applies = means::network,
     .idle_note = "only networks have a choice of optimisers",
     .idle = Axis::Idle::kStays,
     .text_place = 50,
     .written = [](const Plan& plan) { return is_network(plan) || plan.optimizer.name != Plan{}.optimizer.name; },
     .sentence =
         {380, [](const Plan&
                      plan) { return plan.optimizer.name == Plan{}.optimizer.name ? "" : ", " + plan.optimizer.name; }},
     .table = {220, Axis::Shown::kIfVaried, "optimizer"}},
    {.name = "state",
     .field = +[](Plan& plan) -> std::string& { return plan.optimizer.state; },
     .help =
         "Where an optimiser's state lives: one for all workers, for each device's or for each ({optimizer_states,})",
     .stage = Axis::Stage::kOptimizer,
     .names = names_of<kStateTraits>,
     .applies = means::state,
     .idle_note = "only an optimiser's workers on one buffer have a choice of where its state is",
     .settle =
         [](Plan& plan) {
             if (state_traits(plan).per_device && !on_both(plan)) plan.optimizer.state = Plan{}.optimizer.state;
         },
     .text_place = 43,
     .written = is_network,
     .sentence = {390, state_text},
     .table = {230, Axis::Shown::kIfVaried, "state"},
     .announced = {180}},
    {.name = "beta1",
     .field = +[](Plan& plan) -> double& { return plan.optimizer.beta1; },
     .help = "{beta1,}: what is kept of the momentum at each step",
     .stage = Axis::Stage::kOptimizer,
     .typed = "X",
     .range = {0, 1, Range::Open::kAbove, kShareOfBefore, "use 0.9"},
     .applies = means::beta1,
     .idle_note = "only {beta1|has|have} one",
     .text_place = 44,
     .written = is_network,
     .sentence =
         {
             400,
             [](const Plan& plan) {
                 return means::beta1(plan) && plan.optimizer.beta1 != Plan{}.optimizer.beta1
                            ? fmt::format(", beta1 {}", human(plan.optimizer.beta1))
                            : "";
             }},
     .table = {240, Axis::Shown::kIfVaried, "beta1"},
     .announced = {190}},
    {.name = "beta2",
     .field = +[](Plan& plan) -> double& { return plan.optimizer.beta2; },
     .help = "{beta2,}: what is kept of the mean square at each step (default: {})",
     .defaults = [] { return std::vector{usual_beta2s()}; },
     .stage = Axis::Stage::kBeta2,
     .typed = "X",
     .depends = true,
     .range = {0, 1, Range::Open::kAbove, kShareOfBefore, "use 0.999"},
     .applies = means::beta2,
     .idle_note = "only {beta2|has|have} one",
     .text_place = 45,
     .written = is_network,
     .sentence = {410, beta2_text},
     .table = {250, Axis::Shown::kIfVaried, "beta2"},
     .announced = {200}},
    {.name = "staleness_rule",
     .field = +[](Plan& plan) -> std::string& { return plan.staleness.rule; },
     .help =
         "{staleness_rules}, of networks on one device, of sparse rows on threads without a guard: what becomes of a "
         "step "
         "between "
         "whose read and write others wrote tau steps: inverse takes 1/(1+tau) of the step size, delay-adaptive min(1, "
         "R/tau); drop writes nothing above tau = R",
     .stage = Axis::Stage::kScale,
     .names = [] { return std::span<const std::string_view>(kStalenessRules); },
     .applies = means::staleness_rule,
     .idle_note = "only {staleness_rules|has|have} one, on networks and sparse rows, and no step is stale under "
                  "--guard locked-read",
     .text_place = 46,
     .written = writes_rule,
     .sentence =
         {
             430,
             [](const Plan& plan) {
                 return means::staleness_rule(plan) && plan.staleness.rule != Plan{}.staleness.rule
                            ? ", stale steps " + plan.staleness.rule
                            : "";
             }},
     .table = {260, Axis::Shown::kIfVaried, "stale steps", stale_cell}},
    {.name = "staleness_limit",
     .field = +[](Plan& plan) -> std::uint32_t& { return plan.staleness.limit; },
     .help = "{limited_rules,}: their R",
     .stage = Axis::Stage::kScale,
     .typed = "R",
     .applies = means::staleness_limit,
     .idle_note = "only --staleness-rule {limited_rules|has|have} one",
     .text_place = 47,
     .written = writes_rule,
     .sentence =
         {440, [](const Plan&
                      plan) { return means::staleness_limit(plan) ? fmt::format(" {}", plan.staleness.limit) : ""; }}},
});

} // namespace

constinit const std::span<const Axis> kNetworkAxes = kRows;

} // namespace hogwild
