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
        : problem_(std::move(problem)), samples_(data), evaluator_(problem_, samples_.view(), labels_are_signs(data)) {}

    SparseView view() const { return samples_.view(); }

    std::vector<Losses> evaluate(std::span<const float* const> snapshots) { return evaluator_(snapshots); }

    /// Over other samples, which are sent for it.
    std::vector<Losses> evaluate(const AnyView& others, std::span<const float* const> snapshots) const {
        const DeviceDataset sent(others.as<SparseView>());
        return DeviceEvaluator(problem_, sent.view(), labels_are_signs(others.as<SparseView>()))(snapshots);
    }

private:
    std::string problem_;
    DeviceDataset samples_;
    DeviceEvaluator evaluator_; // made with the samples: its memory is asked for before a run, not after
};

} // namespace hogwild
