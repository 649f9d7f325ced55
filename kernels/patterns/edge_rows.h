// What a step on an edge does to the rows of its two ends, of any number of classes (kernels/patterns/edge_ends.h).
//
// Thread-safety: weights may be read and written by others meanwhile; each access is a relaxed atomic.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/numbers/simplex.h"
#include "kernels/views/edges_view.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

/// A node's row, copied.
inline void read_end(const EdgeOfNodes& edge, std::uint32_t node, const float* weights, float* row) {
    const std::size_t begin = std::size_t{node} * edge.width;
    for (std::uint32_t k = 0; k < edge.width; ++k) {
        row[k] = node < edge.free ? relaxed_load(weights[begin + k]) : k == node - edge.free ? 1.0f : 0.0f;
    }
}

/// Rows of two ends, of any number of classes.
class PulledRows {
public:
    /// Whether an end moves.
    template <class Problem, class Lanes>
    bool read(const EdgeOfNodes& edge, const float* weights, float half) {
        bool moves = false;
        OnLanes<ReadBody<Problem>, PulledRows&, const EdgeOfNodes&, const float*, float, bool&>::template on<Lanes>(
            *this, edge, weights, half, moves);
        return moves;
    }

    template <class Update>
    void write(const Update& update, const EdgeOfNodes& edge, float* weights) const {
        write_end(update, edge, edge.u, weights, u_);
        write_end(update, edge, edge.v, weights, v_);
    }

private:
    template <class Problem>
    struct ReadBody {
        template <class Lanes>
        static void run(PulledRows& rows, const EdgeOfNodes& edge, const float* weights, float half, bool& moves) {
            moves = rows.pull<Problem>(edge, weights, half);
        }
    };

    template <class Problem>
    bool pull(const EdgeOfNodes& edge, const float* weights, float half) {
        read_end(edge, edge.u, weights, u_.row);
        read_end(edge, edge.v, weights, v_.row);
        const float most = half * edge.weight;
        for (std::uint32_t k = 0; k < edge.width; ++k) {
            const float x = u_.row[k], y = v_.row[k], move = most * Problem::slope(x - y);
            u_.by[k] = x;
            v_.by[k] = y;
            u_.row[k] = x - move;
            v_.row[k] = y + move;
        }
        const bool moves = project(edge, edge.u, u_);
        return project(edge, edge.v, v_) || moves;
    }

    struct End {
        float row[EdgesView::kMostClasses]; // as read, then moved and projected
        float by[EdgesView::kMostClasses];  // as read, then its increments
    };

    static bool project(const EdgeOfNodes& edge, std::uint32_t node, End& end) {
        if (node >= edge.free) return false;
        project_onto_simplex(end.row, edge.width);
        bool moves = false;
        for (std::uint32_t k = 0; k < edge.width; ++k) {
            end.by[k] = end.row[k] - end.by[k];
            moves |= end.by[k] != 0;
        }
        return moves;
    }

    template <class Update>
    static void write_end(const Update& update, const EdgeOfNodes& edge, std::uint32_t node, float* weights,
                          const End& end) {
        if (node >= edge.free) return;
        float* const row = weights + std::size_t{node} * edge.width;
        for (std::uint32_t k = 0; k < edge.width; ++k) update.add(row[k], end.by[k]);
    }

    End u_, v_;
};

} // namespace hogwild
