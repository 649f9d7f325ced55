// What stages of a GPU share (engine/stages/conv_pool_stage.h): arrays in device memory, a stream, and the samples' way
// there. Events on the stream tell the time of parts.
//
// Samples and parts of the gradient have slots that are used in a circle. A step's slots are written while those of the
// step before are still read. Only in builds with CUDA. Thread-safety: one thread at a time.
#pragma once

#include "engine/gpu/batches/captured_graph.h"
#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/stream.h"
#include "engine/stages/conv_pool_stage.h"
#include "kernels/cuda/products/conv_pool_launch.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace hogwild {

class GpuConvPoolStage : public ConvPoolStage {
public:
    GpuConvPoolStage(const ConvPoolInput& input, std::size_t slots);

    void step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) override;
    void finish() override { stream_.wait(); }

    std::vector<float> weights() const override;
    std::vector<float> pooled() const override;
    std::vector<float> input_slopes() const override;

protected:
    /// Marks where a part of a step begins on the stream; without parts it marks nothing.
    class Marks {
    public:
        Marks(const Stream& stream, ConvPoolParts* parts) : stream_(stream), parts_(parts) { mark(nullptr); }
        ~Marks() = default;
        Marks(const Marks&) = delete;
        Marks& operator=(const Marks&) = delete;

        /// What the stream was given since the last mark is of this part.
        void end_of(double ConvPoolParts::*part) { mark(part); }

        /// Adds the seconds up; waits for the stream.
        void add() const;

    private:
        struct Mark {
            double ConvPoolParts::*part;
            Event event;
        };

        void mark(double ConvPoolParts::*part);

        const Stream& stream_;
        ConvPoolParts* parts_;
        std::vector<Mark> marks_;
    };

    /// Gives the stream the work of a step whose samples are there.
    virtual void launch(const ConvPoolArrays& arrays, Marks& marks) = 0;

    /// By which way samples go to the device: from page-locked memory, beside what the device does.
    virtual bool copies_beside() const { return false; }

    /// Whether a slot's work, copies included, is captured once and then launched as a graph.
    virtual bool captures() const { return false; }

    const ConvPoolShape& shape() const { return shape_; }
    const ConvPool& layers() const { return layers_; }
    const Stream& stream() const { return stream_; }
    const ConvPoolArrays& arrays() const { return arrays_; }
    std::uint64_t batch(std::uint64_t of_image) const { return shape_.images * of_image; }

private:
    struct Slot {
        DeviceArray<std::uint32_t> samples;
        PinnedArray<std::uint32_t> staged;
        DeviceArray<float> parts;
        Event done;
        CapturedGraph graph;
        float factor = 0; // that the graph was captured with
        bool used = false;

        Slot(std::size_t images, std::size_t floats) : samples(images), staged(images), parts(floats) {}
        Slot(Slot&& other) noexcept = default;
        Slot& operator=(Slot&&) = delete;
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        ~Slot() = default;
    };

    void enqueue(Slot& slot, Marks& marks);

    ConvPoolShape shape_;
    ConvPool layers_;
    Stream stream_;
    DeviceArray<std::uint8_t> dataset_, winners_;
    DeviceArray<float> weights_, pooled_, pooled_slopes_, input_slopes_;
    std::vector<Slot> slots_;
    std::size_t next_ = 0;
    ConvPoolArrays arrays_;
};

/// The pair of layers of that shape. Throws Error (Failure::kUsage) where there is no code for it.
ConvPool conv_pool_of(const ConvPoolShape& shape);

} // namespace hogwild
