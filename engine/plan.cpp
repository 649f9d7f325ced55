#include "engine/plan.h"

#include "engine/data/placement.h"
#include "engine/error.h"
#include "engine/hot_updates.h"
#include "engine/layer_updates.h"
#include "engine/memory/memory_kind.h"
#include "engine/network.h"
#include "engine/order.h"
#include "engine/schedule.h"
#include "engine/schemes/scheme.h"
#include "engine/timeline.h"
#include "kernels/catalog.h"
#include "kernels/cuda/team_memory.h"
#include "kernels/low_precision.h"
#include "kernels/optimizer.h"

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
constexpr std::uint32_t kMostBatched = 1024;
constexpr std::array<std::string_view, 5> kGuardNames = {NoGuard::name, Locked::name, LockedRead::name,
                                                         GlobalLock::name, Publish::name};

constexpr std::uint32_t kMostHot = 28'000; // 2 floats each of the 227 KiB that a block may have

// A cell of 256 steps then takes at most 2^-60 off the scale of lazy L2 (engine/timeline.h).
constexpr double kLargestDecay = 0.15;

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

/// What goes against an optimiser other than plain SGD.
std::string why_not_optimizer(const Plan& plan) {
    if (plan.optimizer == "sgd") return "";
    if (!takes_network(plan.problem))
        return fmt::format("steps of {} are plain SGD, {} is for networks; use --optimizer sgd", plan.problem,
                           plan.optimizer);
    if (plan.device == "both" && plan.state == "shared" && traits(plan.optimizer).state)
        return fmt::format("threads and a GPU have no state of {} in common; use --state per-device or per-worker",
                           plan.optimizer);
    if (plan.scheme == "hogwild" && plan.update == "noop")
        return fmt::format("noop writes no weight for {} to go by; use --optimizer sgd", plan.optimizer);
    if (plan.scheme == "hogwild" && plan.guard == "publish")
        return fmt::format("a step that publish drops would have moved {}'s state; use --guard none or --optimizer sgd",
                           plan.optimizer);
    return "";
}

/// What goes against steps that are corrected by what is remembered of samples, or take columns, and against what only these have.
std::string why_not_smooth(const Plan& plan) {
    if (!corrects_steps(plan.scheme) && plan.l1 > 0)
        return fmt::format("steps of {} know no L1, svrg and saga have proximal ones; use --l1 0", plan.scheme);
    if (!steps_on_doubles(plan.scheme)) {
        if (plan.memory == "host-fp64")
            return fmt::format(
                "steps of {} are on floats, only those of svrg, saga and columns on doubles too; use --memory host",
                plan.scheme);
        return "";
    }
    const bool columns = steps_on_columns(plan.scheme);
    const bool smooth = is_linear(plan.problem) && with_linear_problem(plan.problem, []<class Problem>(Problem) {
                            return Problem::curvature > 0;
                        });
    if (!is_linear(plan.problem))
        return fmt::format("{} {} of each sparse row, and {} has no such; use --problem logistic or squared",
                           plan.scheme, columns ? "keeps the margin" : "remembers one slope", plan.problem);
    if (!smooth && columns)
        return fmt::format("{} has kinks, where no coordinate alone leads further down though several together would; "
                           "use --problem logistic or squared",
                           plan.problem);
    if (!smooth)
        return fmt::format(
            "{} has a kink, across which a remembered slope tells nothing, so that {}'s noise would stay; "
            "use --problem logistic or squared",
            plan.problem, plan.scheme);
    if (plan.memory != "host" && plan.memory != "host-fp64")
        return fmt::format("{} keeps {} in ordinary memory; use --memory host or host-fp64", plan.scheme,
                           columns ? "margins" : "slopes");
    if (columns && plan.update != "racy" && plan.update != "atomic")
        return fmt::format("margins are added to by racy or atomic steps, not by {}; use one of these", plan.update);
    if (plan.step.kind == "backoff")
        return fmt::format("{} needs no smaller steps, and backoff looks at floats; use --step constant", plan.scheme);
    if (plan.delay > 0) return fmt::format("{} has no step that is delayed; use --delay 0", plan.scheme);
    if (plan.telemetry != "off")
        return fmt::format("{} has no probes of staleness and lost updates; use --telemetry off", plan.scheme);
    return "";
}

