// What a step on an edge does to the numbers of its two ends, where there are two classes (kernels/patterns/edge_ends.h).
//
// Nothing branches on an edge: whether it ends in a terminal, and whether an end has come to 0 or 1, no processor guesses.
// Thread-safety: weights may be read and written by others meanwhile; each access is a relaxed atomic.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/sixteen_edges.h"
#include "kernels/numbers/simplex.h"
#include "kernels/steps/steps.h"
#include "kernels/views/edges_view.h"

#include <cstdint>

namespace hogwild {

/// One of two places, without a branch: which edges end in a terminal no processor guesses.
template <class T>
[[gnu::always_inline]] inline T* chosen(bool first, T* one, T* other) {
    const auto mask = std::uintptr_t{0} - static_cast<std::uintptr_t>(first);
    // A pointer is one of the two, whatever the compiler can no longer see. NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(one) & mask) |
                                (reinterpret_cast<std::uintptr_t>(other) & ~mask));
}

/// A node's number of class 0 where there are two.
[[gnu::always_inline]] inline float end_of_two(const float* weights, std::uint32_t node, std::uint32_t free) {
    static constexpr float kCorners[2] = {1, 0};
    return relaxed_load(*chosen(node < free, weights + node, kCorners + ((node - free) & 1)));
}

/// Increments of the numbers of two ends.
struct PulledEnds {
    float u, v;
};

/// For two classes.
template <class Problem>
[[gnu::always_inline]] inline PulledEnds pulled(const EdgeOfNodes& edge, const float* weights, float half) {
    // Both ends in one register, whose lanes are chosen without branches: which end has come to 0 or 1 no processor guesses.
    using Ends = float __attribute__((vector_size(16)));
    const float x = end_of_two(weights, edge.u, edge.free), y = end_of_two(weights, edge.v, edge.free);
    const float move = half * edge.weight * Problem::slope(x - y);
    const Ends read = {x, y, 0, 0}, zeros = {0, 0, 0, 0}, ones = {1, 1, 1, 1};
    Ends moved = read + Ends{-move, move, 0, 0};
    moved = moved > zeros ? moved : zeros;
    moved = moved < ones ? moved : ones;
    moved -= read;
    return {moved[0], moved[1]};
}

/// What a terminal would move by goes to `nowhere`, a cell of this worker's own.
template <class Update>
[[gnu::always_inline]] inline void push(const Update& update, const EdgeOfNodes& edge, float* weights,
                                        const PulledEnds& by, float* nowhere) {
    update.add(*chosen(edge.u < edge.free, weights + edge.u, nowhere), by.u);
    update.add(*chosen(edge.v < edge.free, weights + edge.v, nowhere), by.v);
}

/// Policies and instruction sets that step on sixteen edges at once.
template <class Update, class Lanes>
concept StepsAbreast = Abreast<Lanes>::kCan &&
    requires(const Update& update, float* weights, const std::uint32_t* index) {
    update.template add_apart<Lanes>(weights, index, 0u, weights, weights);
};

/// Whether the chunk's next samples are sixteen neighbours that share no free node.
[[gnu::always_inline]] inline bool is_sixteen(const EdgesView& data, const Chunk& chunk, std::uint32_t i) {
    const std::uint32_t* const samples = chunk.samples + i;
    if (samples[0] % kAbreast != 0 || i + kAbreast > chunk.count || !data.are_apart(samples[0])) return false;
    std::uint32_t others = 0;
    for (std::uint32_t l = 0; l < kAbreast; ++l) others |= samples[l] ^ (samples[0] | l);
    return others == 0;
}

/// Sixteen steps of two classes with the bits of one after the other.
template <class Problem, class Lanes, class Update>
void step_abreast(const Update& update, const EdgesView& data, std::uint32_t first, float* weights, float half) {
    std::uint32_t u[kAbreast], v[kAbreast];
    float weight[kAbreast], x[kAbreast], y[kAbreast], by_u[kAbreast], by_v[kAbreast];
    Abreast<Lanes>::split(data.edges + first, u, v, weight);
    Abreast<Lanes>::gather(weights, u, data.free, x);
    Abreast<Lanes>::gather(weights, v, data.free, y);
    for (std::uint32_t l = 0; l < kAbreast; ++l) {
        const float move = half * weight[l] * Problem::slope(x[l] - y[l]);
        by_u[l] = project_onto_segment(x[l] - move) - x[l];
        by_v[l] = project_onto_segment(y[l] + move) - y[l];
    }
    update.template add_apart<Lanes>(weights, u, data.free, x, by_u);
    update.template add_apart<Lanes>(weights, v, data.free, y, by_v);
}

} // namespace hogwild
