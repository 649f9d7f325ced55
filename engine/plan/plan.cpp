#include "engine/plan/plan.h"

#include "engine/data/sparse/placement.h"
#include "engine/error.h"
#include "engine/memory/memory_kind.h"
#include "engine/network/layer_updates.h"
#include "engine/network/network.h"
#include "engine/order/order.h"
#include "engine/order/schedule.h"
#include "engine/order/timeline.h"
#include "engine/plan/hot_updates.h"
#include "engine/schemes/scheme.h"
#include "kernels/catalog.h"
#include "kernels/cuda/network/team_memory.h"
#include "kernels/network/optimizer.h"
#include "kernels/numbers/low_precision.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

constexpr std::array<std::string_view, 3> kPins = {"none", "cores", "numa"};
constexpr std::array<std::string_view, 4> kLaneNames = {"auto", "scalar", "avx2", "avx512"};
constexpr std::array<std::string_view, 3> kDevices = {"cpu", "gpu", "both"};
constexpr std::array<std::string_view, 3> kBatchRules = {"fixed", "adaptive", "adaptive-linear"};
constexpr std::array<std::string_view, 2> kReads = {"in-place", "copy"};
constexpr std::array<std::string_view, 3> kStates = {"shared", "per-device", "per-worker"};
constexpr std::array<std::string_view, 2> kGpuSteps = {"teams", "graphs"};
constexpr std::array<std::string_view, 2> kProducts = {"float32", "tf32"};
constexpr std::array<std::string_view, 3> kCombines = {"sequential", "sum", "average"};
constexpr std::uint32_t kMostDoublings = 16;
constexpr std::array<std::string_view, 5> kGuardNames = {NoGuard::name, Locked::name, LockedRead::name,
                                                         GlobalLock::name, Publish::name};

void check(bool fine, const std::string& what, const std::string& why, const std::string& suggestion) {
    if (!fine) throw Error(Failure::kUsage, what, why, suggestion);
}

/// What every problem's pattern says, each once, in the order of the catalog.
template <class Of>
std::vector<std::string_view> each_once(const Of& of) {
    std::vector<std::string_view> all;
    for (const std::string_view problem : catalog::names<Problems>) {
        for (const std::string_view name : of(problem)) {
            if (std::ranges::find(all, name) == all.end()) all.push_back(name);
        }
    }
    return all;
}

} // namespace

std::span<const std::string_view> known_names(std::string_view axis) {
    if (axis == "problem") return catalog::names<Problems>;
    if (axis == "scheme") return kSchemes;
    if (axis == "update") return catalog::names<Updates>;
    if (axis == "guard") return kGuardNames;
    if (axis == "order") return kOrders;
    if (axis == "pin") return kPins;
    if (axis == "telemetry") return catalog::names<Probes>;
    if (axis == "lanes") return kLaneNames;
    if (axis == "step") return kSteps;
    if (axis == "device") return kDevices;
    if (axis == "memory") return kMemories;
    if (axis == "placement") return kPlacements;
    if (axis == "hot-updates") return kHotUpdates;
    if (axis == "batch-rule") return kBatchRules;
    if (axis == "read") return kReads;
    if (axis == "combine") return kCombines;
    if (axis == "optimizer") return catalog::names<Optimizers>;
    if (axis == "state") return kStates;
    if (axis == "staleness-rule") return kStalenessRules;
    if (axis == "gpu-steps") return kGpuSteps;
    if (axis == "products") return kProducts;
    const auto names_of = [](const auto& list) {
        std::vector<std::string_view> names;
        for (const auto& each : list) names.push_back(each.name);
        return names;
    };
    static const auto kParameterNames = each_once([&](std::string_view of) { return names_of(parameters(of)); });
    static const auto kScores = each_once([&](std::string_view of) { return names_of(scores_of(of)); });
    if (axis == "parameter") return kParameterNames;
    if (axis == "score") return kScores;
    return {};
}

void check_name(std::string_view axis, std::string_view name, std::string_view also) {
    const std::span<const std::string_view> names = known_names(axis);
    std::vector<std::string_view> known(names.begin(), names.end());
    if (!also.empty()) known.push_back(also);
    if (std::ranges::find(known, name) != known.end()) return;
    throw Error(Failure::kUsage, fmt::format("unknown {} '{}'", axis, name),
                fmt::format("known: {}", fmt::join(known, ", ")), "use one of these");
}