/// What goes against short numbers under CPU threads.
std::string why_not_low_precision(const Plan& plan) {
    const MemoryKind memory = parse_memory(plan.memory);
    if (!is_low_precision(memory)) return "";
    if (plan.scheme != "serial" && plan.scheme != "hogwild")
        return fmt::format("steps of {} are on floats, only those of serial and hogwild on {} too; use --memory host",
                           plan.scheme, plan.memory);
    if (!is_linear(plan.problem))
        return fmt::format("{} has no steps on {}, only sparse rows have; use --memory host, or --problem hinge, "
                           "logistic or squared",
                           plan.problem, plan.memory);
    if (plan.scheme == "hogwild" && plan.update != "racy")
        return fmt::format("a rounded number is written by a plain store, which {} is not; use --update racy",
                           plan.update);
    if (plan.scheme == "hogwild" && plan.guard != "none")
        return fmt::format("steps on {} know no guard; use --guard none", plan.memory);
    if (plan.delay > 0) return fmt::format("steps on {} are not delayed; use --delay 0", plan.memory);
    if (plan.telemetry != "off")
        return fmt::format("steps on {} have no probes of staleness and lost updates; use --telemetry off",
                           plan.memory);
    const int most = bits_of_scale(storage_of(memory));
    if (Timeline::bits(plan.step.size, plan.l2) > most)
        return fmt::format("step {} x lambda {} shrinks weights by more than 2^{} within {} samples, which {} cannot "
                           "follow; use a smaller step or lambda, or --memory host",
                           plan.step.size, plan.l2, most, Timeline::kCell, plan.memory);
    return "";
}

/// What goes against its network.
std::string why_not_network(const Plan& plan) {
    if (!takes_network(plan.problem) || !normalises(plan.network)) return "";
    if (plan.scheme == "round-robin")
        return "round-robin takes single images, which have no variance for batchnorm; use another scheme";
    if (plan.scheme == "backup-workers")
        return "backup-workers parts a batch where batchnorm wants ghost batches whole; use --scheme minibatch";
    if (plan.batch == 1)
        return "a batch of one image has no variance for batchnorm; use --batch 2 or more, or a network without it";
    return "";
}

/// What goes against a plan's device and memory.
std::string why_not_device(const Plan& plan) {
    const MemoryKind memory = parse_memory(plan.memory);
    const bool cpu = plan.device != "gpu", gpu = plan.device != "cpu";
    if (plan.device == "both" && plan.scheme != "hogwild") return plan.scheme + " runs on one device";
    if (gpu && plan.scheme != "hogwild" && plan.scheme != "minibatch") return plan.scheme + " runs on CPU threads";
    if (gpu && plan.scheme == "minibatch" && memory != MemoryKind::kDevice)
        return "minibatch on a GPU takes device memory";
    if (cpu && !host_reaches(memory)) return fmt::format("CPU threads cannot reach {} memory", plan.memory);
    if (gpu && !runs_on_gpu(plan.problem)) return plan.problem + " has no GPU form";
    if (is_device(memory) && memory != MemoryKind::kDevice && !has_halves(plan.problem))
        return plan.problem + " has no form for parameters of 16 bits";
    if (plan.hot > 0 && !is_linear(plan.problem)) return "only hot coordinates of sparse rows are copied";
    if (!is_linear(plan.problem) && plan.placement != "stored") return "only coordinates of sparse rows are placed";
    if (gpu && !device_reaches(memory)) return fmt::format("a GPU cannot reach {} memory", plan.memory);
    if (!gpu && memory == MemoryKind::kReplica) return "a replica is a copy for a GPU, and no GPU steps";
    if (!gpu) return "";
    if (plan.guard != "none") return "guards are among CPU threads; use --guard none";
    if (plan.update == "cas-bounded") return "cas-bounded has no GPU form; use atomic or racy";
    if (plan.hot > 0 && plan.placement != "hottest" && plan.placement != "hot-first" && plan.placement != "hot-apart")
        return "copies of the hottest coordinates need --placement hot-first, hot-apart or hottest";
    if (plan.hot > 0 && plan.update != "atomic")
        return "copies of hot coordinates are added to atomically, so they go with --update atomic; use --hot 0";
    if (plan.hot > 0 && plan.telemetry == "exact")
        return "the lost-update meter would count what copies of hot coordinates never lose; use --hot 0";
    if (plan.hot > kMostHot) return fmt::format("a block's memory holds copies of up to {} coordinates", kMostHot);
    return "";
}

