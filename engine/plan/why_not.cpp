// What goes against a plan whatever its samples are, each of its parts by itself (engine/plan/plan.h).
#include "engine/data/sparse/placement.h"
#include "engine/memory/memory_kind.h"
#include "engine/network/layer_updates.h"
#include "engine/network/network.h"
#include "engine/plan/choices.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"
#include "kernels/cuda/network/team_memory.h"
#include "kernels/network/optimizer.h"
#include "kernels/patterns/low_precision_steps.h"
#include "kernels/steps/staleness_rule.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kMostBatched = 1024;
constexpr std::uint32_t kMostHot = 28'000; // 2 floats each of the 227 KiB that a block may have

// A cell of 256 steps then takes at most 2^-60 off the scale of lazy L2 (engine/order/timeline.h).
constexpr double kLargestDecay = 0.15;

/// Whether its update policy is one of the two that most steps have a form for.
bool is_racy_or_atomic(const Plan& plan) { return update_traits(plan).overwrites() || update_traits(plan).adds(); }

/// What goes against telemetry under its scheme.
std::string why_not_telemetry(const Plan& plan) {
    if (!has_telemetry(plan) || traits(plan).no_telemetry.empty()) return "";
    return fmt::format(fmt::runtime(traits(plan).no_telemetry), plan.scheme);
}

/// What goes against an optimiser other than plain SGD.
std::string why_not_optimizer(const Plan& plan) {
    if (is_plain_sgd(plan)) return "";
    if (!takes_network(plan.problem))
        return fmt::format("steps of {} are plain SGD, {} is for networks; use --optimizer sgd", plan.problem,
                           plan.optimizer.name);
    if (on_both(plan) && !state_traits(plan).per_device && !state_traits(plan).per_worker &&
        traits(plan.optimizer.name).state)
        return fmt::format("threads and a GPU have no state of {} in common; use --state per-device or per-worker",
                           plan.optimizer.name);
    if (traits(plan).layer_updates && !update_traits(plan).writes)
        return fmt::format("noop writes no weight for {} to go by; use --optimizer sgd", plan.optimizer.name);
    if (traits(plan).guards && guard_traits(plan).publishes)
        return fmt::format("a step that publish drops would have moved {}'s state; use --guard none or --optimizer sgd",
                           plan.optimizer.name);
    return "";
}

/// What goes against steps that are corrected by what is remembered of samples, or take columns, and against what only these have.
std::string why_not_smooth(const Plan& plan) {
    const SchemeTraits& scheme = traits(plan);
    const MemoryKind memory = memory_kind(plan);
    if (!scheme.corrects_steps() && plan.l1 > 0)
        return fmt::format("steps of {} know no L1, {} have proximal ones; use --l1 0", plan.scheme,
                           schemes_where([](const SchemeTraits& each) { return each.corrects_steps(); }));
    if (!scheme.steps_on_doubles()) {
        if (is_doubles(memory))
            return fmt::format("steps of {} are on floats, only those of {} on doubles too; use --numbers float32",
                               plan.scheme,
                               schemes_where([](const SchemeTraits& each) { return each.steps_on_doubles(); }));
        return "";
    }
    const bool columns = scheme.steps_on_columns();
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
    if (!is_host(memory))
        return fmt::format("{} keeps {} in ordinary memory; use --memory host", plan.scheme,
                           columns ? "margins" : "slopes");
    if (is_short(memory))
        return fmt::format("{} keeps {} as floats or doubles, not {}; use --numbers float32 or fp64", plan.scheme,
                           columns ? "margins" : "slopes", plan.numbers);
    if (columns && !is_racy_or_atomic(plan))
        return fmt::format("margins are added to by racy or atomic steps, not by {}; use one of these", plan.update);
    if (step_traits(plan).plateau)
        return fmt::format("{} needs no smaller steps, and backoff looks at floats; use --step constant", plan.scheme);
    if (plan.delay > 0) return fmt::format("{} has no step that is delayed; use --delay 0", plan.scheme);
    return why_not_telemetry(plan);
}

