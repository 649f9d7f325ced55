#include "engine/stages/cpu_stage.h"

#include "engine/machine/cores.h"
#include "engine/stages/part_clock.h"
#include "kernels/network/stages/load_image.h"
#include "kernels/network/stages/whole_maps.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr std::size_t kVector = 16; // floats of the widest vector

std::size_t rounded_up(std::size_t size) { return (size + kVector - 1) / kVector * kVector; }

} // namespace

CpuStage::CpuStage(const ConvPoolInput& input, InstructionSet set, std::uint32_t images_held)
    : shape_(input.shape),
      set_(set),
      weights_(shape_.weights()),
      dataset_(input.dataset),
      pooled_slopes_(input.pooled_slopes),
      image_stride_(rounded_up(shape_.padded_size()) + kVector),
      images_(images_held * image_stride_),
      pooled_(std::size_t{shape_.images} * shape_.pooled_size()) {
    if (shape_.input_slopes) input_slopes_ = PageArray<float>(shape_.images * image_stride_);
    std::copy(input.weights.begin(), input.weights.end(), weights_.data());
}

void CpuStage::load(const std::uint32_t* samples, ConvPoolParts* parts) const {
    const PartClock clock(parts, &ConvPoolParts::load, "load");
    for (std::uint32_t i = 0; i < shape_.images; ++i)
        on_lanes<LoadImage, const ConvPoolShape&>(shape_, pixels(samples[i]), image(i));
}

TileShape CpuStage::tile_shape() const {
    TileShape tile;
    on_lanes<MakeTileShape, const ConvPoolShape&, TileShape&>(shape_, tile);
    return tile;
}

void CpuStage::add_gradient(const TileShape& tile, const TurnedGradient& gradient, float* scratch, float step_size,
                            std::uint32_t first) {
    on_lanes<TurnGradientBack, const TileShape&, const float*, const float*>(tile, gradient.windows.data(),
                                                                             gradient.biases.data(), scratch);
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
        on_lanes<AddToWeights, float*, const float*>(weights_.data() + from, scratch + from, to - from, -step_size);
    };
    add(first, shape_.weights());
    add(0, first);
}

std::vector<float> CpuStage::weights() const { return {weights_.data(), weights_.data() + weights_.size()}; }

std::vector<float> CpuStage::pooled() const { return {pooled_.data(), pooled_.data() + pooled_.size()}; }

std::vector<float> CpuStage::input_slopes() const {
    std::vector<float> slopes;
    if (!shape_.input_slopes) return slopes;
    slopes.reserve(std::size_t{shape_.images} * shape_.image_size());
    for (std::uint32_t i = 0; i < shape_.images; ++i) {
        const float* line = input_slopes_of(i) + shape_.padding * (shape_.line() + shape_.channels);
        for (std::uint32_t y = 0; y < shape_.height; ++y, line += shape_.line())
            slopes.insert(slopes.end(), line, line + shape_.width * shape_.channels);
    }
    return slopes;
}

ConvPoolStages cpu_conv_pool_stages(const ConvPoolInput& input) {
    const InstructionSet set = best_instruction_set();
    ConvPoolStages stages;
    stages.push_back(make_plain_stage(input));
    stages.push_back(make_vectorised_stage(input, set));
    stages.push_back(make_fused_stage(input, set));
    stages.push_back(make_buffered_stage(input, set));
    stages.push_back(make_tuned_stage(input, set, 1));
    if (const unsigned cores = usable_cores(); cores > 1) stages.push_back(make_tuned_stage(input, set, cores));
    return stages;
}

} // namespace hogwild
