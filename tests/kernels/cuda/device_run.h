// For tests that need a GPU: whether there is one, and a pass of steps over toy samples on it.
#pragma once

#include "engine/gpu/device_dataset.h"
#include "engine/gpu/stream.h"
#include "engine/order.h"
#include "engine/timeline.h"
#include "kernels/cuda/device_kernels.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hogwild {

/// True, said once for each test, where no GPU can be used.
inline bool no_device() {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0) return false;
    const std::string why = cudaGetErrorString(code == cudaSuccess ? cudaErrorNoDevice : code);
    MESSAGE("skipped: no device (" << why << ")");
    return true;
}

template <class T>
std::vector<T> downloaded(const DeviceArray<T>& array) {
    std::vector<T> copy(array.size());
    check(cudaMemcpy(copy.data(), array.data(), array.bytes(), cudaMemcpyDeviceToHost), "a copy to the host");
    return copy;
}

template <class T>
DeviceArray<T> zeros(std::size_t size) {
    DeviceArray<T> array(size);
    check(cudaMemset(array.data(), 0, array.bytes()), "clearing device memory");
    return array;
}

/// Samples and weights in device memory, and one epoch's paces.
class DeviceRun {
public:
    DeviceRun(const SparseView& data, const Plan& plan)
        : plan_(plan),
          samples_(data),
          order_(sample_order(plan.order, data, plan.seed)),
          weights_(zeros<float>(data.columns)) {
        Timeline timeline(plan, order_.rows);
        timeline.prepare(0, Schedule(plan.step));
        std::vector<Pace> paces;
        for (std::uint64_t g = 0; g < timeline.chunks() / plan.epochs; ++g) {
            if (timeline.positions(g).first % Timeline::kCell == 0) paces.push_back(timeline.pace(g));
        }
        paces_ = DeviceArray<Pace>(paces.size());
        upload(paces_.data(), paces.data(), paces_.bytes());
    }

    /// The first epoch. `probe`: 0 off, 1 sampled, 2 exact.
    void epoch(LaunchShape shape, std::size_t probe = 0, HotExchange exchange = {}) {
        const auto claimed = zeros<std::uint32_t>(1);
        DevicePass pass;
        pass.data = samples_.view();
        pass.order = order_;
        pass.count = order_.rows;
        pass.paces = paces_.data();
        pass.weights = weights_.data();
        pass.claimed = claimed.data();
        pass.exchange = exchange;
        pass.telemetry = {clock.data(), buckets.data(), sum.data(), most.data(), issued.data(), shadow.data()};
        const auto steps = with_problem(plan_.problem, [&]<class Problem>(Problem) {
            return device_kernels<Problem>().steps[catalog::find<Updates>(plan_.update)][0][probe];
        });
        check(steps(pass, shape, nullptr), "launching steps");
        check(cudaDeviceSynchronize(), "steps");
    }

    std::vector<float> weights() const { return downloaded(weights_); }

    DeviceArray<unsigned long long> clock = zeros<unsigned long long>(1);
    DeviceArray<unsigned long long> buckets = zeros<unsigned long long>(DeviceTelemetry::kBuckets);
    DeviceArray<unsigned long long> sum = zeros<unsigned long long>(1);
    DeviceArray<unsigned long long> most = zeros<unsigned long long>(1);
    DeviceArray<unsigned long long> issued = zeros<unsigned long long>(1);
    DeviceArray<float> shadow = zeros<float>(1 << 16);

private:
    Plan plan_;
    DeviceDataset samples_;
    SampleOrder order_;
    DeviceArray<float> weights_;
    DeviceArray<Pace> paces_;
};

} // namespace hogwild