void validate(const Plan& plan) {
    check_name("problem", plan.problem);
    check_name("scheme", plan.scheme);
    check_name("update", plan.update);
    check_name("guard", plan.guard);
    check_name("order", plan.order);
    check_name("pin", plan.pin);
    check_name("telemetry", plan.telemetry);
    check_name("lanes", plan.lanes);
    check_name("step", plan.step.kind);
    check_name("device", plan.device);
    check_name("memory", plan.memory);
    check_name("placement", plan.placement);
    check_name("hot-updates", plan.hot.updates);
    check_name("batch-rule", plan.batch.rule);
    check_name("read", plan.network.read);
    check_name("combine", plan.exchange.combine);
    check_name("optimizer", plan.optimizer.name);
    check_name("state", plan.optimizer.state);
    check_name("staleness-rule", plan.staleness.rule);
    check_name("gpu-steps", plan.gpu.steps);
    check_name("products", plan.gpu.products);
    if (takes_network(plan.problem)) check_network(plan.network.layers);
    check_layer_updates(plan.network.update);
    check(plan.threads >= 1 && plan.threads <= kMostThreads, fmt::format("--threads {}", plan.threads),
          fmt::format("needs 1 to {} workers", kMostThreads), "use the number of cores");
    check(plan.gpu.streams >= 1 && plan.gpu.streams <= 128, fmt::format("--streams {}", plan.gpu.streams),
          "needs 1 to 128 streams", "use 4");
    check(plan.gpu.blocks >= 1 && plan.gpu.blocks <= 1u << 20, fmt::format("--blocks {}", plan.gpu.blocks),
          "needs 1 to 2^20 thread blocks", "use half the GPU's number of multiprocessors");
    check(plan.bridge.rule > 0 && plan.bridge.rule <= 1, fmt::format("--bridge-rule {}", plan.bridge.rule),
          "a share of increments lies in (0, 1]", "use 1");
    check(plan.bridge.pause >= 0 && plan.bridge.pause <= 1, fmt::format("--bridge-pause {}", plan.bridge.pause),
          "a pause lies between 0 and 1 second", "use 0");
    check(plan.delay >= 0 && plan.delay <= 0.01, fmt::format("--delay {}", plan.delay),
          "a delay lies between 0 and 0.01 seconds", "use 1e-6");
    check(plan.hot.rule > 0 && plan.hot.rule <= 1, fmt::format("--hot-rule {}", plan.hot.rule),
          "a share of increments lies in (0, 1]", "use 1");
    check(plan.epochs >= 1 && plan.epochs <= 1'000'000, fmt::format("--epochs {}", plan.epochs),
          "a run takes 1 to 1,000,000 epochs", "use 10");
    check(plan.batch.size >= 1, fmt::format("--batch {}", plan.batch.size), "a batch needs at least one sample",
          "use 1 or more");
    check(plan.exchange.cluster >= 1 && plan.exchange.cluster <= kMostThreads,
          fmt::format("--cluster {}", plan.exchange.cluster),
          fmt::format("a model is shared by 1 to {} workers", kMostThreads), "use 1, or core, node or machine");
    check(plan.exchange.doublings <= kMostDoublings, fmt::format("--exchange-doublings {}", plan.exchange.doublings),
          fmt::format("a period doubles up to {} times", kMostDoublings), "use 6");
    check(plan.exchange.coupling > 0 && plan.exchange.coupling <= 1e6,
          fmt::format("--coupling {}", plan.exchange.coupling), "a factor on curvatures lies in (0, 1,000,000]",
          "use 2");
    check(plan.cas_limit >= 1, fmt::format("--cas-limit {}", plan.cas_limit), "an increment needs at least one try",
          "use 1 or more");
    check(plan.observations_per_epoch >= 1 && plan.observations_per_epoch <= 10'000,
          fmt::format("--observe {}", plan.observations_per_epoch), "needs 1 to 10000 observations an epoch", "use 10");
    check(std::isfinite(plan.step.size) && plan.step.size > 0, fmt::format("--step-size {}", plan.step.size),
          "a step size is a finite number above 0", "use 0.1");
    check(plan.step.decay > 0 && plan.step.decay <= 1, fmt::format("--decay {}", plan.step.decay),
          "the factor on the step lies in (0, 1]", "use 0.9");
    check(plan.step.half_life > 0, fmt::format("--half-life {}", plan.step.half_life),
          "needs a number of epochs above 0", "use 1");
    check(plan.step.plateau >= 0 && plan.step.plateau < 1, fmt::format("--plateau {}", plan.step.plateau),
          "a relative improvement lies in [0, 1)", "use 0.01");
    check(plan.step.warm_up >= 0 && plan.step.warm_up <= 1'000'000, fmt::format("--warm-up {}", plan.step.warm_up),
          "a warm-up takes 0 to 1,000,000 epochs", "use 1, or 1000samples");
    check(std::isfinite(plan.l2) && plan.l2 >= 0, fmt::format("--l2 {}", plan.l2),
          "lambda is a finite number from 0 up", "use 1/n");
    check(std::isfinite(plan.l1) && plan.l1 >= 0, fmt::format("--l1 {}", plan.l1),
          "lambda1 is a finite number from 0 up", "use 0");
    check(plan.int8_range >= 1e-6 && plan.int8_range <= 1e6, fmt::format("--int8-range {}", plan.int8_range),
          "what int8 weights reach lies between 1e-6 and 1,000,000", "use 4");
    check(plan.optimizer.beta1 >= 0 && plan.optimizer.beta1 < 1, fmt::format("--beta1 {}", plan.optimizer.beta1),
          "a share of what was before lies in [0, 1)", "use 0.9");
    check(plan.optimizer.beta2 >= 0 && plan.optimizer.beta2 < 1, fmt::format("--beta2 {}", plan.optimizer.beta2),
          "a share of what was before lies in [0, 1)", "use 0.999");
    const std::span<const Parameter> known = parameters(plan.problem);
    check(plan.parameters.size() <= known.size(), fmt::format("{} parameters of a model", plan.parameters.size()),
          fmt::format("{} has {}", plan.problem, known.size()), "name those that it has");
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
        const double value = plan.parameters[i];
        check(value >= known[i].least && value <= known[i].most && (!known[i].whole || value == std::floor(value)),
              fmt::format("{} {}", option_of(known[i]), value),
              fmt::format("it is a {}number from {} to {}", known[i].whole ? "whole " : "", known[i].least,
                          known[i].most),
              fmt::format("use {}", known[i].usual));
    }
}

