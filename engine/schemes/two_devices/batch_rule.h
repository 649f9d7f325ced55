// Batches that follow the speeds of two devices, so that each makes about as many steps: Adaptive Hogbatch.
//
//   behind   fewer steps than the other device, and not catching up:   batch <- batch / 2
//   ahead    more steps, not being caught up with, and the other device's batch cannot shrink:   batch <- batch x 2
//
// within [least, most]. Counts are level while they differ by at most an eighth of the larger one, or by a round of
// steps. A device looks at them once it has made a round since it last did. So what a change of its batch did is seen
// before the next.
//
// The source compares at every claim, without either allowance, and lets both batches move. Then they go on swinging,
// since the difference of counts goes on growing while a batch turns back. Devices of one speed grow together to the
// bound. Here, of all pairs of batches that make devices level, the two come to the smallest. A rule whose bounds are
// one never changes.
//
// The step size multiplies the mean gradient, whatever the batch. With `adaptive-linear` it grows with the batch, so
// that each image weighs as much as in a batch of `least`. (Linear scaling: Goyal et al., "Accurate, Large Minibatch
// SGD", 2017.) The program that the source comes with has one step size for both devices and all batches.
//
// Thread-safety: none; engine/schemes/two_devices/batches.h has one for each device.
// Source: Ma and Rusu, "Heterogeneous CPU+GPU Stochastic Gradient Descent Algorithms", 2020 (arXiv 2004.08771).
#pragma once

#include <algorithm>
#include <cstdint>

namespace hogwild {

class BatchRule {
public:
    /// Preconditions: 1 <= least <= first <= most, each of the last two is `least` doubled some times; a round has 1 step or more.
    BatchRule(std::uint32_t least, std::uint32_t first, std::uint32_t most, std::uint64_t round)
        : least_(least), most_(most), round_(round), batch_(first) {}

    std::uint32_t batch() const { return batch_; }
    bool can_shrink() const { return batch_ > least_; }

    /// The batch of its next steps, when the device has made `own` steps and the other one `other`; neither ever falls.
    std::uint32_t next(std::uint64_t own, std::uint64_t other, bool other_can_shrink) {
        if (own < own_before_ + round_) return batch_;
        const std::uint64_t lately = own - own_before_, others_lately = other - other_before_;
        own_before_ = own;
        other_before_ = other;
        const std::uint64_t level = std::max(round_, std::max(own, other) / kLevel);
        if (own + level < other && lately <= others_lately)
            batch_ = std::max(batch_ / 2, least_);
        else if (own > other + level && lately >= others_lately && !other_can_shrink)
            batch_ = std::min(batch_ * 2, most_);
        return batch_;
    }

private:
    static constexpr std::uint64_t kLevel = 8;

    std::uint32_t least_, most_;
    std::uint64_t round_;
    std::uint32_t batch_;
    std::uint64_t own_before_ = 0, other_before_ = 0; // at the last look
};

} // namespace hogwild