/// What goes against short numbers under CPU threads.
std::string why_not_low_precision(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    if (!is_low_precision(memory)) return "";
    const std::string name = name_of(memory);
    if (!traits(plan).short_numbers)
        return fmt::format("steps of {} are on floats, only those of {} on {} too; use --numbers float32", plan.scheme,
                           schemes_where([](const SchemeTraits& each) { return each.short_numbers; }), name);
    if (!is_linear(plan.problem))
        return fmt::format("{} has no steps on {}, only sparse rows have; use --numbers float32, or --problem hinge, "
                           "logistic or squared",
                           plan.problem, name);
    if (traits(plan).updates == UpdateChoice::kAll && !update_traits(plan).overwrites())
        return fmt::format("a rounded number is written by a plain store, which {} is not; use --update racy",
                           plan.update);
    if (traits(plan).guards && guard_traits(plan).orders)
        return fmt::format("steps on {} know no guard; use --guard none", name);
    if (traits(plan).staleness_rules && has_rule(plan))
        return fmt::format("steps on {} know no rule for stale ones; use --staleness-rule none", name);
    if (plan.delay > 0) return fmt::format("steps on {} are not delayed; use --delay 0", name);
    if (has_telemetry(plan))
        return fmt::format("steps on {} have no probes of staleness and lost updates; use --telemetry off", name);
    const int most = bits_of_scale(storage_of(memory));
    if (shrinkage_bits(plan.step.size, plan.l2) > most)
        return fmt::format("step {} x lambda {} shrinks weights by more than 2^{} within {} samples, which {} cannot "
                           "follow; use a smaller step or lambda, or --numbers float32",
                           plan.step.size, plan.l2, most, kCell, name);
    return "";
}

/// What goes against its network.
std::string why_not_network(const Plan& plan) {
    if (!takes_network(plan.problem) || !normalises(plan.network.layers)) return "";
    const SchemeTraits& scheme = traits(plan);
    if (scheme.writers == Writers::kTurns)
        return plan.scheme + " takes single images, which have no variance for batchnorm; use another scheme";
    if (scheme.backups)
        return plan.scheme + " parts a batch where batchnorm wants ghost batches whole; use --scheme minibatch";
    if (scheme.exchanges() && !combine_traits(plan).averages)
        return "what several workers moved batchnorm's running averages by would add up to more than one of them; use "
               "--combine average";
    if (plan.batch.size == 1)
        return "a batch of one image has no variance for batchnorm; use --batch 2 or more, or a network without it";
    return "";
}

/// What goes against replicas that a GPU's teams step on.
std::string why_not_team_replicas(const Plan& plan) {
    if (!traits(plan).exchanges() || !device_traits(plan).gpu) return "";
    if (!takes_network(plan.problem))
        return fmt::format("a GPU's workers have replicas of networks, not of what {} steps on; use --device cpu",
                           plan.problem);
    if (on_both(plan))
        return "replicas of threads and of a GPU's teams have no shared model in common; use --device cpu or gpu";
    if (memory_kind(plan) != MemoryKind::kDevice)
        return fmt::format("a GPU's replicas exchange with weights in its own memory, not in {}; use --memory device",
                           memory_name(plan));
    return "";
}

/// What goes against copies of hot coordinates that a GPU's blocks have.
std::string why_not_hot_copies(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    if (plan.hot.count > 0 && is_device(memory) && !is_float32(memory))
        return fmt::format(
            "copies of hot coordinates exchange with parameters of 32 bits, not in {}; use --numbers float32",
            name_of(memory));
    if (plan.hot.count > 0 && is_linear(plan.problem) && !knows_hot(plan.placement))
        return "copies of the hottest coordinates need --placement hot-first, hot-apart or hottest";
    if (plan.hot.count > 0 && !update_traits(plan).adds())
        return "copies of hot coordinates are added to atomically, so they go with --update atomic; use --hot 0";
    if (plan.hot.count > 0 && counts_all(plan))
        return "the lost-update meter would count what copies of hot coordinates never lose; use --hot 0";
    if (plan.hot.count > kMostHot)
        return fmt::format("a block's memory holds copies of up to {} coordinates", kMostHot);
    return "";
}

/// What goes against a plan's device and memory.
std::string why_not_device(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    const bool cpu = device_traits(plan).threads, gpu = device_traits(plan).gpu;
    const OnGpu does = traits(plan).on_gpu;
    if (const std::string reason = why_not_team_replicas(plan); !reason.empty()) return reason;
    if (cpu && gpu && does != OnGpu::kStreams) return plan.scheme + " runs on one device";
    if (gpu && does == OnGpu::kNothing) return plan.scheme + " runs on CPU threads";
    if (gpu && does == OnGpu::kBatches && memory != MemoryKind::kDevice)
        return plan.scheme + " on a GPU takes device memory";
    if (cpu && !host_reaches(memory)) return fmt::format("CPU threads cannot reach {} memory", name_of(memory));
    if (gpu && !runs_on_gpu(plan.problem)) return plan.problem + " has no GPU form";
    if (is_device(memory) && !is_float32(memory) && !has_halves(plan.problem))
        return plan.problem + " has no form for parameters of 16 bits";
    if (plan.hot.count > 0 && !owns_hot(plan) && !(is_linear(plan.problem) || (gpu && has_hot_copies(plan.problem))))
        return "only hot coordinates of sparse rows are copied, and on a GPU of ratings; use --hot 0";
    if (!is_linear(plan.problem) && plan.placement != kPlacements[0])
        return "only coordinates of sparse rows are placed";
    if (gpu && !device_reaches(memory)) return fmt::format("a GPU cannot reach {} memory", name_of(memory));
    if (!gpu && is_replica(memory)) return "a replica is a copy for a GPU, and no GPU steps";
    if (!gpu) return "";
    if (guard_traits(plan).orders) return "guards are among CPU threads; use --guard none";
    if (update_traits(plan).drops) return plan.update + " has no GPU form; use atomic or racy";
    return why_not_hot_copies(plan);
}