std::span<const Parameter> parameters(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return std::span<const Parameter>(P::Pattern::kParameters); });
}

std::vector<double> parameters(const Plan& plan) {
    std::vector<double> values = plan.parameters;
    for (const Parameter& parameter : parameters(plan.problem).subspan(values.size()))
        values.push_back(parameter.usual);
    return values;
}

std::string option_of(const Parameter& parameter) {
    std::string option = fmt::format("--{}", parameter.name);
    std::ranges::replace(option, '_', '-');
    return option;
}

std::optional<double> parameter(const Plan& plan, std::string_view name) {
    const std::span<const Parameter> known = parameters(plan.problem);
    const auto at = std::ranges::find(known, name, &Parameter::name);
    if (at == known.end()) return {};
    return parameters(plan)[static_cast<std::size_t>(at - known.begin())];
}

bool is_minibatch(std::string_view scheme) { return scheme == "minibatch" || scheme == "backup-workers"; }

bool is_conflict_free(std::string_view scheme) { return scheme == "conflict-free" || scheme == "cyclades"; }

bool has_clusters(std::string_view scheme) { return scheme == "hogwild++" || scheme == "replicated"; }

unsigned clusters(const Plan& plan) { return (plan.threads + plan.exchange.cluster - 1) / plan.exchange.cluster; }

bool has_int8(const Plan& plan) { return storage_of(parse_memory(plan.memory)) == Storage::kInt8; }

bool takes_network(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return TakesNetwork<typename P::Pattern>; });
}

bool touches_all(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return TouchesAll<typename P::Pattern>; });
}

bool is_guided(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return Guided<typename P::Pattern>; });
}

std::string_view steps_guard(const Plan& plan) {
    return plan.staleness.rule != "none" && !touches_all(plan.problem) ? Counted::name : std::string_view(plan.guard);
}

bool takes_batches(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return TakesBatches<typename P::Pattern>; });
}

OptimizerTraits traits(std::string_view optimizer) {
    return with_optimizer(catalog::find<Optimizers>(optimizer), []<class Rule>(std::in_place_type_t<Rule>) {
        return OptimizerTraits{Rule::kNumbers > 0, Rule::kBeta1, Rule::kBeta2, Rule::kUsualBeta2, Rule::kUsualStep};
    });
}

std::span<const Score> scores_of(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return std::span<const Score>(P::Pattern::kScores); });
}

bool scores_test(std::string_view problem) {
    return std::ranges::count(scores_of(problem), Scored::kTest, &Score::samples) > 0;
}

