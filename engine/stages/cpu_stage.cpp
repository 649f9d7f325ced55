#include "engine/stages/cpu_stage.h"

#include "engine/machine/cores.h"

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
    stages.push_back(make_tuned_stage(input, set, usable_cores()));
    return stages;
}

} // namespace hogwild
