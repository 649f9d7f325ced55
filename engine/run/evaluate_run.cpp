#include "engine/run/evaluate_run.h"

#include "engine/machine/parallel.h"
#include "engine/machine/stop_loops.h"
#include "engine/optimum/optimum.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "engine/record/evaluate.h"
#include "engine/record/first_not_finite.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr double kDivergedFactor = 2.0;

/// Steps that make so many updates of a run, each of a batch but for an epoch's last.
std::uint64_t steps_of(std::uint64_t updates, std::uint64_t rows, std::uint64_t batch) {
    return updates / rows * ((rows + batch - 1) / batch) + (updates % rows + batch - 1) / batch;
}

/// Evaluates snapshots in groups, so that what was evaluated before an interrupt is kept.
class Meter {
public:
    struct Seen {
        const Snapshot* snapshot;
        Losses train, test;
    };

    Meter(const Plan& plan, const RunInputs& inputs, const AnyView& train, GpuSide* gpu)
        : plan_(plan), inputs_(inputs), train_(train), gpu_(gpu) {
        if (inputs.test != nullptr) test_ = bound(inputs.test->view(), plan);
    }

    /// In order; of all, unless there is an interrupt. Snapshots are scaled in place.
    std::vector<Seen> seen(std::span<Snapshot> snapshots) {
        const std::size_t together = gpu_ != nullptr ? snapshots.size() : is_linear(plan_.problem) ? kTogether : 1;
        for (std::size_t at = 0; at < snapshots.size() && !interrupted(); at += together)
            add(snapshots.subspan(at, std::min(together, snapshots.size() - at)), inputs_.interrupt);
        if (all_.empty() && !snapshots.empty()) add(snapshots.first(1), nullptr);
        if (all_.size() < snapshots.size()) add(snapshots.last(1), nullptr);
        return std::move(all_);
    }

private:
    static constexpr std::size_t kTogether = 16; // that share a traversal: engine/record/evaluate.h

    bool interrupted() const {
        return inputs_.interrupt != nullptr && inputs_.interrupt->load(std::memory_order_relaxed);
    }

    /// Adds the group, or nothing of it where `stop` became true meanwhile.
    void add(std::span<Snapshot> group, const std::atomic<bool>* stop) {
        std::vector<const float*> weights;
        for (Snapshot& snapshot : group) {
            unscale(snapshot);
            weights.push_back(snapshot.values);
        }
        const StopLoops early(gpu_ != nullptr ? nullptr : stop);
        const std::vector<Losses> train = gpu_ != nullptr ? gpu_->evaluate(weights) : losses(train_, weights);
        std::vector<Losses> test(group.size());
        if (test_) test = losses(*test_, weights);
        if (gpu_ == nullptr && stop != nullptr && interrupted()) return;
        for (std::size_t i = 0; i < group.size(); ++i) all_.push_back({&group[i], train[i], test[i]});
    }

    std::vector<Losses> losses(const AnyView& data, std::span<const float* const> weights) const {
        return gpu_ != nullptr ? gpu_->evaluate(data, weights) : evaluate(plan_.problem, data, weights);
    }

    /// Makes its values the weights, once.
    void unscale(Snapshot& snapshot) const {
        const auto scale = static_cast<float>(std::exchange(snapshot.scale, 1.0));
        if (scale == 1.0F) return;
        parallel_for(train_.coordinates(), 1 << 16, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t j = begin; j < end; ++j) snapshot.values[j] *= scale;
        });
    }

    const Plan& plan_;
    const RunInputs& inputs_;
    const AnyView& train_;
    std::optional<AnyView> test_;
    GpuSide* gpu_;
    std::vector<Seen> all_;
};

} // namespace

Evaluated evaluate_into(Outcome& outcome, const Plan& plan, const RunInputs& inputs, const AnyView& stepped_on,
                        std::vector<Snapshot> snapshots, GpuSide* gpu) {
    for (const Snapshot& snapshot : snapshots) outcome.copy_seconds += snapshot.copy_seconds;
    const AnyView train = stepped_on.tiles().side > 0 ? stepped_on : bound(inputs.train.view(), plan);
    const std::vector<Meter::Seen> all = Meter(plan, inputs, train, gpu).seen(snapshots);
    const std::span<const Score> scores = problem_traits(plan).scores;
    Evaluated result{"", snapshots.size() - all.size()};
    for (const auto& [snapshot, on_train, on_test] : all) {
        Observation observation;
        observation.seconds = snapshot->seconds;
        observation.epoch = static_cast<double>(snapshot->updates) / static_cast<double>(train.rows());
        observation.updates = snapshot->updates;
        observation.train_loss = on_train.objective(plan.l2);
        if (plan.l1 > 0) observation.train_loss += plan.l1 * absolute_norm(snapshot->values, train.coordinates());
        if (result.broken.empty() && !std::isfinite(observation.train_loss))
            result.broken = what_broke(train, snapshot->values);
        observation.test_loss = on_test.mean_loss;
        for (std::size_t k = 0; k < scores.size(); ++k) {
            const Losses& of = scores[k].samples == Scored::kTraining ? on_train : on_test;
            observation.scores[k] = of.scores[k];
        }
        observation.optimality_bound = optimality_bound(observation.train_loss, inputs.optimum);
        outcome.observations.push_back(observation);
    }
    return result;
}

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

void judge(Outcome& outcome, const Plan& plan, std::uint64_t rows, const std::string& broken) {
    const auto first_broken =
        std::ranges::find_if(outcome.observations, [](const Observation& o) { return !std::isfinite(o.train_loss); });
    const Observation& first = outcome.observations.front();
    const Observation& last = outcome.observations.back();
    const auto moment = [&](const Observation& seen) {
        const std::uint64_t batch =
            problem_traits(plan).takes_batches || scheme_traits(plan).is_minibatch() ? plan.batch.size : 1;
        std::string text = fmt::format("after {:.2f} epochs", seen.epoch);
        if (most_gpu_batch(plan) == plan.batch.size) // of batches of several sizes nobody knows
            text += fmt::format(", at step {}", steps_of(seen.updates, rows, batch));
        return text;
    };
    if (first_broken != outcome.observations.end()) {
        outcome.status = kDivergedStatus.name;
        outcome.reason = fmt::format("the training loss was not finite {}: {}", moment(*first_broken), broken);
    } else if (const double most = kDivergedFactor * first.train_loss; last.train_loss > most) {
        const auto beyond =
            std::ranges::find_if(outcome.observations, [&](const Observation& o) { return o.train_loss > most; });
        outcome.status = kDivergedStatus.name;
        outcome.reason = fmt::format("the training loss rose from {:.4g} to {:.4g}, and was beyond twice its start {}",
                                     first.train_loss, last.train_loss, moment(*beyond));
    }
}

} // namespace hogwild