bool more_is_better(std::string_view score) {
    return std::ranges::any_of(catalog::names<Problems>, [&](std::string_view problem) {
        return std::ranges::any_of(scores_of(problem),
                                   [&](const Score& known) { return known.name == score && known.more_is_better; });
    });
}

bool runs_on_gpu(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return P::Pattern::kOnGpu; });
}

bool has_hot_copies(std::string_view problem) {
    return with_problem(problem, []<class P>(P) {
        if constexpr (requires { P::Pattern::kHotCopies; }) return P::Pattern::kHotCopies;
        return false;
    });
}

bool has_halves(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return P::Pattern::kHalves; });
}

bool regularised(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return P::Pattern::kRegularised; });
}

bool convex(std::string_view problem) {
    return with_problem(problem, []<class P>(P) {
        if constexpr (requires { P::Pattern::kConvex; }) return P::Pattern::kConvex;
        return false;
    });
}

double usual_l2(std::string_view problem, std::uint64_t samples, double deviation) {
    const double usual = with_problem(problem, []<class P>(P) { return P::Pattern::kUsualL2; });
    return usual == kOneOverSamples ? 1.0 / static_cast<double>(std::max<std::uint64_t>(samples, 1))
                                    : usual * deviation;
}

bool shrinks_all(std::string_view problem) {
    return with_problem(problem, []<class P>(P) { return P::Pattern::kShrinksAll; });
}

unsigned exchanging_workers(const Plan& plan) {
    return plan.device == "gpu" && gpu_workers(plan) > 0 ? gpu_teams(plan) : plan.threads;
}

std::uint64_t exchange_period(const Plan& plan, std::uint64_t rows) {
    return plan.exchange.period > 0 ? plan.exchange.period
                                    : std::max<std::uint64_t>(1, rows / exchanging_workers(plan));
}

bool corrects_steps(std::string_view scheme) { return scheme == "svrg" || scheme == "saga"; }

bool steps_on_columns(std::string_view scheme) { return scheme == "columns"; }

bool steps_on_doubles(std::string_view scheme) { return corrects_steps(scheme) || steps_on_columns(scheme); }

bool chooses_update(std::string_view scheme) { return scheme == "hogwild" || steps_on_columns(scheme); }

double lazy_l2(const Plan& plan) {
    if (!shrinks_all(plan.problem) || corrects_steps(plan.scheme) || steps_on_columns(plan.scheme)) return 0;
    return plan.scheme == "replicated" ? plan.l2 / clusters(plan) : plan.l2;
}

double shrinkage(const Plan& plan) {
    const bool mean_of_batch = is_minibatch(plan.scheme) && !shrinks_all(plan.problem);
    return plan.step.size * plan.l2 / (mean_of_batch ? std::max(1u, plan.batch.size) : 1u);
}

unsigned cpu_workers(const Plan& plan) { return plan.device == "gpu" ? 0 : plan.threads; }
unsigned gpu_workers(const Plan& plan) {
    const bool replicas = plan.scheme == "async-local-sgd" && takes_network(plan.problem);
    return plan.device != "cpu" && (plan.scheme == "hogwild" || replicas) ? plan.gpu.streams : 0;
}
bool steps_by_graphs(const Plan& plan) {
    return plan.gpu.steps == "graphs" && plan.scheme == "hogwild" && gpu_workers(plan) > 0 &&
           takes_network(plan.problem);
}
unsigned gpu_teams(const Plan& plan) {
    return gpu_workers(plan) * (steps_by_graphs(plan) ? 1 : plan.gpu.blocks / blocks_of_team(plan.gpu.blocks));
}
bool has_two_batches(const Plan& plan) {
    return plan.scheme == "hogwild" && plan.device == "both" && takes_batches(plan.problem);
}

bool adapts(const Plan& plan) { return plan.batch.rule != "fixed"; }
bool scales_steps(const Plan& plan) { return plan.batch.rule == "adaptive-linear"; }

std::uint32_t first_gpu_batch(const Plan& plan) { return plan.batch.gpu > 0 ? plan.batch.gpu : plan.batch.size; }

std::uint32_t most_cpu_batch(const Plan& plan) {
    return adapts(plan) ? plan.batch.size * std::bit_floor(std::max(plan.batch.most / plan.batch.size, 1u))
                        : plan.batch.size;
}

std::uint32_t most_gpu_batch(const Plan& plan) { return adapts(plan) ? most_cpu_batch(plan) : first_gpu_batch(plan); }

unsigned bridges(const Plan& plan) { return gpu_workers(plan) > 0 && plan.memory == "replica" ? 1 : 0; }

} // namespace hogwild