/// What goes against its guard.
std::string why_not_guard(const Plan& plan) {
    if (!guard_traits(plan).orders || !traits(plan).guards) return "";
    if (!update_traits(plan).overwrites()) {
        return fmt::format("guard {} already orders writers, so it goes with racy, not {}", plan.guard, plan.update);
    }
    if (!guard_traits(plan).publishes) return "";
    if (!is_guided(plan.problem))
        return fmt::format("publish copies every weight at each step, of which one of {} touches few; use --guard none",
                           plan.problem);
    if (reads_copy(plan)) return "a published vector does not change while it is read; use --read in-place";
    if (counts_all(plan))
        return "publish loses no increment, and its dropped steps are counted; use --telemetry sampled";
    if (!is_host(memory_kind(plan))) return "published vectors lie in ordinary memory; use --memory host";
    return "";
}

/// What goes against policies of single layers, whatever the network.
std::string why_not_layers(const Plan& plan) {
    if (plan.network.update == kNoLayerUpdates) return "";
    if (!takes_network(plan.problem))
        return fmt::format("{} has no layers, and layers alone have a policy of their own; use --layer-update none",
                           plan.problem);
    if (!traits(plan).layer_updates || guard_traits(plan).orders)
        return "only hogwild without a guard has a choice of updates; use --layer-update none";
    if (!is_plain_sgd(plan) && plan.network.update.find("=noop") != std::string::npos)
        return fmt::format("noop writes no weight for {} to go by; use --optimizer sgd", plan.optimizer.name);
    return "";
}

/// What goes against how its GPU workers step.
std::string why_not_graphs(const Plan& plan) {
    if (!wants_graphs(plan)) {
        return uses_tf32(plan) ? fmt::format("teams multiply in float32; use --gpu-steps graphs for {}, or "
                                             "--products float32",
                                             plan.gpu.products)
                               : "";
    }
    if (!steps_by_graphs(plan))
        return "graphs are a choice of hogwild's GPU workers on networks; use --gpu-steps teams";
    if (plan.batch.gpu > 0 || adapts(plan))
        return "a graph is captured for steps of --batch images; use --gpu-batch 0 and --batch-rule fixed, or "
               "--gpu-steps "
               "teams";
    if (!reads_copy(plan))
        return "cuBLAS reads a copy of the weights, never those that others write; use --read copy or --gpu-steps "
               "teams";
    if (has_rule(plan))
        return "a graph's step is counted once it has written, too late for a rule; use --staleness-rule none or "
               "--gpu-steps teams";
    return "";
}

/// What goes against batches of a GPU's own, and such that change.
std::string why_not_batches(const Plan& plan) {
    if (plan.batch.gpu == 0 && !adapts(plan)) return "";
    const char* const as_it_is = "use --gpu-batch 0 and --batch-rule fixed";
    if (!takes_batches(plan.problem))
        return fmt::format("steps of {} take single samples on either device; {}", plan.problem, as_it_is);
    if (!has_two_batches(plan))
        return fmt::format("one device's batch is --batch; {}, or --scheme hogwild --device both", as_it_is);
    if (adapts(plan) && plan.batch.most < plan.batch.size)
        return fmt::format("--batch-most {} is below --batch {}, the least; use {} or more", plan.batch.most,
                           plan.batch.size, plan.batch.size);
    const std::uint32_t first = first_gpu_batch(plan), times = first / plan.batch.size;
    if (first % plan.batch.size != 0 || !std::has_single_bit(times)) {
        const std::uint32_t below = plan.batch.size * std::bit_floor(std::max(times, 1u));
        return fmt::format("--gpu-batch {} is not --batch {} doubled some times; use {} or {}", first, plan.batch.size,
                           below, 2 * below);
    }
    if (first > most_gpu_batch(plan))
        return fmt::format("--gpu-batch {} is above {}, the largest within --batch-most {}; use that or less", first,
                           most_gpu_batch(plan), plan.batch.most);
    return "";
}