/// What goes against its guard.
std::string why_not_guard(const Plan& plan) {
    if (plan.guard == "none" || plan.scheme != "hogwild") return "";
    if (plan.update != "racy") {
        return fmt::format("guard {} already orders writers, so it goes with racy, not {}", plan.guard, plan.update);
    }
    if (plan.guard != "publish") return "";
    if (!is_guided(plan.problem))
        return fmt::format("publish copies every weight at each step, of which one of {} touches few; use --guard none",
                           plan.problem);
    if (plan.read == "copy") return "a published vector does not change while it is read; use --read in-place";
    if (plan.telemetry == "exact")
        return "publish loses no increment, and its dropped steps are counted; use --telemetry sampled";
    if (plan.memory != "host") return "published vectors lie in ordinary memory; use --memory host";
    return "";
}

/// What goes against policies of single layers, whatever the network.
std::string why_not_layers(const Plan& plan) {
    if (plan.layer_update == kNoLayerUpdates) return "";
    if (!takes_network(plan.problem))
        return fmt::format("{} has no layers, and layers alone have a policy of their own; use --layer-update none",
                           plan.problem);
    if (plan.scheme != "hogwild" || plan.guard != "none")
        return "only hogwild without a guard has a choice of updates; use --layer-update none";
    if (plan.optimizer != "sgd" && plan.layer_update.find("=noop") != std::string::npos)
        return fmt::format("noop writes no weight for {} to go by; use --optimizer sgd", plan.optimizer);
    return "";
}

/// What goes against how its GPU workers step.
std::string why_not_graphs(const Plan& plan) {
    if (plan.gpu_steps == "teams") {
        return plan.products == "float32" ? ""
                                          : fmt::format("teams multiply in float32; use --gpu-steps graphs for {}, or "
                                                        "--products float32",
                                                        plan.products);
    }
    if (!steps_by_graphs(plan))
        return "graphs are a choice of hogwild's GPU workers on networks; use --gpu-steps teams";
    if (plan.gpu_batch > 0 || adapts(plan))
        return "a graph is captured for steps of --batch images; use --gpu-batch 0 and --batch-rule fixed, or "
               "--gpu-steps "
               "teams";
    if (plan.read != "copy")
        return "cuBLAS reads a copy of the weights, never those that others write; use --read copy or --gpu-steps "
               "teams";
    if (plan.staleness_rule != "none")
        return "a graph's step is counted once it has written, too late for a rule; use --staleness-rule none or "
               "--gpu-steps teams";
    return "";
}

/// What goes against batches of a GPU's own, and such that change.
std::string why_not_batches(const Plan& plan) {
    if (plan.gpu_batch == 0 && !adapts(plan)) return "";
    const char* const as_it_is = "use --gpu-batch 0 and --batch-rule fixed";
    if (!takes_batches(plan.problem))
        return fmt::format("steps of {} take single samples on either device; {}", plan.problem, as_it_is);
    if (!has_two_batches(plan))
        return fmt::format("one device's batch is --batch; {}, or --scheme hogwild --device both", as_it_is);
    if (adapts(plan) && plan.batch_most < plan.batch)
        return fmt::format("--batch-most {} is below --batch {}, the least; use {} or more", plan.batch_most,
                           plan.batch, plan.batch);
    const std::uint32_t first = first_gpu_batch(plan), times = first / plan.batch;
    if (first % plan.batch != 0 || !std::has_single_bit(times)) {
        const std::uint32_t below = plan.batch * std::bit_floor(std::max(times, 1u));
        return fmt::format("--gpu-batch {} is not --batch {} doubled some times; use {} or {}", first, plan.batch,
                           below, 2 * below);
    }
    if (first > most_gpu_batch(plan))
        return fmt::format("--gpu-batch {} is above {}, the largest within --batch-most {}; use that or less", first,
                           most_gpu_batch(plan), plan.batch_most);
    return "";
}

/// What goes against models that clusters share.
std::string why_not_clusters(const Plan& plan) {
    if (!has_clusters(plan.scheme)) return "";
    if (plan.telemetry != "off")
        return fmt::format("the models of {} have clocks of their own, and telemetry has one; use --telemetry off",
                           plan.scheme);
    if (takes_network(plan.problem))
        return fmt::format("{} has no state of an optimiser for each model, nor statistics of layers; use local-sgd",
                           plan.scheme);
    if (plan.scheme == "hogwild++" && plan.problem == "cut")
        return "hogwild++ adds increments of other models, which lead points out of their simplex; use local-sgd";
    return "";
}

