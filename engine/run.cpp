#include "engine/run.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/data/shuffle.h"
#include "engine/data/sparse/transpose.h"
#include "engine/error.h"
#include "engine/machine/memory_budget.h"
#include "engine/machine/parallel.h"
#include "engine/network/layer_updates.h"
#include "engine/network/network.h"
#include "engine/optimum/optimum.h"
#include "engine/order/hot_ranges.h"
#include "engine/plan/hot_updates.h"
#include "engine/record/evaluate.h"
#include "engine/record/first_not_finite.h"
#include "engine/schemes/all.h"
#include "engine/schemes/conflicts/window.h"
#include "engine/schemes/walk/claims.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kSnapshotBudget = std::uint64_t{2} << 30;
constexpr double kDivergedFactor = 2.0;

const Kernels& kernels_named(std::string_view problem) {
    return *with_problem(problem, [](auto p) { return &kernels_of<decltype(p)>(); });
}

/// Calls f(kernels, model) with the model that the plan means for these samples.
template <class F>
decltype(auto) with_model(const AnyView& samples, const Plan& plan, const F& f) {
    const std::vector<double> values = parameters(plan);
    ModelChoice model{values, plan.l2, nullptr};
    NetworkShape network;
    if (takes_network(plan.problem)) {
        const auto& images = samples.as<ImagesView>();
        network = network_of(plan.network.layers, images.shape, images.classes);
        model.network = &network;
    }
    return f(kernels_named(plan.problem), model);
}

} // namespace

AnyView bound(const AnyView& samples, const Plan& plan) {
    return with_model(samples, plan,
                      [&](const Kernels& kernels, const ModelChoice& model) { return kernels.bound(samples, model); });
}

std::uint32_t coordinates(const AnyView& samples, const Plan& plan) { return bound(samples, plan).coordinates(); }

