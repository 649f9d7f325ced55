// The first stage: the formula, single number by single number.
#include "kernels/network/stages/plain.h"
#include "engine/stages/cpu_stage.h"
#include "engine/stages/part_clock.h"
#include "engine/stages/whole_map_bytes.h"
#include "kernels/network/stages/load_image.h"

#include <algorithm>

namespace hogwild {
namespace {

class PlainStage : public CpuStage {
public:
    explicit PlainStage(const ConvPoolInput& input)
        : CpuStage(input, InstructionSet::kScalar, input.shape.images),
          maps_(std::size_t{shape_.images} * shape_.map_size()),
          map_slopes_(shape_.map_size()),
          gradient_(shape_.weights()),
          winners_(std::size_t{shape_.images} * shape_.pooled_size()) {}

    std::string_view name() const override { return "plain"; }
    std::string_view says() const override { return "one thread, loops over single numbers, whole maps"; }
    std::uint64_t bytes_moved() const override { return whole_map_bytes(shape_); }

    void step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) override {
        {
            const PartClock clock(parts, &ConvPoolParts::load, "load");
            for (std::uint32_t i = 0; i < shape_.images; ++i) load_image(shape_, pixels(samples[i]), image(i));
        }
        {
            const PartClock clock(parts, &ConvPoolParts::convolution, "convolution");
            for (std::uint32_t i = 0; i < shape_.images; ++i)
                plain_convolution(shape_, weights_.data(), image(i), map(i));
        }
        {
            const PartClock clock(parts, &ConvPoolParts::pooling, "pooling");
            for (std::uint32_t i = 0; i < shape_.images; ++i) plain_pooling(shape_, map(i), pooled_of(i), winners(i));
        }
        {
            const PartClock clock(parts, &ConvPoolParts::backward, "backward");
            std::ranges::fill(gradient_.span(), 0.0f);
            for (std::uint32_t i = 0; i < shape_.images; ++i) back(i);
        }
        const PartClock clock(parts, &ConvPoolParts::update, "update");
        plain_update(shape_, step_size, gradient_.data(), weights_.data());
    }

private:
    float* map(std::uint32_t i) const { return maps_.data() + std::size_t{i} * shape_.map_size(); }
    std::uint8_t* winners(std::uint32_t i) const { return winners_.data() + std::size_t{i} * shape_.pooled_size(); }

    void back(std::uint32_t i) {
        plain_unpooling(shape_, pooled_of(i), winners(i), pooled_slopes_of(i), map_slopes_.data());
        plain_gradient(shape_, image(i), map_slopes_.data(), gradient_.data());
        if (shape_.input_slopes) plain_input_slopes(shape_, weights_.data(), map_slopes_.data(), input_slopes_of(i));
    }

    PageArray<float> maps_, map_slopes_, gradient_;
    PageArray<std::uint8_t> winners_;
};

} // namespace

std::unique_ptr<ConvPoolStage> make_plain_stage(const ConvPoolInput& input) {
    return std::make_unique<PlainStage>(input);
}

} // namespace hogwild
