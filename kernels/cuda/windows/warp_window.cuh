// A window of text, drawn by a warp: the words that TokensView::window gives, contexts in the same order.
//
// Half of the lanes look to the left, half to the right, a place each. Both go on by as many places until either side
// has its contexts or is at an end. Negatives are drawn a lane each. Words lie in the warp's own shared memory, as the
// groups of their vectors. A negative that is the centre stays in its list, as kNone: where others lie does not depend
// on it.
#pragma once

#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/views/tokens_view.h"

#include <cstdint>

namespace hogwild::device {

/// What one lane knows of a position of the text, for the whole warp to step on.
struct Centre {
    std::uint32_t position = 0;
    std::uint32_t token = 0;
    std::uint32_t reach = 0; // the most contexts to either side; 0: the word is not kept
    float step = 0;
};

__device__ inline Centre broadcast(const Centre& own, unsigned from) {
    return {__shfl_sync(kAllLanes, own.position, from), __shfl_sync(kAllLanes, own.token, from),
            __shfl_sync(kAllLanes, own.reach, from), __shfl_sync(kAllLanes, own.step, from)};
}

/// The most that a window of a model holds.
struct WindowShape {
    std::uint32_t contexts, lists;
    std::uint32_t outputs; // of a list: the centre, then negatives

    HOGWILD_HOST_DEVICE explicit WindowShape(const SkipGramModel& model)
        : contexts(2 * model.window), lists(model.shared ? 1 : contexts), outputs(1 + model.negatives) {}
};

class WarpWindow {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF; // no group

    /// Words of shared memory that a warp needs.
    HOGWILD_HOST_DEVICE static std::uint32_t memory(const SkipGramModel& model) {
        const WindowShape most(model);
        return TokenWindow::kMostContexts + most.lists * most.outputs;
    }

    __device__ WarpWindow(const TokensView& data, const TokenDraws& draws, std::uint32_t* own)
        : data_(data), draws_(draws), most_(data.model), input_(own), output_(own + TokenWindow::kMostContexts) {}

    /// Precondition: the centre's word is kept.
    __device__ void draw(const Centre& centre) {
        __syncwarp(); // no lane looks at the window before any more
        draw_contexts(centre);
        lists_ = contexts() == 0 ? 0 : data_.model.shared ? 1 : contexts();
        draw_outputs(centre);
        __syncwarp();
    }

    __device__ std::uint32_t contexts() const { return left_ + right_; }
    __device__ std::uint32_t lists() const { return lists_; }
    __device__ std::uint32_t outputs() const { return most_.outputs; }

    /// The groups of context n, and of output m of list l, 0 being the centre.
    __device__ std::uint32_t input(std::uint32_t n) const { return input_[n < left_ ? n : kSide + n - left_]; }
    __device__ std::uint32_t output(std::uint32_t l, std::uint32_t m) const { return output_[l * outputs() + m]; }

    /// The contexts of list l: from first_context up to end_context.
    __device__ std::uint32_t first_context(std::uint32_t l) const { return l; }
    __device__ std::uint32_t end_context(std::uint32_t l) const { return lists_ == 1 ? contexts() : l + 1; }

    /// visit(g) for every vector that a step on it increments, as often as it does.
    template <class Visit>
    __device__ void for_each_increment(const Visit& visit) const {
        for (std::uint32_t n = 0; n < contexts(); ++n) visit(input(n));
        visit(output(0, 0));
        for (std::uint32_t l = 0; l < lists_; ++l) {
            for (std::uint32_t m = 1; m < outputs(); ++m) {
                if (output(l, m) != kNone) visit(output(l, m));
            }
        }
    }

    /// counts[j] += 1 for every coordinate of these vectors.
    template <class Counts>
    __device__ void count_in(const Counts& counts) const {
        const std::uint32_t dim = data_.model.dim;
        for_each_increment([&](std::uint32_t group) {
            for (std::uint32_t k = lane(); k < dim; k += kWarp) counts.add(group * dim + k, 1.0f);
        });
    }

    /// Coordinates of these vectors.
    __device__ std::uint32_t size() const {
        std::uint32_t vectors = 0;
        for_each_increment([&](std::uint32_t) { ++vectors; });
        return vectors * data_.model.dim;
    }

private:
    static constexpr std::uint32_t kSide = kWarp / 2; // lanes that look to one side, places for its contexts
    static_assert(kSide == SkipGramModel::kMostWindow && 2 * kSide == TokenWindow::kMostContexts);

    __device__ void draw_contexts(const Centre& centre) {
        const bool right = lane() >= kSide;
        const unsigned side = right ? 0xFFFF0000 : 0x0000FFFF; // lanes that look to the same side
        const unsigned nearer = side & ((1u << lane()) - 1);
        const std::uint64_t most = right ? data_.rows - 1 - centre.position : centre.position; // places on this side
        std::uint32_t taken = 0;                                                               // on this side
        bool open = right || centre.token < TokensView::kFirst;
        for (std::uint32_t distance = 1 + lane() % kSide; __any_sync(kAllLanes, open); distance += kSide) {
            const bool inside = open && distance <= most && distance <= TokensView::kFarthest;
            const std::uint32_t j = right ? centre.position + distance : centre.position - distance;
            // A sentence's first word is the last to the left; to the right it belongs to the next sentence.
            const bool ends = !inside || data_.tokens[j] >= TokensView::kFirst;
            const unsigned ending = __ballot_sync(kAllLanes, ends) & side;
            const bool seen = inside && (ending & nearer) == 0 && !(right && ends);
            const bool kept = seen && data_.kept(j, draws_.of(j));
            const unsigned keeping = __ballot_sync(kAllLanes, kept) & side;
            const std::uint32_t rank = taken + __popc(keeping & nearer);
            if (kept && rank < centre.reach) input_[(right ? kSide : 0) + rank] = data_.word(j);
            taken = min(taken + __popc(keeping), centre.reach);
            open = open && ending == 0 && taken < centre.reach;
        }
        left_ = __shfl_sync(kAllLanes, taken, 0);
        right_ = __shfl_sync(kAllLanes, taken, kSide);
    }

    __device__ void draw_outputs(const Centre& centre) const {
        const std::uint32_t word = centre.token & ~TokensView::kFirst, negatives = data_.model.negatives;
        if (lane() < lists_) output_[lane() * outputs()] = data_.words + word;
        for (std::uint32_t i = lane(); i < lists_ * negatives; i += kWarp) {
            const std::uint32_t drawn = data_.draw_negative(draws_.negative(centre.position, i));
            output_[i / negatives * outputs() + 1 + i % negatives] = drawn == word ? kNone : data_.words + drawn;
        }
    }

    const TokensView& data_;
    const TokenDraws& draws_;
    WindowShape most_;
    std::uint32_t* input_;  // to the left, then from kSide on to the right
    std::uint32_t* output_; // list after list
    std::uint32_t left_ = 0, right_ = 0, lists_ = 0;
};

} // namespace hogwild::device