namespace {

/// What a run takes besides the samples: models, optimisers' states, published vectors, final weights, the fewest snapshots, their
/// evaluation, the gradient of the bound; its timeline; the shuffled copy of the samples where it must make one; what a batch emits.
std::string why_not_fit(const Plan& plan, const AnyView& data, bool copies_samples) {
    const std::uint64_t models = plan.scheme == "local-sgd"         ? plan.threads
                                 : plan.scheme == "async-local-sgd" ? 2 * cpu_workers(plan) + 1
                                 : plan.scheme == "hogwild++"       ? 2 * clusters(plan)
                                 : plan.scheme == "replicated"      ? clusters(plan)
                                 : plan.scheme == "saga"            ? 3
                                 : plan.scheme == "svrg"            ? 3 + plan.threads
                                                                    : 1; // the GPU's own memory is asked for by itself
    const std::uint64_t vectors = models + 1 + Recorder::kFewest + 4 + 4;
    std::uint64_t bytes = vectors * sizeof(float) * data.coordinates() + Timeline::bytes(plan, data.rows());
    if (steps_on_doubles(plan.scheme)) bytes += sizeof(float) * data.rows(); // slopes, margins
    if (steps_on_columns(plan.scheme)) bytes += transposed_bytes(data.as<SparseView>());
    if (plan.memory == "host-fp64") bytes += sizeof(float) * ((models + 1) * data.coordinates() + data.rows());
    if (is_low_precision(parse_memory(plan.memory)))
        bytes += bytes_of(storage_of(parse_memory(plan.memory))) * data.coordinates();
    bytes += sizeof(float) * OptimizerStates::floats(plan, data.coordinates());
    bytes += sizeof(float) * WorkerContexts::published_floats(plan, data.coordinates());
    if (owns_hot(plan))
        bytes += 2 * sizeof(float) * std::uint64_t{plan.threads} * hot_coordinates(plan, data.coordinates());
    if (copies_samples) bytes += array_bytes(data);
    const Kernels& kernels = kernels_named(plan.problem);
    const bool meets = is_minibatch(plan.scheme);
    bytes +=
        sizeof(float) * cpu_workers(plan) *
        (meets ? kernels.scratch(data) : kernels.step_scratch(data, most_cpu_batch(plan), plan.network.read == "copy"));
    if (plan.scheme == "minibatch" && plan.device == "cpu")
        bytes += sizeof(float) * std::uint64_t{plan.batch.size} * kernels.emission(data);
    if (plan.scheme == "cyclades")
        bytes += (std::uint64_t{data.groups()} + 11 * std::min<std::uint64_t>(plan.batch.size, data.rows())) *
                 sizeof(std::uint32_t) * plan.threads;
    if (plan.scheme == "backup-workers") {
        const auto [shares, samples] = wanted_shares(plan, data.rows());
        bytes += sizeof(float) * (std::uint64_t{plan.threads} + shares) * samples * kernels.emission(data);
    }
    const std::string why = shortage(bytes);
    return why.empty()
               ? ""
               : fmt::format("a run of {} epoch{} on {} coordinates does not fit: {}{}", plan.epochs,
                             plan.epochs == 1 ? "" : "s", data.coordinates(), why,
                             takes_network(plan.problem) ? "; take a smaller network, smaller batches or fewer threads"
                                                         : "");
}

/// A GPU's kernels number the floats of a batch's tape with 32 bits.
std::string why_not_tape(const Plan& plan, const AnyView& data) {
    if (plan.device == "cpu" || !takes_network(plan.problem)) return "";
    const std::uint64_t floats = std::uint64_t{most_gpu_batch(plan)} * NetworkTape::size(data.as<ImagesView>());
    if (floats <= std::numeric_limits<std::uint32_t>::max()) return "";
    return fmt::format(
        "a batch of {} takes {} numbers through the network, and a GPU's kernels count to 2^32; take fewer",
        most_gpu_batch(plan), floats);
}

/// A step that touches few weights copies them all.
std::string why_not_published(const Plan& plan, const AnyView& data) {
    if (plan.guard != "publish" || touches_all(plan.problem) || data.coordinates() <= kMostPublished) return "";
    return fmt::format("publish copies every weight at each step, here {}, of which one of {} touches few; it takes up "
                       "to {} such, so use --guard none",
                       data.coordinates(), plan.problem, kMostPublished);
}

std::string why_not_here(const Plan& plan, const AnyView& data, bool copies_samples) {
    if (const std::string reason = why_not(plan); !reason.empty()) return reason;
    if (const std::string_view idle = data.why_idle(); !idle.empty()) return std::string(idle);
    if (takes_network(plan.problem)) {
        const NetworkShape& network = data.as<ImagesView>().network;
        if (const std::string reason = why_not_layer_updates(plan.network.update, network); !reason.empty())
            return reason;
    }
    if (steps_on_columns(plan.scheme) && data.rows() > std::numeric_limits<std::int32_t>::max())
        return fmt::format("{} numbers up to 2^31 - 1 samples in its columns", plan.scheme);
    if (const std::string reason = why_not_published(plan, data); !reason.empty()) return reason;
    constexpr std::uint32_t kCopies = 1 << 15; // more than a block has, or a group
    if (gpu_workers(plan) > 0 && !is_linear(plan.problem) && plan.hot.count > 0 &&
        data.coordinates() > std::numeric_limits<std::uint32_t>::max() - kCopies)
        return fmt::format(
            "copies have numbers behind those of the {} coordinates, and all are below 2^32; use --hot 0",
            data.coordinates());
    if (const std::string reason = why_not_fit(plan, data, copies_samples); !reason.empty()) return reason;
    if (const std::string reason = why_not_tape(plan, data); !reason.empty()) return reason;
    if (gpu_workers(plan) > 0 && plan.hot.count > 0 && plan.hot.count < data.coordinates() && data.dense()) {
        return fmt::format("these samples hold every column, so copies are of all {} or of none: --hot {} or --hot 0",
                           data.coordinates(), data.coordinates());
    }
    const bool batches = plan.device == "gpu" && plan.scheme == "minibatch" && data.dense() && is_linear(plan.problem);
    if (batches || steps_by_graphs(plan)) {
        if (const std::string reason = why_not_dense_products(); !reason.empty()) return reason;
    }
    return why_not_exact(plan, data);
}

void check(const Plan& plan, const RunInputs& inputs) {
    validate(plan);
    if (inputs.sink != nullptr || inputs.before != nullptr) {
        if (const std::string reason = why_not_go_on(plan); !reason.empty())
            throw Error(Failure::kUsage, "this plan cannot be gone on with", reason, "run it at a stretch");
    }
    const AnyView& data = inputs.train.view();
    if (data.rows() == 0 || data.rows() >= std::numeric_limits<std::uint32_t>::max()) {
        throw Error(fmt::format("{} has {} samples", inputs.train.name(), data.rows()), "a run needs 1 to 2^32 - 2",
                    "use other data");
    }
    const std::uint64_t weights = with_model(
        data, plan, [&](const Kernels& kernels, const ModelChoice& model) { return kernels.coordinates(data, model); });
    if (weights > std::numeric_limits<std::int32_t>::max()) {
        throw Error(fmt::format("{} asks for {} weights", inputs.train.name(), weights), "a run takes up to 2^31 - 1",
                    "renumber what the samples name, or take a smaller model");
    }
    if (inputs.before != nullptr && inputs.before->coordinates != weights) {
        throw Error("this plan cannot be gone on with",
                    fmt::format("its snapshots hold {} weights, its model {}", inputs.before->coordinates, weights),
                    "go on from snapshots of this plan on these samples");
    }
    const bool copies_samples = inputs.shuffled == nullptr && wants_shuffled(plan, inputs.train);
    if (const std::string reason = why_not_here(plan, bound(inputs.train.view(), plan), copies_samples);
        !reason.empty()) {
        throw Error(Failure::kUsage, "this plan cannot run", reason, "change what it names");
    }
}

InstructionSet instruction_set(const Plan& plan) {
    const InstructionSet best = best_instruction_set();
    if (plan.lanes == "auto") return best;
    const InstructionSet wanted = plan.lanes == "avx512" ? InstructionSet::kAvx512
                                  : plan.lanes == "avx2" ? InstructionSet::kAvx2
                                                         : InstructionSet::kScalar;
    if (wanted > best) {
        throw Error(Failure::kMissing, fmt::format("--lanes {} cannot run", plan.lanes),
                    "this processor or build does not have it", "use --lanes auto");
    }
    return wanted;
}

void initialise(const Plan& plan, const AnyView& data, ParameterBuffer& buffer) {
    constexpr std::uint64_t kGrain = 1 << 16;
    parallel_for(buffer.size(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        kernels_named(plan.problem)
            .initialise(data, plan.seed, buffer.data(), static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(end));
    });
    buffer.upload();
}

/// Shows snapshots to a sink until nobody takes any more, whatever ends the run.
class Shown {
public:
    Shown(Recorder& recorder, SnapshotSink* sink, const Schedule& schedule) : sink_(sink) {
        if (sink_ != nullptr) recorder.show(sink_, schedule);
    }
    ~Shown() { end(); }
    Shown(const Shown&) = delete;
    Shown& operator=(const Shown&) = delete;

