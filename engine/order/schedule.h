// Step sizes along a run. t is the number of epochs done, a real number, of T in all; s0 the first step; W epochs of warm-up.
//
//   constant      s0
//   decay         s0 f^floor(t)                       the paper's per-epoch decay, f = 0.9
//   inverse-time  s0 / (1 + t / h)                    halved after h epochs; held constant over 256 samples
//   linear        s0 max(1 - t / T, 1e-4)             word2vec.c's; held constant over 256 samples
//   backoff       s0 f^k                              k: plateaus met so far. At an epoch's start the loss of a fixed
//                                                     sample of rows is taken; improved by less than a share p: a plateau
//
// All of them times min(1, max(t / W, 1e-4)), where there is a warm-up; held constant over 256 samples too. Then backoff meets
// no plateau in an epoch that begins within it. Which 256 is the timeline's to say, alike for every scheme
// (engine/order/timeline.h).
//
// The backoff protocol's decision needs a look at the weights, on the clock: see `decide`.
// Thread-safety: const functions from any thread, `step` after what it depends on was decided; `decide` from one worker at a
// time.
// Source: Recht et al. 2011, section 6 (decay) and section 4.1 (backoff: run with a constant step, reduce it by f, go on).
// Goyal et al., "Accurate, large minibatch SGD", 2017 (gradual warm-up).
#pragma once

#include "engine/plan/choice_rows.h"
#include "engine/plan/step_settings.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hogwild {

class Schedule {
public:
    /// `epochs`: of the run, and how often it can decide at most.
    Schedule(const StepSettings& step, std::uint32_t epochs)
        : step_(step),
          kind_(choice_named(kStepTraits, step.kind)),
          epochs_(epochs),
          current_(step.size),
          losses_(epochs) {}

    /// The step at `within` (a share of the epoch, in [0, 1)) of an epoch. backoff: the step decided last.
    double step(std::uint32_t epoch, double within) const;

    /// Every step is known before the run.
    bool known() const { return !kind_.plateau; }

    /// backoff: the loss at the start of an epoch has been seen; the epoch's step follows.
    void decide(double loss);

    /// What it has decided on so far, in order: who decides on the same comes to the same steps. From any thread.
    std::span<const double> losses() const { return {losses_.data(), seen_.load(std::memory_order_acquire)}; }

private:
    /// Without a warm-up.
    double warm(std::uint32_t epoch, double within) const;

    StepSettings step_;
    StepTraits kind_;
    double epochs_;
    double current_;
    std::vector<double> losses_;
    std::atomic<std::size_t> seen_{0}; // of them
};

} // namespace hogwild
