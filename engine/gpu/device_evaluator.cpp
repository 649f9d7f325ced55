#include "engine/gpu/device_evaluator.h"

#include "kernels/cuda/memory/sums.h"

#include <cmath>
#include <limits>

namespace hogwild {

DeviceEvaluator::DeviceEvaluator(std::string_view problem, const SparseView& samples, bool signs)
    : samples_(samples),
      signs_(signs),
      kernel_(
          with_linear_problem(problem, []<class Problem>(Problem) { return device_kernels<Problem>().sample_losses; })),
      weights_(samples.columns),
      losses_(samples.rows),
      wrong_(samples.rows),
      scratch_(sum_scratch_bytes(samples.rows)) {}

Losses DeviceEvaluator::losses_of(const float* weights) {
    const cudaStream_t stream = stream_.get();
    check(cudaMemcpyAsync(weights_.data(), weights, weights_.bytes(), cudaMemcpyHostToDevice, stream),
          "sending weights");
    check(kernel_(samples_, weights_.data(), losses_.data(), wrong_.data(), stream), "evaluating losses");
    check(sum_on_device(scratch_.data(), losses_.data(), samples_.rows, loss_sum_.data(), stream), "summing losses");
    check(sum_on_device(scratch_.data(), wrong_.data(), samples_.rows, wrong_sum_.data(), stream), "summing errors");
    double loss = 0;
    std::uint64_t wrong = 0;
    check(cudaMemcpyAsync(&loss, loss_sum_.data(), sizeof(loss), cudaMemcpyDeviceToHost, stream), "fetching a loss");
    check(cudaMemcpyAsync(&wrong, wrong_sum_.data(), sizeof(wrong), cudaMemcpyDeviceToHost, stream),
          "fetching an error");
    stream_.wait();
    Losses result;
    result.squared_norm = squared_norm(weights, samples_.columns);
    const auto rows = static_cast<double>(samples_.rows);
    result.mean_loss = std::isfinite(result.squared_norm) ? loss / rows : std::numeric_limits<double>::infinity();
    if (signs_) result.scores[0] = static_cast<double>(wrong) / rows;
    return result;
}

std::vector<Losses> DeviceEvaluator::operator()(std::span<const float* const> snapshots) {
    std::vector<Losses> all(snapshots.size());
    if (samples_.rows == 0) return all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = losses_of(snapshots[i]);
    return all;
}

} // namespace hogwild