    void end() const {
        if (sink_ != nullptr) sink_->ended();
    }

private:
    SnapshotSink* sink_;
};

void go_on(const Part& before, Job& job) {
    const Snapshot& last = before.snapshots.back();
    std::copy_n(last.values, job.buffer.size(), job.buffer.data());
    job.recorder.go_on_from(before.snapshots);
    job.start_at = {last.updates, last.scale, before.losses};
}

/// Turns snapshots into observations, off the clock.
/// Says what broke in the first snapshot whose training loss is not finite, if one is so.
std::string evaluate_into(Outcome& outcome, const Plan& plan, const RunInputs& inputs, const AnyView& stepped_on,
                          std::vector<Snapshot> snapshots, GpuSide* gpu) {
    std::string broken;
    const AnyView train = stepped_on.tiles().side > 0 ? stepped_on : bound(inputs.train.view(), plan);
    std::vector<const float*> weights;
    for (const Snapshot& snapshot : snapshots) {
        const auto scale = static_cast<float>(snapshot.scale);
        for (std::uint32_t j = 0; j < train.coordinates(); ++j) snapshot.values[j] *= scale;
        weights.push_back(snapshot.values);
        outcome.copy_seconds += snapshot.copy_seconds;
    }
    const auto losses_on = [&](const AnyView& data) {
        return gpu != nullptr ? gpu->evaluate(data, weights) : evaluate(plan.problem, data, weights);
    };
    const std::vector<Losses> on_train = gpu != nullptr ? gpu->evaluate(weights) : losses_on(train);
    std::vector<Losses> on_test(weights.size());
    if (inputs.test != nullptr) on_test = losses_on(bound(inputs.test->view(), plan));
    const std::span<const Score> scores = scores_of(plan.problem);
    for (std::size_t i = 0; i < snapshots.size(); ++i) {
        Observation observation;
        observation.seconds = snapshots[i].seconds;
        observation.epoch = static_cast<double>(snapshots[i].updates) / static_cast<double>(train.rows());
        observation.updates = snapshots[i].updates;
        observation.train_loss = on_train[i].objective(plan.l2);
        if (plan.l1 > 0) observation.train_loss += plan.l1 * absolute_norm(weights[i], train.coordinates());
        if (broken.empty() && !std::isfinite(observation.train_loss)) broken = what_broke(train, weights[i]);
        observation.test_loss = on_test[i].mean_loss;
        for (std::size_t k = 0; k < scores.size(); ++k) {
            const Losses& of = scores[k].samples == Scored::kTraining ? on_train[i] : on_test[i];
            observation.scores[k] = of.scores[k];
        }
        observation.optimality_bound = optimality_bound(observation.train_loss, inputs.optimum);
        outcome.observations.push_back(observation);
    }
    return broken;
}

/// What is known of the final weights alone: their bound, and of doubles the loss of what they are before they are rounded.
void certify(Observation& last, const Plan& plan, const RunInputs& inputs, const AnyView& data,
             const ParameterBuffer& buffer) {
    if (!is_linear(plan.problem)) {
        last.optimality_bound = optimality_bound(last.train_loss, inputs.optimum);
        return;
    }
    const auto& samples = data.as<SparseView>();
    const std::vector<double> weights = buffer.doubles() != nullptr
                                            ? std::vector<double>(buffer.doubles(), buffer.doubles() + buffer.size())
                                            : std::vector<double>(buffer.data(), buffer.data() + buffer.size());
    if (buffer.doubles() != nullptr) {
        last.train_loss = evaluate(plan.problem, inputs.train.sparse(), weights).objective(plan.l2);
        for (const double weight : weights) last.train_loss += plan.l1 * std::abs(weight);
    }
    last.optimality_bound =
        optimality_bound(plan.problem, samples, plan.l2, weights, last.train_loss, inputs.optimum, plan.l1);
}

/// Steps that make so many updates of a run, each of a batch but for an epoch's last.
std::uint64_t steps_of(std::uint64_t updates, std::uint64_t rows, std::uint64_t batch) {
    return updates / rows * ((rows + batch - 1) / batch) + (updates % rows + batch - 1) / batch;
}

/// `broken`: what is not finite where a loss is not.
void judge(Outcome& outcome, const Plan& plan, std::uint64_t rows, const std::string& broken) {
    const auto first_broken =
        std::ranges::find_if(outcome.observations, [](const Observation& o) { return !std::isfinite(o.train_loss); });
    const Observation& first = outcome.observations.front();
    const Observation& last = outcome.observations.back();
    const auto moment = [&](const Observation& seen) {
        const std::uint64_t batch = takes_batches(plan.problem) || is_minibatch(plan.scheme) ? plan.batch.size : 1;
        std::string text = fmt::format("after {:.2f} epochs", seen.epoch);
        if (most_gpu_batch(plan) == plan.batch.size) // of batches of several sizes nobody knows
            text += fmt::format(", at step {}", steps_of(seen.updates, rows, batch));
        return text;
    };
    if (first_broken != outcome.observations.end()) {
        outcome.status = "diverged";
        outcome.reason = fmt::format("the training loss was not finite {}: {}", moment(*first_broken), broken);
    } else if (const double most = kDivergedFactor * first.train_loss; last.train_loss > most) {
        const auto beyond =
            std::ranges::find_if(outcome.observations, [&](const Observation& o) { return o.train_loss > most; });
        outcome.status = "diverged";
        outcome.reason = fmt::format("the training loss rose from {:.4g} to {:.4g}, and was beyond twice its start {}",
                                     first.train_loss, last.train_loss, moment(*beyond));
    }
}

} // namespace

