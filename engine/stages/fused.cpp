// The third stage: no map in memory. A few lines of it at a time are pooled at once, and slopes go back through winners alone.
#include "engine/stages/cpu_stage.h"
#include "engine/stages/part_clock.h"
#include "kernels/stages/by_winners.h"
#include "kernels/stages/load_image.h"

#include <algorithm>

namespace hogwild {
namespace {

class FusedStage : public CpuStage {
public:
    FusedStage(const ConvPoolInput& input, InstructionSet set)
        : CpuStage(input, set, input.shape.images),
          lines_(std::size_t{shape_.pool} * shape_.map_width() * shape_.filters),
          turned_weights_(shape_.weights()),
          turned_gradient_(shape_.weights()),
          gradient_(shape_.weights()),
          winners_(std::size_t{shape_.images} * shape_.pooled_size()) {}

    std::string_view name() const override { return "fused"; }
    std::string_view says() const override {
        return "lines are pooled as they are made, slopes go back through winners alone";
    }

    std::uint64_t bytes_moved() const override {
        const std::uint64_t pooled = shape_.pooled_size(), padded = shape_.padded_size(), weights = shape_.weights(),
                            floats = sizeof(float);
        const std::uint64_t load = shape_.image_size() + floats * padded;
        const std::uint64_t forward = floats * (padded + weights + pooled) + pooled;
        const std::uint64_t back = floats * (2 * pooled + padded + 2 * weights) + pooled;
        const std::uint64_t slopes = shape_.input_slopes ? floats * (weights + 3 * padded) : 0;
        return shape_.images * (load + forward + back + slopes) + floats * 8 * weights;
    }

    void step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) override {
        {
            const PartClock clock(parts, &ConvPoolParts::load, "load");
            for (std::uint32_t i = 0; i < shape_.images; ++i)
                on_lanes<LoadImage, const ConvPoolShape&>(shape_, pixels(samples[i]), image(i));
        }
        {
            const PartClock clock(parts, &ConvPoolParts::convolution, "convolution and pooling");
            for (std::uint32_t i = 0; i < shape_.images; ++i)
                on_lanes<ForwardByLines, const ConvPoolShape&, const float*, const float*>(
                    shape_, weights_.data(), image(i), pooled_of(i), winners(i), lines_.data());
        }
        {
            const PartClock clock(parts, &ConvPoolParts::backward, "backward");
            on_lanes<Turn, const ConvPoolShape&, const float*>(shape_, weights_.data(), turned_weights_.data());
            std::ranges::fill(turned_gradient_.span(), 0.0f);
            for (std::uint32_t i = 0; i < shape_.images; ++i)
                on_lanes<BackByWinners, const ConvPoolShape&, const BackByWinners&>(
                    shape_, {turned_weights_.data(), image(i), pooled_of(i), winners(i), pooled_slopes_of(i),
                             turned_gradient_.data(), input_slopes_of(i)});
        }
        const PartClock clock(parts, &ConvPoolParts::update, "update");
        on_lanes<TurnBack, const ConvPoolShape&, const float*>(shape_, turned_gradient_.data(), gradient_.data());
        on_lanes<AddToWeights, float*, const float*>(weights_.data(), gradient_.data(), shape_.weights(), -step_size);
    }

private:
    std::uint8_t* winners(std::uint32_t i) const { return winners_.data() + std::size_t{i} * shape_.pooled_size(); }

    PageArray<float> lines_, turned_weights_, turned_gradient_, gradient_;
    PageArray<std::uint8_t> winners_;
};

} // namespace

std::unique_ptr<ConvPoolStage> make_fused_stage(const ConvPoolInput& input, InstructionSet set) {
    return std::make_unique<FusedStage>(input, set);
}

} // namespace hogwild
