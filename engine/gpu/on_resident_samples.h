// A GPU's side of a run (GpuWorkers or GpuBatches) whose training samples lie on the device: weights are evaluated over them there.
// Only in builds with CUDA. Thread-safety: that of the side.
#pragma once

#include "engine/gpu/resident_samples.h"
#include "engine/plan/plan.h"
#include "engine/schemes/two_devices/gpu_side.h"

#include <span>
#include <vector>

namespace hogwild {

template <class Side>
class OnResidentSamples : public Side {
public:
    OnResidentSamples(const Plan& plan, const AnyView& data) : samples_(plan.problem, data) {}

    std::vector<Losses> evaluate(std::span<const float* const> snapshots) final { return samples_.evaluate(snapshots); }
    std::vector<Losses> evaluate(const AnyView& others, std::span<const float* const> snapshots) final {
        return samples_.evaluate(others, snapshots);
    }

protected:
    const AnyView& resident() const { return samples_.view(); }

private:
    ResidentSamples samples_;
};

} // namespace hogwild