bool wants_shuffled(const Plan& plan, const Dataset& train) {
    if (!train.view().movable() || train.view().tiles().side > 0 || steps_on_columns(plan.scheme)) return false;
    // Streams take single samples from everywhere: thousands of warps at once in one tile would step on few factors.
    return orders_blocks(plan.order, train.view()) || (plan.device == "cpu" && orders_tiles(plan.order, train.view()));
}

std::string why_not(const Plan& plan, const Dataset& train) {
    const bool copies_samples = wants_shuffled(plan, train) && !shuffles_in_place(train.view());
    return why_not_here(plan, bound(train.view(), plan), copies_samples);
}

std::string why_not_go_on(const Plan& plan) {
    if (plan.device != "cpu") return "a GPU's copies are looked at when the run has ended";
    if (corrects_steps(plan.scheme)) return "what " + plan.scheme + " remembers of its samples is in no snapshot";
    if (steps_on_columns(plan.scheme)) return "margins, as roundings left them, are in no snapshot";
    if (plan.memory != "host" && !is_low_precision(parse_memory(plan.memory)))
        return "memory that a GPU shares is another process's";
    if (plan.telemetry != "off") return "--telemetry counts what one process saw";
    if (owns_hot(plan) && (plan.threads > 1 || plan.hot.updates == "delayed"))
        return "what workers keep of hot coordinates is in no snapshot";
    if ((plan.scheme == "async-local-sgd" && plan.threads > 1) || (has_clusters(plan.scheme) && clusters(plan) > 1))
        return "what replicas have not exchanged is in no snapshot";
    if (plan.optimizer.name != "sgd") return "the state of --optimizer " + plan.optimizer.name + " is in no snapshot";
    return "";
}

