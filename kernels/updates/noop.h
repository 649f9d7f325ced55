// Everything but the write: the increment is computed from a fresh load, and discarded. The time that racy takes beyond
// this is what writing to shared memory costs. Nothing is learnt.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/compute_anyway.h"
#include "kernels/lanes/sixteen_edges.h"
#include "kernels/updates/traits.h"
#include "kernels/views/row_step.h"
#include "kernels/views/sparse_view.h"
#include "kernels/worker_context.h"

#include <string_view>

namespace hogwild {

struct Noop {
    static constexpr std::string_view name = "noop";
    static constexpr UpdateTraits kTraits{.writes = false};

    Noop() = default;
    explicit Noop(WorkerContext&) {}

    void add(float& coordinate, float increment) const { keep(relaxed_load(coordinate) + increment); }

    template <class Lanes>
    void add_row(float* weights, const SparseRow& row, float scale) const {
        Lanes::template add<Write::kDiscard>(weights, row, scale);
    }

    template <class Lanes>
    void add_apart(float* weights, const std::uint32_t* index, std::uint32_t limit, const float* read,
                   const float* by) const {
        float sums[kAbreast];
        for (std::uint32_t l = 0; l < kAbreast; ++l) sums[l] = read[l] + by[l];
        Abreast<Lanes>::template scatter<Write::kDiscard>(weights, index, limit, sums);
    }

    template <class Lanes>
    void add_dense(float* weights, const float* row, std::uint32_t size, float scale) const {
        Lanes::template add_dense<Write::kDiscard>(weights, row, size, scale);
    }

    template <class Lanes>
    void add_pair(float* a, float* b, std::uint32_t size, const RowStep& of_a, const RowStep& of_b) const {
        Lanes::template add_pair<Write::kDiscard>(a, b, size, of_a, of_b);
    }
};

} // namespace hogwild
