// HOGWILD!'s update: relaxed load, add, relaxed store.
//
// Promises: no increment tears; increments of two workers to one coordinate may overlap, and then one of them is lost.
// Memory order: relaxed. Cost: a load and a store; vector instructions for whole rows. The theory of the 2011 paper assumes
// atomic additions (its section 3), which atomic has and this has not.
// Source: Recht, Re, Wright, Niu, "HOGWILD!", NIPS 2011; Bengio et al., "A neural probabilistic language model", 2001.
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

struct Racy {
    static constexpr std::string_view name = "racy";
    static constexpr UpdateTraits kTraits{};

    Racy() = default;
    explicit Racy(WorkerContext&) {}

    void add(float& coordinate, float increment) const {
        relaxed_store(coordinate, relaxed_load(coordinate) + increment);
    }

    /// weights[index[k]] += scale * value[k] for the whole row.
    template <class Lanes>
    void add_row(float* weights, const SparseRow& row, float scale) const {
        Lanes::add(weights, row, scale);
    }

    /// Coordinates below `limit` of a sixteen (kernels/lanes/sixteen_edges.h), which were `read`, become read + by.
    template <class Lanes>
    void add_apart(float* weights, const std::uint32_t* index, std::uint32_t limit, const float* read,
                   const float* by) const {
        float sums[kAbreast];
        for (std::uint32_t l = 0; l < kAbreast; ++l) sums[l] = read[l] + by[l];
        Abreast<Lanes>::template scatter<Write::kStore>(weights, index, limit, sums);
    }

    /// weights[k] += scale * row[k] for `size` neighbouring coordinates; the row is this worker's own.
    template <class Lanes>
    void add_dense(float* weights, const float* row, std::uint32_t size, float scale) const {
        Lanes::add_dense(weights, row, size, scale);
    }

    /// a += across_a b + along_a a and b += across_b a + along_b b for `size` coordinates, both from one reading.
    template <class Lanes>
    void add_pair(float* a, float* b, std::uint32_t size, const RowStep& of_a, const RowStep& of_b) const {
        Lanes::add_pair(a, b, size, of_a, of_b);
    }
};

} // namespace hogwild
