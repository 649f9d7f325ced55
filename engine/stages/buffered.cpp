// The fourth stage: image by image from bytes to gradient, in memory that is used again and again and stays in a near cache.
// Gradients go to a ring of a few slots, each of a few images, which is drained into the weights slot by slot.
//
// Whatever is drained meanwhile, the step's gradient is that at the weights it began with: both forms of them are copied first.
#include "engine/stages/cpu_stage.h"
#include "engine/stages/part_clock.h"
#include "engine/stages/turned_gradient.h"
#include "kernels/network/stages/by_lines.h"
#include "kernels/network/stages/by_winners.h"
#include "kernels/network/stages/load_image.h"

#include <algorithm>

namespace hogwild {
namespace {

class BufferedStage : public CpuStage {
public:
    BufferedStage(const ConvPoolInput& input, InstructionSet set)
        : CpuStage(input, set, 1),
          tile_(tile_shape()),
          lines_(std::size_t{shape_.pool} * shape_.map_width() * shape_.filters),
          through_(shape_.pooled_size()),
          lists_(WinnerLists::floats(shape_)),
          windows_(SlopesByWinners::floats(tile_)),
          own_weights_(shape_.weights()),
          turned_weights_(std::size_t{shape_.filters} * tile_.turned()),
          gradient_(shape_.weights()),
          winners_(tile_.winners()) {
        for (std::uint32_t s = 0; s < kSlots; ++s) ring_.emplace_back(tile_);
    }

    std::string_view name() const override { return "buffered"; }
    std::string_view says() const override {
        return "image by image, gradients in a ring of few slots that stays in a near cache";
    }

    std::uint64_t bytes_moved() const override {
        const std::uint64_t weights = shape_.weights(), floats = sizeof(float);
        const std::uint64_t slots = (shape_.images + kImagesOfSlot - 1) / kImagesOfSlot;
        const std::uint64_t slopes = shape_.input_slopes ? floats * shape_.padded_size() : 0;
        return shape_.images * (shape_.image_size() + floats * 2 * shape_.pooled_size() + slopes) +
               floats * weights * (4 + 2 * slots);
    }

    void step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) override {
        {
            const PartClock clock(parts, &ConvPoolParts::update, "weights");
            std::copy_n(weights_.data(), shape_.weights(), own_weights_.data());
            if (shape_.input_slopes)
                on_lanes<TurnWeights, const TileShape&, const float*>(tile_, weights_.data(), turned_weights_.data());
        }
        std::uint32_t filled = 0; // slots
        for (std::uint32_t i = 0; i < shape_.images; ++filled) {
            if (filled == kSlots) filled = drain(filled, step_size, parts);
            ring_[filled].clear();
            const std::uint32_t end = std::min(shape_.images, i + kImagesOfSlot);
            for (; i < end; ++i) whole_image(samples[i], i, ring_[filled], parts);
        }
        drain(filled, step_size, parts);
    }

private:
    static constexpr std::uint32_t kSlots = 4, kImagesOfSlot = 4;

    void whole_image(std::uint32_t sample, std::uint32_t i, const TurnedGradient& slot, ConvPoolParts* parts) {
        {
            const PartClock clock(parts, &ConvPoolParts::load, "load");
            on_lanes<LoadImage, const ConvPoolShape&>(shape_, pixels(sample), image(0));
        }
        {
            const PartClock clock(parts, &ConvPoolParts::convolution, "convolution and pooling");
            on_lanes<ForwardByLines, const TileShape&, const ForwardByLines&>(
                tile_, {own_weights_.data(), image(0), pooled_of(i), winners_.data(), lines_.data()});
        }
        const PartClock clock(parts, &ConvPoolParts::backward, "backward");
        on_lanes<BackByWinners, const TileShape&, const BackByWinners&>(
            tile_,
            {turned_weights_.data(), image(0), pooled_of(i), winners_.data(), pooled_slopes_of(i), through_.data(),
             lists_.data(), slot.windows.data(), slot.biases.data(), windows_.data(), input_slopes_of(i)});
    }

    /// Adds `filled` slots to the weights; how many are filled then.
    std::uint32_t drain(std::uint32_t filled, float step_size, ConvPoolParts* parts) {
        const PartClock clock(parts, &ConvPoolParts::update, "update");
        for (std::uint32_t s = 0; s < filled; ++s) add_gradient(tile_, ring_[s], gradient_.data(), step_size);
        return 0;
    }

    const TileShape tile_;
    PageArray<float> lines_, through_, lists_, windows_, own_weights_, turned_weights_, gradient_;
    PageArray<std::uint8_t> winners_;
    std::vector<TurnedGradient> ring_;
};

} // namespace

std::unique_ptr<ConvPoolStage> make_buffered_stage(const ConvPoolInput& input, InstructionSet set) {
    return std::make_unique<BufferedStage>(input, set);
}

} // namespace hogwild
