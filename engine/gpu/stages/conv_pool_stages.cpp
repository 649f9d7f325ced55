// Stages of a GPU: layer by layer, fused, with slots in a circle, and captured.
#include "engine/gpu/stages/conv_pool_stage.h"

namespace hogwild {
namespace {

class Unfused : public GpuConvPoolStage {
public:
    explicit Unfused(const ConvPoolInput& input)
        : GpuConvPoolStage(input, 1),
          images_(batch(input.shape.padded_size())),
          map_(batch(input.shape.map_size())),
          map_slopes_(batch(input.shape.map_size())),
          gradient_(zeros<float>(input.shape.weights())) {}

    std::string_view name() const override { return "gpu-unfused"; }
    std::string_view says() const override {
        return "a kernel for each layer, a thread for each number; every map lies in device memory";
    }

    std::uint64_t bytes_moved() const override {
        const ConvPoolShape& s = shape();
        const std::uint64_t back = s.map_size() * (s.input_slopes ? 3 : 2) + (s.input_slopes ? s.image_size() : 0);
        const std::uint64_t floats = s.padded_size() * 3 + s.map_size() * 2 + s.pooled_size() * 3 + back;
        return batch(floats * sizeof(float) + s.image_size() + s.pooled_size() * 2) + s.weights() * 6 * sizeof(float);
    }

protected:
    void launch(const ConvPoolArrays& given, Marks& marks) override {
        ConvPoolArrays arrays = given;
        arrays.images = images_.data();
        arrays.map = map_.data();
        arrays.map_slopes = map_slopes_.data();
        arrays.gradient = gradient_.data();
        const cudaStream_t on = stream().get();
        check(unfused::launch_load(layers(), arrays, on), "loading images");
        marks.end_of(&ConvPoolParts::load);
        check(unfused::launch_convolution(layers(), arrays, on), "a convolution");
        marks.end_of(&ConvPoolParts::convolution);
        check(unfused::launch_pooling(layers(), arrays, on), "a pooling");
        marks.end_of(&ConvPoolParts::pooling);
        check(unfused::launch_pooling_back(layers(), arrays, on), "slopes");
        if (shape().input_slopes) check(unfused::launch_image_slopes(layers(), arrays, on), "slopes");
        check(unfused::launch_gradient(layers(), arrays, on), "a gradient");
        marks.end_of(&ConvPoolParts::backward);
        check(unfused::launch_update(layers(), arrays, on), "an update");
        marks.end_of(&ConvPoolParts::update);
    }

private:
    DeviceArray<float> images_, map_, map_slopes_, gradient_;
};

class Fused : public GpuConvPoolStage {
public:
    explicit Fused(const ConvPoolInput& input, std::size_t slots = 1) : GpuConvPoolStage(input, slots) {}

    std::string_view name() const override { return "gpu-fused"; }
    std::string_view says() const override {
        return "one kernel from bytes to the pooled map, one for the way back; no map between layers";
    }

    std::uint64_t bytes_moved() const override {
        const ConvPoolShape& s = shape();
        const std::uint64_t back = s.pooled_size() * (2 * sizeof(float) + 1) * (s.input_slopes ? 2 : 1);
        const std::uint64_t slopes = s.input_slopes ? s.image_size() * sizeof(float) : 0;
        return batch(s.image_size() * 2 + s.pooled_size() * (sizeof(float) + 1) + back + slopes) +
               (conv_pool_parts(layers(), s.images) * 2 + (s.input_slopes ? 4 : 3)) * s.weights() * sizeof(float);
    }

protected:
    void launch(const ConvPoolArrays& arrays, Marks& marks) override {
        const cudaStream_t on = stream().get();
        check(launch_conv_pool_forward(layers(), arrays, on), "a convolution with pooling");
        marks.end_of(&ConvPoolParts::convolution);
        check(launch_conv_pool_back(layers(), arrays, on), "slopes");
        marks.end_of(&ConvPoolParts::backward);
        check(launch_conv_pool_update(layers(), arrays, on), "an update");
        marks.end_of(&ConvPoolParts::update);
    }
};

class Buffered : public Fused {
public:
    static constexpr std::size_t kSlots = 8;

    explicit Buffered(const ConvPoolInput& input) : Fused(input, kSlots) {}

    std::string_view name() const override { return "gpu-buffered"; }
    std::string_view says() const override {
        return "samples and gradients in slots used in a circle: the host is steps ahead";
    }

protected:
    bool copies_beside() const override { return true; }
};

class Tuned : public Buffered {
public:
    using Buffered::Buffered;

    std::string_view name() const override { return "gpu-tuned"; }
    std::string_view says() const override { return "a slot's step is captured once and launched as a graph"; }

protected:
    bool captures() const override { return true; }
};

} // namespace

ConvPoolStages gpu_conv_pool_stages(const ConvPoolInput& input) {
    ConvPoolStages stages;
    stages.push_back(std::make_unique<Unfused>(input));
    stages.push_back(std::make_unique<Fused>(input));
    stages.push_back(std::make_unique<Buffered>(input));
    stages.push_back(std::make_unique<Tuned>(input));
    return stages;
}

} // namespace hogwild
