// Steps over toy samples on a GPU, launch by launch.
#pragma once

#include "engine/gpu/device_dataset.h"
#include "engine/gpu/stream.h"
#include "engine/order/order.h"
#include "engine/order/timeline.h"
#include "engine/plan/plan.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/numbers/histogram.h"
#include "tests/device.h"
#include "tests/engine/schemes/exact_run.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace hogwild {

/// Samples, weights and a run's paces in device memory.
class DeviceRun {
public:
    /// The weights begin with `start`, or with zeros.
    DeviceRun(const AnyView& data, const Plan& plan, const std::vector<float>& start = {})
        : dense(data.dense()),
          plan_(plan),
          samples_(data),
          order_(sample_order(plan.order, data, plan.seed, true)),
          weights_(zeros<float>(data.coordinates())),
          paces_(Timeline(plan, order_.rows).cells() * plan.epochs) {
        upload(weights_.data(), start.data(), start.size() * sizeof(float));
        Timeline timeline(plan, order_.rows);
        std::vector<Pace> paces(timeline.cells());
        for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) {
            timeline.prepare(epoch, Schedule(plan.step, plan.epochs));
            timeline.paces(epoch, paces.data());
            upload(paces_.data() + epoch * paces.size(), paces.data(), paces.size() * sizeof(Pace));
        }
    }

    /// One launch. `probe`: 0 off, 1 sampled, 2 exact.
    void steps(const Positions& at, LaunchShape shape, std::size_t probe = 0, HotExchange exchange = {}) {
        const std::uint32_t workers = shape.blocks * shape.warps;
        DevicePass pass;
        pass.data = samples_.view();
        pass.dense = dense;
        pass.order = order_;
        pass.epoch = at.epoch;
        pass.first = at.first;
        pass.pieces = Pieces(at.count, workers, kernels().abreast(samples_.view()));
        pass.clock.paces = paces_.data();
        pass.clock.rows = order_.rows;
        pass.clock.cells = static_cast<std::uint32_t>(paces_.size() / plan_.epochs);
        pass.clock.last = (at.epoch + 1ULL) * order_.rows - 1;
        pass.clock.warps = workers;
        pass.clock.consumed = consumed.data();
        pass.weights = weights_.data();
        pass.claimed = claims_.data();
        pass.claimed_before = claimed_;
        pass.exchange = exchange;
        pass.telemetry = {clock.data(), buckets.data(), sum.data(), most.data(), issued.data(), shadow.data()};
        const auto kernel = kernels().steps[catalog::find<Updates>(plan_.update)][0][probe];
        check(kernel(pass, shape, nullptr), "launching steps");
        check(cudaDeviceSynchronize(), "steps");
        claimed_ += pass.pieces.size() + workers;
    }

    /// The first epoch, in one launch.
    void epoch(LaunchShape shape, std::size_t probe = 0, HotExchange exchange = {}) {
        steps({0, 0, order_.rows}, shape, probe, exchange);
    }

    std::vector<float> weights() const { return downloaded(weights_); }

    DeviceArray<unsigned long long> consumed = zeros<unsigned long long>(1);
    DeviceArray<unsigned long long> clock = zeros<unsigned long long>(1);
    DeviceArray<unsigned long long> buckets = zeros<unsigned long long>(Histogram::kBuckets);
    DeviceArray<unsigned long long> sum = zeros<unsigned long long>(1);
    DeviceArray<unsigned long long> most = zeros<unsigned long long>(1);
    DeviceArray<unsigned long long> issued = zeros<unsigned long long>(1);
    DeviceArray<float> shadow = zeros<float>(1 << 16);
    bool dense = false; // steps by the kernel for dense rows

private:
    const DeviceKernels& kernels() const {
        return *with_problem(plan_.problem, []<class Problem>(Problem) { return &device_kernels<Problem>(); });
    }

    Plan plan_;
    DeviceDataset samples_;
    SampleOrder order_;
    DeviceArray<float> weights_;
    DeviceArray<Pace> paces_;
    DeviceArray<std::uint32_t> claims_ = zeros<std::uint32_t>(1);
    std::uint32_t claimed_ = 0;
};

/// One epoch without L2, whose scale would stay in the weights of the device.
inline Plan one_epoch(std::string_view problem) {
    Plan plan = toy_plan("serial");
    plan.problem = problem;
    plan.epochs = 1;
    plan.l2 = 0;
    plan.step.size = 0.02;
    return plan;
}

inline Plan exact_epoch(const std::string& update) {
    Plan plan = exact_plan("serial");
    plan.epochs = 1;
    plan.update = update;
    return plan;
}

/// The largest difference, over the largest weight.
inline double apart(const std::vector<float>& a, const std::vector<float>& b) {
    double most = 0, largest = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        most = std::max(most, std::abs(static_cast<double>(a[j]) - static_cast<double>(b[j])));
        largest = std::max(largest, std::abs(static_cast<double>(b[j])));
    }
    return most / largest;
}

} // namespace hogwild