/// What goes against a rule for stale steps.
std::string why_not_rule(const Plan& plan) {
    if (plan.staleness_rule == "none") return "";
    if (plan.scheme != "hogwild") return plan.scheme + " has no stale steps; use --staleness-rule none";
    if (plan.device == "both")
        return "threads and a GPU count their steps apart; use --device cpu or gpu, or --staleness-rule none";
    if (!is_guided(plan.problem))
        return fmt::format("steps of {} have no factor that a staleness rule could set; use --staleness-rule none",
                           plan.problem);
    if (plan.guard == "publish")
        return "publish knows how stale a step is when its increments are made; use --staleness-rule none";
    if (!touches_all(plan.problem)) {
        if (plan.device != "cpu")
            return "a GPU does not count steps on sparse rows; use --device cpu, or --staleness-rule none";
        if (plan.guard != "none")
            return fmt::format("steps of {} are counted where nothing else is held; use --guard none, or "
                               "--staleness-rule none",
                               plan.problem);
        if (plan.update != "racy" && plan.update != "atomic")
            return fmt::format("steps of {} are counted under racy and atomic, not {}; use one of these, or "
                               "--staleness-rule none",
                               plan.problem, plan.update);
    }
    if (plan.staleness_rule == "delay-adaptive" && plan.staleness_limit == 0)
        return "delay-adaptive steps by R / tau, and with R = 0 writes nothing; use --staleness-limit 1 or more";
    return "";
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

void check_name(std::string_view axis, std::string_view name) {
    const std::span<const std::string_view> known = known_names(axis);
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
    check_name("hot-updates", plan.hot_updates);
    check_name("batch-rule", plan.batch_rule);
    check_name("read", plan.read);
    check_name("combine", plan.combine);
    check_name("optimizer", plan.optimizer);
    check_name("state", plan.state);
    check_name("staleness-rule", plan.staleness_rule);
    check_name("gpu-steps", plan.gpu_steps);
    check_name("products", plan.products);
    if (takes_network(plan.problem)) check_network(plan.network);
    check_layer_updates(plan.layer_update);
    check(plan.threads >= 1 && plan.threads <= kMostThreads, fmt::format("--threads {}", plan.threads),
          fmt::format("needs 1 to {} workers", kMostThreads), "use the number of cores");
    check(plan.streams >= 1 && plan.streams <= 128, fmt::format("--streams {}", plan.streams), "needs 1 to 128 streams",
          "use 4");
    check(plan.blocks >= 1 && plan.blocks <= 1u << 20, fmt::format("--blocks {}", plan.blocks),
          "needs 1 to 2^20 thread blocks", "use half the GPU's number of multiprocessors");
    check(plan.bridge_rule > 0 && plan.bridge_rule <= 1, fmt::format("--bridge-rule {}", plan.bridge_rule),
          "a share of increments lies in (0, 1]", "use 1");
    check(plan.bridge_pause >= 0 && plan.bridge_pause <= 1, fmt::format("--bridge-pause {}", plan.bridge_pause),
          "a pause lies between 0 and 1 second", "use 0");
    check(plan.delay >= 0 && plan.delay <= 0.01, fmt::format("--delay {}", plan.delay),
          "a delay lies between 0 and 0.01 seconds", "use 1e-6");
    check(plan.hot_rule > 0 && plan.hot_rule <= 1, fmt::format("--hot-rule {}", plan.hot_rule),
          "a share of increments lies in (0, 1]", "use 1");
    check(plan.epochs >= 1 && plan.epochs <= 1'000'000, fmt::format("--epochs {}", plan.epochs),
          "a run takes 1 to 1,000,000 epochs", "use 10");
    check(plan.batch >= 1, fmt::format("--batch {}", plan.batch), "a batch needs at least one sample", "use 1 or more");
    check(plan.cluster >= 1 && plan.cluster <= kMostThreads, fmt::format("--cluster {}", plan.cluster),
          fmt::format("a model is shared by 1 to {} workers", kMostThreads), "use 1, or core, node or machine");
    check(plan.exchange_doublings <= kMostDoublings, fmt::format("--exchange-doublings {}", plan.exchange_doublings),
          fmt::format("a period doubles up to {} times", kMostDoublings), "use 6");
    check(plan.coupling > 0 && plan.coupling <= 1e6, fmt::format("--coupling {}", plan.coupling),
          "a factor on curvatures lies in (0, 1,000,000]", "use 2");
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
    check(plan.beta1 >= 0 && plan.beta1 < 1, fmt::format("--beta1 {}", plan.beta1),
          "a share of what was before lies in [0, 1)", "use 0.9");
    check(plan.beta2 >= 0 && plan.beta2 < 1, fmt::format("--beta2 {}", plan.beta2),
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

unsigned clusters(const Plan& plan) { return (plan.threads + plan.cluster - 1) / plan.cluster; }

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
    return plan.staleness_rule != "none" && !touches_all(plan.problem) ? Counted::name : std::string_view(plan.guard);
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
    return plan.step.size * plan.l2 / (mean_of_batch ? std::max(1u, plan.batch) : 1u);
}

unsigned cpu_workers(const Plan& plan) { return plan.device == "gpu" ? 0 : plan.threads; }
unsigned gpu_workers(const Plan& plan) { return plan.device == "cpu" || plan.scheme != "hogwild" ? 0 : plan.streams; }
bool steps_by_graphs(const Plan& plan) {
    return plan.gpu_steps == "graphs" && gpu_workers(plan) > 0 && takes_network(plan.problem);
}
unsigned gpu_teams(const Plan& plan) {
    return gpu_workers(plan) * (steps_by_graphs(plan) ? 1 : plan.blocks / blocks_of_team(plan.blocks));
}
bool has_two_batches(const Plan& plan) {
    return plan.scheme == "hogwild" && plan.device == "both" && takes_batches(plan.problem);
}

bool adapts(const Plan& plan) { return plan.batch_rule != "fixed"; }
bool scales_steps(const Plan& plan) { return plan.batch_rule == "adaptive-linear"; }

std::uint32_t first_gpu_batch(const Plan& plan) { return plan.gpu_batch > 0 ? plan.gpu_batch : plan.batch; }

std::uint32_t most_cpu_batch(const Plan& plan) {
    return adapts(plan) ? plan.batch * std::bit_floor(std::max(plan.batch_most / plan.batch, 1u)) : plan.batch;
}

std::uint32_t most_gpu_batch(const Plan& plan) { return adapts(plan) ? most_cpu_batch(plan) : first_gpu_batch(plan); }

unsigned bridges(const Plan& plan) { return gpu_workers(plan) > 0 && plan.memory == "replica" ? 1 : 0; }

std::string why_not(const Plan& plan) {
    if (std::string reason = why_not_optimizer(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_network(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_hot_updates(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_device(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_smooth(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_low_precision(plan); !reason.empty()) return reason;
    const bool waits = is_minibatch(plan.scheme) || plan.scheme == "local-sgd" || plan.scheme == "async-local-sgd" ||
                       is_conflict_free(plan.scheme);
    if (std::string reason = why_not_clusters(plan); !reason.empty()) return reason;
    if (plan.delay > 0 && (is_minibatch(plan.scheme) || plan.device != "cpu"))
        return "only CPU threads that step sample by sample delay a gradient";
    if (plan.scheme == "backup-workers" && plan.backup >= plan.threads) {
        return fmt::format("of {} worker{} {} would be backups, and a step waits for one at least; use --backup {}",
                           plan.threads, plan.threads == 1 ? "" : "s", plan.backup, plan.threads - 1);
    }
    if (plan.scheme == "serial" && plan.threads != 1) return "serial has one worker";
    if (plan.scheme == "async-local-sgd" && !is_linear(plan.problem))
        return "async-local-sgd exchanges by how often a column of sparse rows occurs, and " + plan.problem +
               " has no such; use local-sgd";
    if (takes_batches(plan.problem)) {
        if (is_conflict_free(plan.scheme))
            return "every step of " + plan.problem + " touches every weight, so none goes beside another";
        if (plan.scheme == "round-robin" && plan.batch != 1)
            return "round-robin takes turns sample by sample; use --batch 1";
        if (std::max(most_cpu_batch(plan), most_gpu_batch(plan)) > kMostBatched)
            return fmt::format("a step takes at most {} samples", kMostBatched);
    }
    if (std::string reason = why_not_batches(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_guard(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_rule(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_layers(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_graphs(plan); !reason.empty()) return reason;
    if (plan.scheme == "hogwild" && plan.update == "noop" && plan.telemetry == "exact") {
        return "noop writes nothing, so there is nothing to count";
    }
    if (const double share = shrinkage(plan); share > kLargestDecay && !steps_on_doubles(plan.scheme)) {
        const bool batch = share < plan.step.size * plan.l2;
        return fmt::format("step {} x lambda {}{} must not pass {}, or the weights would forget within a few samples",
                           plan.step.size, plan.l2, batch ? fmt::format(" / batch {}", plan.batch) : "", kLargestDecay);
    }
    if (waits && plan.telemetry != "off") {
        return fmt::format("{} has no concurrent writers, so nothing is stale and nothing is lost", plan.scheme);
    }
    return {};
}

} // namespace hogwild