/// What goes against models that clusters share.
std::string why_not_clusters(const Plan& plan) {
    if (!traits(plan).has_clusters()) return "";
    if (std::string reason = why_not_telemetry(plan); !reason.empty()) return reason;
    if (takes_network(plan.problem))
        return fmt::format("{} has no state of an optimiser for each model, nor statistics of layers; use local-sgd",
                           plan.scheme);
    if (traits(plan).merging == Merging::kExchanges && projects(plan.problem))
        return plan.scheme + " adds increments of other models, which lead points out of their simplex; use local-sgd";
    return "";
}

/// What goes against a rule for stale steps.
std::string why_not_rule(const Plan& plan) {
    if (!has_rule(plan)) return "";
    if (!traits(plan).staleness_rules) return plan.scheme + " has no stale steps; use --staleness-rule none";
    if (on_both(plan))
        return "threads and a GPU count their steps apart; use --device cpu or gpu, or --staleness-rule none";
    if (!is_guided(plan.problem))
        return fmt::format("steps of {} have no factor that a staleness rule could set; use --staleness-rule none",
                           plan.problem);
    if (guard_traits(plan).publishes)
        return "publish knows how stale a step is when its increments are made; use --staleness-rule none";
    if (!touches_all(plan.problem)) {
        if (device_traits(plan).gpu)
            return "a GPU does not count steps on sparse rows; use --device cpu, or --staleness-rule none";
        if (guard_traits(plan).orders)
            return fmt::format("steps of {} are counted where nothing else is held; use --guard none, or "
                               "--staleness-rule none",
                               plan.problem);
        if (!is_racy_or_atomic(plan))
            return fmt::format("steps of {} are counted under racy and atomic, not {}; use one of these, or "
                               "--staleness-rule none",
                               plan.problem, plan.update);
    }
    if (staleness_rule(plan.staleness.rule) == StalenessRule::kDelayAdaptive && plan.staleness.limit == 0)
        return "delay-adaptive steps by R / tau, and with R = 0 writes nothing; use --staleness-limit 1 or more";
    return "";
}

/// What goes against its numbers of workers and the batches of its steps.
std::string why_not_shape(const Plan& plan) {
    const SchemeTraits& scheme = traits(plan);
    if (scheme.backups && plan.backup >= plan.threads) {
        return fmt::format("of {} worker{} {} would be backups, and a step waits for one at least; use --backup {}",
                           plan.threads, plan.threads == 1 ? "" : "s", plan.backup, plan.threads - 1);
    }
    if (scheme.writers == Writers::kOne && plan.threads != 1) return plan.scheme + " has one worker";
    if (scheme.exchanges() && !is_linear(plan.problem) && !takes_network(plan.problem))
        return fmt::format("{} exchanges whole models often, and of {} a step touches next to none; use "
                           "local-sgd or hogwild",
                           plan.scheme, plan.problem);
    if (takes_batches(plan.problem)) {
        if (scheme.is_conflict_free())
            return "every step of " + plan.problem + " touches every weight, so none goes beside another";
        if (scheme.writers == Writers::kTurns && plan.batch.size != 1)
            return plan.scheme + " takes turns sample by sample; use --batch 1";
        if (std::max(most_cpu_batch(plan), most_gpu_batch(plan)) > kMostBatched) {
            const char* const option = plan.batch.size > kMostBatched ? "--batch"
                                       : adapts(plan)                 ? "--batch-most"
                                                                      : "--gpu-batch";
            return fmt::format("a step takes at most {0} samples; use {1} {0} or less", kMostBatched, option);
        }
    }
    return "";
}

} // namespace

std::string why_not(const Plan& plan) {
    if (std::string reason = why_no_memory(memory_kind(plan)); !reason.empty()) return reason;
    if (std::string reason = why_not_optimizer(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_network(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_hot_updates(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_device(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_smooth(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_low_precision(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_clusters(plan); !reason.empty()) return reason;
    if (plan.delay > 0 && (traits(plan).is_minibatch() || device_traits(plan).gpu))
        return "only CPU threads that step sample by sample delay a gradient";
    if (std::string reason = why_not_shape(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_batches(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_guard(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_rule(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_layers(plan); !reason.empty()) return reason;
    if (std::string reason = why_not_graphs(plan); !reason.empty()) return reason;
    if (traits(plan).updates == UpdateChoice::kAll && !update_traits(plan).writes && counts_all(plan))
        return plan.update + " writes nothing, so there is nothing to count";
    if (const double share = shrinkage(plan); share > kLargestDecay && !traits(plan).steps_on_doubles()) {
        const bool batch = share < plan.step.size * plan.l2;
        return fmt::format("step {} x lambda {}{} must not pass {}, or the weights would forget within a few samples",
                           plan.step.size, plan.l2, batch ? fmt::format(" / batch {}", plan.batch.size) : "",
                           kLargestDecay);
    }
    return why_not_telemetry(plan);
}

} // namespace hogwild
