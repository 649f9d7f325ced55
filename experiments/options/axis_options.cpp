#include "experiments/options/axis_options.h"

#include "engine/error.h"
#include "engine/machine/cores.h"
#include "engine/machine/gpus.h"
#include "engine/plan/plan.h"
#include "engine/workers/placement.h"
#include "experiments/text/numbers.h"

#include <fmt/ranges.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {
namespace {

constexpr const char* kAxes = "Axes (each takes a list: their product is run)";

/// An axis: a text that `parse` turns into its values.
template <class T, class Parse>
void add_list(CLI::App& app, Axes& axes, const std::string& name, std::vector<T>& values, const Parse& parse,
              const std::string& known, const std::string& help, const std::string& group = kAxes) {
    const auto set = [&axes, &values, name, parse](const std::string& text) {
        values = parse(name, text);
        axes.given.insert(name);
    };
    app.add_option_function<std::string>(name, set, help)->type_name(known)->group(group);
}

double positive(const std::string& name, const std::string& text) {
    const auto value = parse_real(text);
    if (!value || *value <= 0) {
        throw Error(Failure::kUsage, name + " cannot be '" + text + "'", "it is not a number above 0",
                    "give one like 0.5");
    }
    return *value;
}

std::uint32_t one_count(const std::string& name, const std::string& text) {
    const auto values = count_list(name, text);
    if (values.size() == 1) return values[0];
    throw Error(Failure::kUsage, name + " cannot be '" + text + "'", "it is not an axis", "give one whole number");
}

/// "racy|atomic|..."
std::string names(std::string_view axis) { return fmt::format("{}", fmt::join(known_names(axis), "|")); }

/// Whole numbers that fit where plans count workers.
std::vector<unsigned> small_counts(std::string_view option, std::string_view text) {
    const std::vector<std::uint32_t> values = count_list(option, text);
    return {values.begin(), values.end()};
}

void add_axes(CLI::App& app, Axes& axes) {
    const auto threads = [](const std::string& name, const std::string& text) {
        return thread_list(name, text, usable_cores());
    };
    const auto clusters = [](const std::string& name, const std::string& text) {
        return cluster_list(name, text, cores_of_node());
    };
    add_list(app, axes, "--problem", axes.problem, name_list, names("problem"), "What is minimised");
    add_list(app, axes, "--scheme", axes.scheme, name_list, names("scheme") + "|auto",
             "Who works when; auto: what hogwild tune finds within --budget, with its threads, policy and step");
    add_list(
        app, axes, "--update", axes.update, name_list, names("update"),
        "How an increment reaches the shared buffer (hogwild without a guard; columns: its margins, racy or atomic; "
        "default: racy on threads, atomic with a GPU)");
    add_list(app, axes, "--guard", axes.guard, name_list, names("guard"),
             "What is held around one step (hogwild); publish: steps read and replace whole vectors of weights, of a "
             "network or of up to 65,536 columns");
    add_list(
        app, axes, "--threads", axes.threads, threads, "N|A..B|all",
        "Workers: 1,2,4; a range doubles, 1..16 is 1,2,4,8,16; all is 1..usable cores (default: the usable cores; with "
        "--device both one fewer for every stream and the replica's bridge, and one for the rest of the system)");
    add_list(
        app, axes, "--placement", axes.placement, name_list, names("placement"),
        "Where each coordinate lies in the buffer: as in the file, by frequency, at random, or at random but for "
        "the --hot hottest, which come first, together or on a cache line each (default: stored; of hogwild's sparse "
        "rows on a GPU scattered, where it copies hot coordinates hot-first)");
    add_list(
        app, axes, "--hot-updates", axes.hot_updates, name_list, names("hot-updates") + "|auto",
        "hogwild's threads: how increments of the --hot hottest coordinates are written: as all others; by each worker "
        "once in --exchange samples (not of cuts); one in --exchange, so many times as large (sparse rows); to a "
        "replica of each worker's, which is exchanged every --exchange samples; auto: replicated where on sparse rows "
        "and ratings workers would wait longer for lines from other cores, whose travel is measured, than they step, "
        "else direct "
        "(default: auto, but direct where some of the runs can have no replicas, with --checkpoint and --resume, and "
        "in sweeps)");
    add_list(app, axes, "--step", axes.step, name_list, names("step"),
             "How the step size falls (default: decay; of skipgram and network linear)");
    add_list(app, axes, "--step-size", axes.step_size, real_list, "X",
             "Step size that --step begins with, after a --warm-up (default: by problem, scheme and data; of networks "
             "at most 0.4 / (threads + 2 x GPU teams) under hogwild)");
    add_list(app, axes, "--step-scale", axes.step_scale, scale_list, "X",
             "Times the step size: of the default, one grid for all schemes");
    add_list(app, axes, "--decay", axes.decay, real_list, "X", "decay: factor per epoch; backoff: factor on a plateau");
    add_list(app, axes, "--warm-up", axes.warm_up, warm_up_list, "EPOCHS|Nsamples",
             "The step size rises linearly to that of --step over so many epochs or samples; not what --no-warm-up "
             "skips (default: 0; of networks 0.2 where --step is not given)");
    add_list(app, axes, "--batch", axes.batch, count_list, "N",
             "Samples per step: of minibatch and backup-workers, and of every scheme's steps of a network; cyclades: "
             "whose conflicts are looked at together");
    add_list(app, axes, "--backup", axes.backup, small_counts, "N",
             "backup-workers: shares of a step that it does not wait for, fewer than --threads; 0 for minibatch's bits "
             "(default: 1)");
    add_list(app, axes, "--exchange", axes.exchange, count_list, "N",
             "Samples per worker between exchanges: local-sgd and async-local-sgd, 0 for once per epoch; replicated: "
             "between "
             "its averages; hogwild++: for which a cluster keeps the token; hogwild: of --hot-updates (default of "
             "async-local-sgd and hogwild: 512 / threads, or teams of a GPU, 16 to 128, of ratings and edges 16,384 / "
             "threads, 256 to 4,096, of windows 4,096 / threads, 64 to 1,024, of thinned ones 4)");
    add_list(app, axes, "--cluster", axes.cluster, clusters, "N|core|node|machine",
             "replicated, hogwild++: workers that share a model: 1 (core), those of a NUMA node or, on a machine of "
             "one, of a last-level cache (node), all (machine) (default: node where there are several, else core)");
    add_list(app, axes, "--exchange-doublings", axes.exchange_doublings, count_list, "K",
             "async-local-sgd on sparse rows, --hot-updates replicated: coordinates that occur 4^k times less often "
             "than the hottest are "
             "exchanged 2^k times less often, k up to K (default: 6)");
    add_list(app, axes, "--combine", axes.combine, name_list, names("combine"),
             "async-local-sgd, --hot-updates replicated: what workers' increments add up to: what steps one after the "
             "other would have, their sum, "
             "their average (default: sequential)");
    add_list(app, axes, "--coupling", axes.coupling, real_list, "X",
             "--combine sequential: how much steeper losses are than along single coordinates, of networks than 1 "
             "(default: 2)");
    add_list(app, axes, "--l2", axes.l2, l2_list, "X|1/n",
             "lambda of (lambda / 2) |w|^2 (default: 1/n; of ratings, each shrinking what it touches, 0.04 times their "
             "deviation)");
    add_list(app, axes, "--epochs", axes.epochs, count_list, "N", "Traversals of the samples, all workers together");
    add_list(app, axes, "--network", axes.network, name_list, "NAME|LAYERS",
             "network: lenet, cnn-32-64, fcn-r, mlp-784-128-10 (any sizes), or its layers, such as 'conv 8 5 relu; "
             "maxpool 2; "
             "dense 10' (default: lenet)");
    add_list(app, axes, "--read", axes.read, name_list, names("read"),
             "network: a step computes with the shared weights where they are, or with a copy made first (default: "
             "in-place)");
    add_list(app, axes, "--layer-update", axes.layer_update, name_list, "none|LAYER=POLICY[+...]",
             "network: layers that racy, atomic or noop updates instead of --update, such as 1=atomic+5=noop; "
             "layers are numbered from 1, those without weights too (default: none)");
    add_list(app, axes, "--optimizer", axes.optimizer, name_list, names("optimizer"),
             "network: what a step goes against instead of its gradient (default: sgd, the gradient)");
    add_list(
        app, axes, "--state", axes.state, name_list, names("state"),
        "Where an optimiser's state lives: one for all workers, for each device's or for each (hogwild, round-robin; "
        "default: shared)");
    add_list(app, axes, "--beta1", axes.beta1, real_list, "X",
             "momentum, nesterov, delayed-nesterov, adam: what is kept of the momentum at each step (default: 0.9)");
    add_list(app, axes, "--beta2", axes.beta2, real_list, "X",
             "rmsprop, adam: what is kept of the mean square at each step (default: 0.99 and 0.999)");
    add_list(
        app, axes, "--staleness-rule", axes.staleness_rule, name_list, names("staleness-rule"),
        "hogwild, of networks on one device, of sparse rows on threads without a guard: what becomes of a step between "
        "whose read and write others wrote tau steps: inverse takes 1/(1+tau) of the step size, delay-adaptive min(1, "
        "R/tau); drop writes nothing above tau = R (default: none)");
    add_list(app, axes, "--staleness-limit", axes.staleness_limit, count_list, "R",
             "delay-adaptive, drop: their R (default: 16)");
    add_list(app, axes, "--order", axes.order, name_list, names("order"), "In which order samples are visited");
    add_list(app, axes, "--pin", axes.pin, name_list, names("pin"), "Where threads are bound");
    add_list(app, axes, "--lanes", axes.lanes, name_list, names("lanes"), "Instruction set: same bits, another speed");
    add_list(
        app, axes, "--delay", axes.delay, real_list, "SECONDS",
        "Added to each gradient, between its reads and its writes: what a costlier loss would do (CPU threads, not "
        "minibatch and backup-workers; default: 0)");
    add_list(app, axes, "--telemetry", axes.telemetry, name_list, names("telemetry"),
             "Staleness and lost updates: sampled costs a little, exact is not for timed runs");
    add_list(app, axes, "--seed", axes.seed, seed_list, "N|A..B", "Repeats; 1..5 is 1,2,3,4,5");
}

/// What models have besides their weights.
void add_parameters(CLI::App& app, Axes& axes) {
    for (const std::string_view problem : known_names("problem")) {
        for (const Parameter& parameter : parameters(problem)) {
            const std::string option = option_of(parameter);
            // By name at every parse: copying options gives their map other nodes.
            const auto set = [&axes, option, name = std::string(parameter.name)](const std::string& text) {
                axes.parameters[name] = real_list(option, text);
                axes.given.insert(option);
            };
            app.add_option_function<std::string>(
                   option, set, fmt::format("{}: {} (default: {})", problem, parameter.about, parameter.usual))
                ->type_name(parameter.whole ? "N" : "X")
                ->group("Axes of a model (lists too)");
        }
    }
}

/// Those that want a GPU; a build without CUDA takes them too, and says what is missing when a run wants it.
void add_gpu_axes(CLI::App& app, Axes& axes) {
    const std::string group =
        built_for_gpus() ? "Axes of a GPU (lists too; without a GPU, what asks for it ends with exit code 69)"
                         : "Axes of a GPU (lists too; this build is without CUDA: what asks for a GPU ends with exit "
                           "code 69)";
    const auto add = [&](const std::string& name, auto& values, const auto& parse, const std::string& known,
                         const std::string& help) { add_list(app, axes, name, values, parse, known, help, group); };
    add("--device", axes.device, name_list, names("device"),
        "Whose workers step (hogwild; minibatch, and async-local-sgd of networks, but not on both): cpu, threads; gpu, "
        "streams; both (default: cpu)");
    add("--memory", axes.memory, name_list, names("memory"),
        "Where the parameter buffer lies (hogwild; default: host for cpu, device for gpu, replica for both; svrg, "
        "saga, columns: host, or host-fp64), see below");
    add("--gpu-steps", axes.gpu_steps, name_list, names("gpu-steps"),
        "network, hogwild on a GPU: a step is a team's of thread blocks, or a stream's that replays a captured graph, "
        "dense layers by cuBLAS, from a copy of the weights (default: teams)");
    add("--products", axes.products, name_list, names("products"),
        "graphs: what cuBLAS multiplies with; tf32 keeps 11 significant bits of each factor (default: float32)");
    add("--streams", axes.streams, small_counts, "N",
        "GPU workers (hogwild and async-local-sgd on a GPU; default: 4, of networks 1, but 4 with graphs)");
    add("--blocks", axes.blocks, count_list, "N",
        "Thread blocks of a stream, 8 warps each; a warp steps on a row, so streams x blocks x 8 rows are in flight "
        "(of ratings and edges more) "
        "(default: 66); of networks, blocks make teams of up to eight, each of which steps on a batch (default: 32)");
    add("--gpu-batch", axes.gpu_batch, count_list, "N",
        "Samples per step of a GPU's teams (networks on both devices): --batch, or that doubled some times (default: "
        "0, "
        "--batch)");
    add("--batch-rule", axes.batch_rule, name_list, names("batch-rule"),
        "Whether batches change (networks on both devices): adaptive halves that of the device with fewer steps, and "
        "doubles that of the other, until both make as many; adaptive-linear lets step sizes grow with them (default: "
        "fixed)");
    add("--batch-most", axes.batch_most, count_list, "N",
        "adaptive: no batch grows beyond it, as none shrinks below --batch (default: 256)");
    add("--hot", axes.hot, count_list, "N",
        "Hottest coordinates that each thread block copies and adds to, of dense rows all or none; 0 for none; needs "
        "--placement hot-first, hot-apart or hottest (default: 64 from 100 blocks of all streams up under "
        "atomic, 0 otherwise and with --telemetry exact); of ratings those of the most rated users and items, as many "
        "as these hold, one at least, as they are stored (default: 0); on CPU threads those of --hot-updates, in whole "
        "cache lines "
        "of 16, under --placement hot-first or hottest, or those that --placement hot-first lays together and "
        "hot-apart on a line "
        "each (default: 256); of ratings, edges and texts in whole pages, as they are stored (default: 8,192)");
    add("--hot-rule", axes.hot_rule, real_list, "X",
        "Share of a copy's increments that reach the buffer: 1 sums over blocks, less averages (default: 1)");
    add("--bridge-rule", axes.bridge_rule, real_list, "X",
        "replica: share of the GPU's increments that reach the host's array (default: 1)");
    add("--bridge-pause", axes.bridge_pause, real_list, "SECONDS", "replica: pause between two exchanges (default: 0)");
}

void add_single_values(CLI::App& app, Axes& axes) {
    const auto add = [&](const std::string& name, const std::function<void(const std::string&)>& set, const char* type,
                         const std::string& help) {
        const auto set_given = [&axes, name, set](const std::string& text) {
            set(text);
            axes.given.insert(name);
        };
        app.add_option_function<std::string>(name, set_given, help)->type_name(type)->group("One value for every run");
    };
    add(
        "--half-life", [&](const std::string& text) { axes.half_life = positive("--half-life", text); }, "EPOCHS",
        "inverse-time: epochs after which the step has halved (default: 1)");
    add(
        "--plateau", [&](const std::string& text) { axes.plateau = positive("--plateau", text); }, "X",
        "backoff: relative improvement per epoch below which the step shrinks (default: 0.01)");
    add(
        "--cas-limit", [&](const std::string& text) { axes.cas_limit = one_count("--cas-limit", text); }, "N",
        "cas-bounded: tries before an increment is dropped; publish: before a step is (default: 8)");
    add(
        "--l1",
        [&](const std::string& text) {
            const std::vector<double> values = real_list("--l1", text);
            if (values.size() != 1)
                throw Error(Failure::kUsage, "--l1 cannot be '" + text + "'", "it is not an axis", "give one number");
            axes.l1 = values[0];
        },
        "X", "svrg, saga: lambda1 of lambda1 |w|_1, by proximal steps; part of the loss (default: 0)");
    add(
        "--int8-range", [&](const std::string& text) { axes.int8_range = positive("--int8-range", text); }, "X",
        "memories of int8: how large a weight can at least be; they are a power of two apart, X / 127 to twice that "
        "(default: 4)");
    add(
        "--observe", [&](const std::string& text) { axes.observations_per_epoch = one_count("--observe", text); }, "N",
        "Snapshots per epoch, copied while workers run (default: 10)");
}

} // namespace

void add_axis_options(CLI::App& app, Axes& axes) {
    add_axes(app, axes);
    add_parameters(app, axes);
    add_gpu_axes(app, axes);
    add_single_values(app, axes);
}

} // namespace hogwild
