#include "engine/run/evaluate_run.h"

#include "engine/optimum/optimum.h"
#include "engine/plan/scheme_traits.h"
#include "engine/record/evaluate.h"
#include "engine/record/first_not_finite.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr double kDivergedFactor = 2.0;

/// Steps that make so many updates of a run, each of a batch but for an epoch's last.
std::uint64_t steps_of(std::uint64_t updates, std::uint64_t rows, std::uint64_t batch) {
    return updates / rows * ((rows + batch - 1) / batch) + (updates % rows + batch - 1) / batch;
}

} // namespace

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
        const std::uint64_t batch = takes_batches(plan.problem) || traits(plan).is_minibatch() ? plan.batch.size : 1;
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
