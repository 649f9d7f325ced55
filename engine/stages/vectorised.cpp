// The second stage: the same maps, by vectors of filters.
#include "engine/stages/cpu_stage.h"
#include "engine/stages/part_clock.h"
#include "engine/stages/whole_map_bytes.h"
#include "kernels/network/stages/plain.h"
#include "kernels/network/stages/whole_maps.h"

#include <algorithm>

namespace hogwild {
namespace {

class VectorisedStage : public CpuStage {
public:
    VectorisedStage(const ConvPoolInput& input, InstructionSet set)
        : CpuStage(input, set, input.shape.images),
          maps_(std::size_t{shape_.images} * shape_.map_size()),
          map_slopes_(shape_.map_size()),
          gradient_(shape_.weights()),
          windows_(std::size_t{shape_.map_width()} * shape_.depth()),
          winners_(std::size_t{shape_.images} * shape_.pooled_size()) {}

    std::string_view name() const override { return "vectorised"; }
    std::string_view says() const override { return "the same maps, by vectors of filters and tiles in registers"; }
    std::uint64_t bytes_moved() const override { return whole_map_bytes(shape_); }

    void step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) override {
        load(samples, parts);
        {
            const PartClock clock(parts, &ConvPoolParts::convolution, "convolution");
            for (std::uint32_t i = 0; i < shape_.images; ++i)
                on_lanes<ConvolveMap, const ConvPoolShape&, const float*, const float*>(shape_, weights_.data(),
                                                                                        image(i), map(i));
        }
        {
            const PartClock clock(parts, &ConvPoolParts::pooling, "pooling");
            for (std::uint32_t i = 0; i < shape_.images; ++i)
                on_lanes<PoolMap, const ConvPoolShape&, const float*>(shape_, map(i), pooled_of(i), winners(i));
        }
        {
            const PartClock clock(parts, &ConvPoolParts::backward, "backward");
            std::ranges::fill(gradient_.span(), 0.0f);
            for (std::uint32_t i = 0; i < shape_.images; ++i) back(i);
        }
        const PartClock clock(parts, &ConvPoolParts::update, "update");
        on_lanes<AddToWeights, float*, const float*>(weights_.data(), gradient_.data(), shape_.weights(), -step_size);
    }

private:
    float* map(std::uint32_t i) const { return maps_.data() + std::size_t{i} * shape_.map_size(); }
    std::uint8_t* winners(std::uint32_t i) const { return winners_.data() + std::size_t{i} * shape_.pooled_size(); }

    void back(std::uint32_t i) {
        plain_unpooling(shape_, pooled_of(i), winners(i), pooled_slopes_of(i), map_slopes_.data());
        on_lanes<GradientOfMap, const ConvPoolShape&, const float*, const float*>(shape_, image(i), map_slopes_.data(),
                                                                                  gradient_.data());
        if (shape_.input_slopes)
            on_lanes<InputSlopesOfMap, const ConvPoolShape&, const float*, const float*>(
                shape_, weights_.data(), map_slopes_.data(), input_slopes_of(i), windows_.data());
    }

    PageArray<float> maps_, map_slopes_, gradient_, windows_;
    PageArray<std::uint8_t> winners_;
};

} // namespace

std::unique_ptr<ConvPoolStage> make_vectorised_stage(const ConvPoolInput& input, InstructionSet set) {
    return std::make_unique<VectorisedStage>(input, set);
}

} // namespace hogwild