std::uint64_t unsure_samples(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot) {
    const bool meets = plan.scheme == "local-sgd" || plan.scheme == "minibatch" || plan.scheme == "cyclades";
    if (meets || cpu_workers(plan) == 1) return 0;
    // Of the shares that were taken, all but those of late workers have been applied.
    if (plan.scheme == "backup-workers") return std::uint64_t{plan.backup} * wanted_shares(plan, rows).largest;
    const Timeline timeline(plan, static_cast<std::uint32_t>(rows));
    const bool tiles = with_problem(plan.problem, [](auto problem) {
        return requires { decltype(problem)::Pattern::View::tile_side(1); };
    });
    if (plan.scheme == "conflict-free") return (tiles ? rows : ConflictWindow::kMostSamples) + snapshot.consumed;
    const std::uint64_t block = tiles ? Claims::kMostTogether : with_problem(plan.problem, [=]<class P>(P) {
        return P::Pattern::View::together(rows) / Timeline::kCell;
    });
    const std::uint64_t chunks =
        plan.scheme == "hogwild" || has_clusters(plan.scheme) ? 2 * block * cpu_workers(plan) + 1 : 1;
    return chunks * timeline.positions(0).count + snapshot.consumed;
}

Outcome run(const Plan& plan, const RunInputs& inputs) {
    check(plan, inputs);
    if (wants_shuffled(plan, inputs.train) && inputs.shuffled == nullptr) {
        const Dataset own = shuffled(inputs.train);
        RunInputs with_own = inputs;
        with_own.shuffled = &own;
        return run(plan, with_own);
    }
    const Kernels& kernels = kernels_named(plan.problem);
    const AnyView data = bound((wants_shuffled(plan, inputs.train) ? *inputs.shuffled : inputs.train).view(), plan);
    Schedule schedule(plan.step, plan.epochs);
    Timeline timeline(plan, static_cast<std::uint32_t>(data.rows()));
    ParameterBuffer buffer(data.coordinates(), parse_memory(plan.memory), hot_ranges(plan, data), plan.int8_range);
    initialise(plan, data, buffer);
    Recorder recorder(data.coordinates(), timeline.observations(),
                      std::min(kSnapshotBudget, memory_budget().available / 4));
    const Shown shown(recorder, inputs.sink, schedule);
    WorkerTeam team(cpu_workers(plan), parse_pin(plan.pin), gpu_workers(plan) + bridges(plan));
    WorkerContexts contexts(plan, data, cpu_workers(plan), team.oversubscribed(),
                            kernels.step_scratch(data, most_cpu_batch(plan), plan.network.read == "copy"));
    std::unique_ptr<GpuWorkers> workers;
    std::unique_ptr<GpuBatches> batches;
    if (gpu_workers(plan) > 0) {
        workers = make_gpu_workers(plan, data, buffer, contexts.shadow(), recorder.slots());
    } else if (plan.device != "cpu") {
        batches = make_gpu_batches(plan, data, buffer, recorder.slots());
    }
    GpuSide* const gpu = workers ? static_cast<GpuSide*>(workers.get()) : batches.get();
    Job job{plan,         data, kernels,  instruction_set(plan), schedule,         timeline,        buffer,
            recorder,     team, contexts, team.oversubscribed(), inputs.interrupt, inputs.progress, workers.get(),
            batches.get()};
    if (inputs.before != nullptr) go_on(*inputs.before, job);

    const SchemeTotals totals = make_scheme(plan.scheme)->run(job);
    buffer.download();
    if (totals.final_scale != 1) // the flush of lazy L2, on the clock
        buffer.rescale(0, buffer.size(), static_cast<float>(totals.final_scale));

    Outcome outcome;
    outcome.seconds = recorder.seconds();
    outcome.wait_seconds = inputs.before == nullptr ? totals.wait_seconds : kNone;
    outcome.least_share = inputs.before == nullptr ? totals.least_share : kNone;
    if (inputs.before == nullptr) outcome.worker_updates = totals.by_worker;
    outcome.worker_exchanges = totals.exchanges;
    outcome.rebases = totals.rebases;
    outcome.saturated = buffer.saturated();
    outcome.batches = totals.batches;
    outcome.disturbance = job.disturbance.read();
    shown.end();
    if (gpu != nullptr) {
        gpu->settle(totals.scale_at); // off the clock
        outcome.gpu = gpu->share();
    }
    outcome.telemetry = contexts.telemetry(outcome.gpu.increments_issued);
    outcome.telemetry.steps_dropped += outcome.gpu.steps_dropped;
    outcome.telemetry.gradients_dropped = totals.gradients_dropped;
    const bool finished = !job.left_work.load(std::memory_order_relaxed);
    if (finished) {
        outcome.updates = std::uint64_t{plan.epochs} * data.rows();
        outcome.nonzeros = std::uint64_t{plan.epochs} * data.nonzeros();
        recorder.observe(timeline.observations(), Moment{outcome.updates, 1.0}, buffer.data());
        if (inputs.keeps_weights) outcome.weights.assign(buffer.data(), buffer.data() + buffer.size());
    }
    const std::string broken = evaluate_into(outcome, plan, inputs, data, recorder.taken(), gpu);
    if (!finished) {
        outcome.status = "interrupted";
        outcome.reason = "stopped by a signal";
        if (gpu != nullptr) {
            outcome.updates = totals.by_threads + outcome.gpu.updates;
        } else { // how far it had come is known of its last observation
            outcome.seconds = outcome.observations.back().seconds;
            outcome.updates = outcome.observations.back().updates;
        }
        outcome.nonzeros =
            static_cast<std::uint64_t>(static_cast<double>(data.nonzeros()) / static_cast<double>(data.rows()) *
                                       static_cast<double>(outcome.updates));
        return outcome;
    }
    Observation& last = outcome.observations.back();
    last.seconds = outcome.seconds;
    certify(last, plan, inputs, data, buffer);
    judge(outcome, plan, data.rows(), broken);
    return outcome;
}

} // namespace hogwild
