// What stages of one CPU have in common: a batch's arrays, and the copies of results. And how each of them is made.
#pragma once

#include "engine/memory/pages.h"
#include "engine/stages/conv_pool_stage.h"
#include "engine/stages/turned_gradient.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/network/stages/tile_shape.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hogwild {

class CpuStage : public ConvPoolStage {
public:
    std::vector<float> weights() const override;
    std::vector<float> pooled() const override;
    std::vector<float> input_slopes() const override;

protected:
    /// `set`: the instruction set to compute with; this processor has it. `images_held`: padded images that the stage keeps.
    CpuStage(const ConvPoolInput& input, InstructionSet set, std::uint32_t images_held);

    const std::uint8_t* pixels(std::uint32_t sample) const {
        return dataset_ + std::size_t{sample} * shape_.image_size();
    }

    // What image i of the batch, or of the images that are held, has. Each begins on a cache line, and a vector more may be read.
    float* image(std::uint32_t i) const { return images_.data() + i * image_stride_; }
    float* input_slopes_of(std::uint32_t i) const {
        return shape_.input_slopes ? input_slopes_.data() + i * image_stride_ : nullptr;
    }
    float* pooled_of(std::uint32_t i) const { return pooled_.data() + std::size_t{i} * shape_.pooled_size(); }
    const float* pooled_slopes_of(std::uint32_t i) const {
        return pooled_slopes_ + std::size_t{i} * shape_.pooled_size();
    }

    /// Body::run for the stage's instruction set.
    template <class Body, class... Arguments>
    void on_lanes(Arguments... arguments) const {
        using On = OnLanes<Body, Arguments...>;
        if (set_ == InstructionSet::kAvx512) return On::avx512(arguments...);
        if (set_ == InstructionSet::kAvx2) return On::avx2(arguments...);
        On::scalar(arguments...);
    }

    /// Brings the batch's images into their places; the time is that of ConvPoolParts::load.
    void load(const std::uint32_t* samples, ConvPoolParts* parts) const;

    /// Sizes for the stage's instruction set.
    TileShape tile_shape() const;

    /// weights -= step size x gradient, from weight `first` on to the last and then those before. `scratch`: as large as the
    /// weights.
    void add_gradient(const TileShape& tile, const TurnedGradient& gradient, float* scratch, float step_size,
                      std::uint32_t first = 0);

    const ConvPoolShape shape_;
    const InstructionSet set_;
    PageArray<float> weights_;

private:
    const std::uint8_t* dataset_;
    const float* pooled_slopes_;
    std::size_t image_stride_;
    PageArray<float> images_, pooled_, input_slopes_;
};

std::unique_ptr<ConvPoolStage> make_plain_stage(const ConvPoolInput& input);
std::unique_ptr<ConvPoolStage> make_vectorised_stage(const ConvPoolInput& input, InstructionSet set);
std::unique_ptr<ConvPoolStage> make_fused_stage(const ConvPoolInput& input, InstructionSet set);
std::unique_ptr<ConvPoolStage> make_buffered_stage(const ConvPoolInput& input, InstructionSet set);
std::unique_ptr<ConvPoolStage> make_tuned_stage(const ConvPoolInput& input, InstructionSet set, unsigned threads);

} // namespace hogwild
