// Losses of snapshots over the edges of a graph (contract in evaluate.h).
//
// Rows are projected as they are read, since increments of several workers may have left one a little outside the simplex.
// Scores are of the rounded cut (cut_rounding.h): its value, and how many known classes it finds.
#pragma once

#include "engine/machine/parallel.h"
#include "engine/memory/pages.h"
#include "engine/record/cut_rounding.h"
#include "engine/record/evaluate.h"
#include "kernels/numbers/simplex.h"
#include "kernels/views/edges_view.h"

#include <cmath>
#include <limits>

namespace hogwild {

/// Rows of all nodes, terminals last, each on the simplex.
inline PageArray<float> projected_rows(const EdgesView& data, const float* weights) {
    constexpr std::uint64_t kNodes = 1 << 12;
    const std::uint32_t width = data.width();
    PageArray<float> rows((std::size_t{data.free} + data.classes) * width);
    parallel_for(data.free, kNodes, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t node = begin; node < end; ++node) {
            float* const row = rows.data() + node * width;
            std::copy_n(weights + node * width, width, row);
            if (width == 1)
                *row = project_onto_segment(*row);
            else
                project_onto_simplex(row, width);
        }
    });
    for (std::uint32_t t = 0; t < data.classes; ++t) {
        if (t < width) rows[(std::size_t{data.free} + t) * width + t] = 1;
    }
    return rows;
}

template <class Problem>
Losses losses_of(const EdgesView& data, const float* weights) {
    constexpr std::uint64_t kEdges = 1 << 14; // of a block: part of the result's definition, not of its speed alone
    Losses losses;
    losses.squared_norm = squared_norm(weights, data.coordinates());
    if (!std::isfinite(losses.squared_norm)) {
        losses.mean_loss = std::numeric_limits<double>::infinity();
        return losses;
    }
    const std::uint32_t width = data.width();
    const double half = width == 1 ? 1 : 0.5; // of one number of two, all of the difference
    const PageArray<float> rows = projected_rows(data, weights);
    const auto blocks = parallel_map<double>(data.rows, kEdges, [&](std::uint64_t begin, std::uint64_t end) {
        double sum = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
            const WeightedEdge& edge = data.edges[i];
            const float *x = rows.data() + std::size_t{edge.u} * width, *y = rows.data() + std::size_t{edge.v} * width;
            double value = 0;
            for (std::uint32_t k = 0; k < width; ++k) value += Problem::value(double{x[k]} - double{y[k]});
            sum += double{edge.weight} * half * value;
        }
        return sum;
    });
    double total = data.constant;
    for (const double block : blocks) total += block;
    losses.mean_loss = total / static_cast<double>(data.rows) / double{data.mean};
    const RoundedCut cut = round_cut(data, weights);
    losses.scores[0] = cut.value;
    losses.scores[1] = cut_accuracy(data, cut.classes);
    return losses;
}

} // namespace hogwild
