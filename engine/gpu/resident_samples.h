// A run's training samples on the GPU: to step on, and to evaluate weights over. Only in builds with CUDA.
//
// Thread-safety: `view` from any thread, evaluation by one. Errors: throws Error when the device lacks the memory.
#pragma once

#include "engine/gpu/device_dataset.h"
#include "engine/gpu/device_evaluator.h"
#include "engine/record/evaluate.h"

#include <span>
#include <string>
#include <vector>

namespace hogwild {

class ResidentSamples {
public:
    ResidentSamples(std::string problem, const SparseView& data)
        : problem_(std::move(problem)), signs_(labels_are_signs(data)), samples_(data) {}

    SparseView view() const { return samples_.view(); }

    std::vector<Losses> evaluate(std::span<const float* const> snapshots) const {
        return DeviceEvaluator(problem_, samples_.view(), signs_)(snapshots);
    }

    /// Over other samples, which are sent for it.
    std::vector<Losses> evaluate(const SparseView& others, std::span<const float* const> snapshots) const {
        const DeviceDataset sent(others);
        return DeviceEvaluator(problem_, sent.view(), labels_are_signs(others))(snapshots);
    }

private:
    std::string problem_;
    bool signs_; // every label is -1 or +1
    DeviceDataset samples_;
};

} // namespace hogwild
