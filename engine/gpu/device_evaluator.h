// Losses of weights over samples in device memory: what engine/record/evaluate.h computes, on a GPU. Only in builds with CUDA.
//
// Margins and losses in double; sums by CUB, with the same bits at every call on one device. The order of additions is not
// the CPU's, so both agree up to rounding in double.
// Thread-safety: one thread at a time. Errors: throws Error when the device fails or lacks the memory (12 bytes a sample).
#pragma once

#include "engine/gpu/device_dataset.h"
#include "engine/gpu/stream.h"
#include "engine/record/evaluate.h"
#include "kernels/cuda/device_kernels.h"

#include <span>
#include <string_view>
#include <vector>

namespace hogwild {

class DeviceEvaluator {
public:
    /// `samples`: pointers into device memory. `signs`: every label is -1 or +1.
    DeviceEvaluator(std::string_view problem, const SparseView& samples, bool signs);

    /// `snapshots` point to host memory, samples.columns weights each.
    std::vector<Losses> operator()(std::span<const float* const> snapshots);

private:
    Losses losses_of(const float* weights);

    SparseView samples_;
    bool signs_;
    DeviceKernels::SampleLosses kernel_;
    Stream stream_;
    DeviceArray<float> weights_;
    DeviceArray<double> losses_;
    DeviceArray<std::uint32_t> wrong_;
    DeviceArray<std::byte> scratch_;
    DeviceArray<double> loss_sum_{1};
    DeviceArray<std::uint64_t> wrong_sum_{1};
};

} // namespace hogwild
