// The third stage: no map in memory. A few lines of it at a time are pooled at once, and slopes go back through winners alone.
#include "engine/stages/cpu_stage.h"
#include "engine/stages/part_clock.h"
#include "engine/stages/turned_gradient.h"
#include "kernels/network/stages/by_lines.h"
#include "kernels/network/stages/by_winners.h"

namespace hogwild {
namespace {

class FusedStage : public CpuStage {
public:
    FusedStage(const ConvPoolInput& input, InstructionSet set)
        : CpuStage(input, set, input.shape.images),
          tile_(tile_shape()),
          lines_(std::size_t{shape_.pool} * shape_.map_width() * shape_.filters),
          through_(shape_.pooled_size()),
          lists_(WinnerLists::floats(shape_)),
          windows_(SlopesByWinners::floats(tile_)),
          turned_weights_(std::size_t{shape_.filters} * tile_.turned()),
          gradient_(shape_.weights()),
          winners_(shape_.images * tile_.winners()),
          turned_gradient_(tile_) {}

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
        load(samples, parts);
        {
            const PartClock clock(parts, &ConvPoolParts::convolution, "convolution and pooling");
            for (std::uint32_t i = 0; i < shape_.images; ++i)
                on_lanes<ForwardByLines, const TileShape&, const ForwardByLines&>(
                    tile_, {weights_.data(), image(i), pooled_of(i), winners(i), lines_.data()});
        }
        {
            const PartClock clock(parts, &ConvPoolParts::backward, "backward");
            if (shape_.input_slopes)
                on_lanes<TurnWeights, const TileShape&, const float*>(tile_, weights_.data(), turned_weights_.data());
            turned_gradient_.clear();
            for (std::uint32_t i = 0; i < shape_.images; ++i)
                on_lanes<BackByWinners, const TileShape&, const BackByWinners&>(
                    tile_, {turned_weights_.data(), image(i), pooled_of(i), winners(i), pooled_slopes_of(i),
                            through_.data(), lists_.data(), turned_gradient_.windows.data(),
                            turned_gradient_.biases.data(), windows_.data(), input_slopes_of(i)});
        }
        const PartClock clock(parts, &ConvPoolParts::update, "update");
        add_gradient(tile_, turned_gradient_, gradient_.data(), step_size);
    }

private:
    std::uint8_t* winners(std::uint32_t i) const { return winners_.data() + i * tile_.winners(); }

    const TileShape tile_;
    PageArray<float> lines_, through_, lists_, windows_, turned_weights_, gradient_;
    PageArray<std::uint8_t> winners_;
    TurnedGradient turned_gradient_;
};

} // namespace

std::unique_ptr<ConvPoolStage> make_fused_stage(const ConvPoolInput& input, InstructionSet set) {
    return std::make_unique<FusedStage>(input, set);
}

} // namespace hogwild
