// One step of an optimiser (kernels/network/optimizer.h): rows of a gradient become rows of directions, in place, and the state
// goes on.
//
// A row of numbers is read, taken on in memory of the worker's own, and written. The lanes do that by relaxed loads and
// stores, element by element, whatever the update policy. Where others step on the same state, numbers of two workers
// may overlap, and then one's is lost. No atomic addition could keep both, since a decay is no increment. Locks of a
// guard that are held around the write keep the state too.
//
// Thread-safety: any number of workers may step on one state.
#pragma once

#include "kernels/lanes/dispatch.h"
#include "kernels/network/optimizer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class OptimizerStep {
public:
    /// Step number `number` on the state, of so many samples. No state: of plain SGD, whose rows stay as they are.
    OptimizerStep(const OptimizerState* state, std::uint64_t number, std::uint32_t samples)
        : state_(state), number_(number), samples_(samples) {}

    /// The state's next one.
    static OptimizerStep next(const OptimizerState* state, std::uint32_t samples) {
        const std::uint64_t before = state == nullptr ? 0 : state->steps->fetch_add(1, std::memory_order_relaxed);
        return {state, before + 1, samples};
    }

    /// What rows are added with, once turned: -step of directions; of gradients' sums, divided by the samples.
    double factor(double step) const { return state_ == nullptr ? -step / samples_ : -step; }

    /// The sum of the samples' gradients along coordinates [at, at + size) becomes the direction.
    template <class Lanes>
    void turn(float* row, std::size_t at, std::uint32_t size) const {
        if (state_ == nullptr) return;
        OnLanes<RowBody, const OptimizerStep&, float*, std::size_t, std::uint32_t>::template on<Lanes>(*this, row, at,
                                                                                                       size);
    }

private:
    static constexpr std::uint32_t kBlock = 64;

    struct RowBody {
        template <class Lanes>
        static void run(const OptimizerStep& step, float* row, std::size_t at, std::uint32_t size) {
            with_optimizer(step.state_->kind, [&]<class Rule>(std::in_place_type_t<Rule>) {
                step.turn_by<Lanes>(Rule(step.state_->settings, step.number_), row, at, size);
            });
        }
    };

    template <class Lanes, class Rule>
    void turn_by(const Rule rule, float* row, std::size_t at, std::uint32_t size) const {
        const float mean = 1 / static_cast<float>(samples_);
        float* const first = state_->numbers + at;
        float* const second = first + state_->apart;
        alignas(64) float a[kBlock] = {}, b[kBlock] = {};
        for (std::uint32_t k = 0; k < size; k += kBlock) {
            const std::uint32_t count = std::min(kBlock, size - k);
            if constexpr (Rule::kNumbers > 0) Lanes::copy_row(a, first + k, count);
            if constexpr (Rule::kNumbers > 1) Lanes::copy_row(b, second + k, count);
            float* const g = row + k;
            for (std::uint32_t i = 0; i < count; ++i) g[i] = rule(mean * g[i], a[i], b[i]);
            if constexpr (Rule::kNumbers > 0) Lanes::store_row(first + k, a, count);
            if constexpr (Rule::kNumbers > 1) Lanes::store_row(second + k, b, count);
        }
    }

    const OptimizerState* state_;
    std::uint64_t number_;
    std::uint32_t samples_;
};

} // namespace hogwild
