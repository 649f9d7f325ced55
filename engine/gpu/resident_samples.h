// A run's training samples on the GPU, to step on. Weights of linear problems are evaluated over them too. Weights of
// other problems are evaluated on the host, as in a run without a GPU. Only in builds with CUDA.
//
// Thread-safety: `view` from any thread, evaluation by one. Errors: throws Error when the device lacks the memory.
#pragma once

#include "engine/gpu/device_dataset.h"
#include "engine/gpu/device_evaluator.h"
#include "engine/record/evaluate.h"
#include "kernels/catalog.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hogwild {

class ResidentSamples {
public:
    /// Borrows the samples of a problem that is not linear.
    ResidentSamples(std::string problem, const AnyView& data)
        : problem_(std::move(problem)), data_(data), samples_(data) {
        if (is_linear(problem_)) {
            evaluator_.emplace(problem_, samples_.view().as<SparseView>(), labels_are_signs(data.as<SparseView>()));
        }
    }

    const AnyView& view() const { return samples_.view(); }

    std::vector<Losses> evaluate(std::span<const float* const> snapshots) {
        return evaluator_ ? (*evaluator_)(snapshots) : hogwild::evaluate(problem_, data_, snapshots);
    }

    /// Over other samples, which are sent for it.
    std::vector<Losses> evaluate(const AnyView& others, std::span<const float* const> snapshots) const {
        if (!evaluator_) return hogwild::evaluate(problem_, others, snapshots);
        const DeviceDataset sent(others);
        return DeviceEvaluator(problem_, sent.view().as<SparseView>(),
                               labels_are_signs(others.as<SparseView>()))(snapshots);
    }

private:
    std::string problem_;
    AnyView data_;
    DeviceDataset samples_;
    std::optional<DeviceEvaluator> evaluator_; // made with the samples: its memory is asked for before a run, not after
};

} // namespace hogwild
