// How edges take part in a synchronous step on a GPU (kernels/cuda/batches/group_batches.cuh). The gradients are those
// of kernels/patterns/edge_ends.h. A batch is one step, so a row is projected once, after all its gradients.
#pragma once

#include "kernels/cuda/batches/batch_member.cuh"
#include "kernels/cuda/edges/held_ends.cuh"

#include <cstdint>
#include <limits>

namespace hogwild::device {

template <class Problem, class Form>
struct EdgeBatch {
    using View = EdgesView;
    static constexpr unsigned kLanes = Form::kLanes, kRowLanes = Form::kLanes;

    HOGWILD_HOST_DEVICE static std::uint32_t memory(const EdgesView&) { return 0; }
    static std::uint64_t most_groups(const EdgesView&) { return 2; }

    class Gradient {
    public:
        __device__ Gradient(const EdgesView& data, const BatchMember& member, float*)
            : data_(data), steps_(member.steps), edge_(edge_at(data, member.number, 0.5f / data.mean)) {}

        template <class Weights, class Sums, class Marks>
        __device__ void add(const Weights& weights, const Sums& sums, const Marks& marks) const {
            const HeldEnds<Problem, Form> ends(data_, weights, edge_, steps_);
            ends.add_gradient(sums);
            if (part_lane<kLanes>() == 0) ends.for_each_group([&](std::uint32_t node) { marks.touch(node); });
        }

    private:
        const EdgesView& data_;
        bool steps_;
        EdgeSample edge_; // steps of size 1
    };

    template <class Sums>
    __device__ static void apply(const EdgesView& data, const Sums& sums, std::uint32_t node, bool steps) {
        const std::uint32_t width = steps ? data.width() : 0;
        float moved[Form::kHeld];
#pragma unroll
        for (unsigned h = 0; h < Form::kHeld; ++h) {
            const std::uint32_t k = class_of<Form>(h);
            moved[h] = k < width ? sums.taken(node * width + k) : std::numeric_limits<float>::lowest();
        }
        const typename Form::template Onto<1> onto([&](unsigned, unsigned h) { return moved[h]; });
#pragma unroll
        for (unsigned h = 0; h < Form::kHeld; ++h) {
            const std::uint32_t k = class_of<Form>(h);
            if (k < width) sums.put(node * width + k, onto(0, moved[h]));
        }
    }
};

} // namespace hogwild::device
