// How windows of a text take part in a synchronous step on a GPU (kernels/cuda/batches/group_batches.cuh): a warp for each, the
// gradients of kernels/patterns/token_windows.h.
#pragma once

#include "kernels/cuda/batches/batch_member.cuh"
#include "kernels/cuda/windows/window_gradient.cuh"

#include <cstdint>

namespace hogwild::device {

template <class Problem, class Held>
struct WindowBatch {
    using View = TokensView;
    static constexpr unsigned kLanes = kWarp, kRowLanes = kWarp;

    HOGWILD_HOST_DEVICE static std::uint32_t memory(const TokensView& data) { return window_memory<Held>(data.model); }
    static std::uint64_t most_groups(const TokensView& data) {
        const WindowShape most(data.model);
        return most.contexts + std::uint64_t{most.lists} * most.outputs;
    }

    /// Draws the window.
    class Gradient {
    public:
        __device__ Gradient(const TokensView& data, const BatchMember& member, float* own)
            : draws_(member.seed, member.epoch),
              window_(data, draws_, reinterpret_cast<std::uint32_t*>(own + Held::memory(data.model))),
              held_(data.model, own) {
            const std::uint32_t i = member.number;
            const std::uint64_t bits = draws_.of(i);
            if (member.steps && data.kept(i, bits)) window_.draw({i, data.tokens[i], data.reach(bits)});
        }
        Gradient(const Gradient&) = delete; // the window borrows the draws
        Gradient& operator=(const Gradient&) = delete;

        template <class Weights, class Sums, class Marks>
        __device__ void add(const Weights& weights, const Sums& sums, const Marks& marks) const {
            if (window_.contexts() == 0) return;
            held_.template read<Problem>(window_, weights, 1);
            held_.write(window_, sums);
            std::uint32_t n = 0;
            window_.for_each_increment([&](std::uint32_t group) {
                if (n++ % kWarp == lane()) marks.touch(group);
            });
        }

    private:
        TokenDraws draws_;
        WarpWindow window_;
        Held held_;
    };

    template <class Sums>
    __device__ static void apply(const TokensView& data, const Sums& sums, std::uint32_t group, bool steps) {
        if (!steps) return;
        const std::uint32_t dim = data.model.dim;
        for (std::uint32_t k = lane(); k < dim; k += kWarp) sums.apply(group * dim + k);
    }
};

} // namespace hogwild::device
