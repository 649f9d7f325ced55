// Losses of many snapshots over one dataset: the meter behind every reported number.
//
// For a linear problem,
//
//   mean_loss = (1/n) sum_i value(w . x_i, y_i),   score 0 = (1/n) |{i : (w . x_i > 0) != (y_i > 0)}|
//
// Weights are floats as the run left them; margins, losses and norms are summed in double. A margin above 0 predicts
// +1; a margin of 0 or below, or one that is not a number, predicts -1. Sixteen snapshots share each traversal of the
// samples. Their weights are interleaved, so that a coordinate's sixteen values are one cache line. A nonzero costs one
// multiply-add of a vector by a scalar.
//
// The bits are the same at any thread count, on any instruction set, and however many snapshots share a call. Each
// snapshot's margin is summed in index order. Losses are summed in row order within blocks of fixed size, blocks in
// order. A product of two floats is exact in double. (A loss that calls exp or log takes the C library's last bit.)
//
// Thread-safety: any number of calls at once. Memory: 64 bytes per column. Errors: throws Error for an unknown problem.
// Weights that are not finite (anywhere, also where no sample looks) score a loss of +infinity.
#pragma once

#include "engine/record/outcome.h"
#include "kernels/views/any_view.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hogwild {

/// What one snapshot scores on one dataset.
struct Losses {
    double mean_loss = kNone;    // without the regulariser; kNone when there are no samples
    Scores scores = kNoScores;   // each of this dataset, whichever it is meant for (kernels/score.h).
                                 // - margins: the share of samples predicted wrongly (kNone unless every label is -1 or
                                 //   +1)
                                 // - ratings: the root of the mean squared residual
                                 // - graphs: the rounded cut's value and the share of known classes that it finds
                                 // - text: what its words' vectors answer (engine/record/word_scores.h)
                                 // - images: the share predicted wrongly
    double squared_norm = kNone; // |w|^2; where a sample shrinks what it touches, the mean of what they touch

    /// F(w) = mean loss + (lambda / 2) |w|^2.
    double objective(double l2) const { return l2 == 0 ? mean_loss : mean_loss + 0.5 * l2 * squared_norm; }
};

/// Every label is -1 or +1.
bool labels_are_signs(const SparseView& data);

/// |w|^2, in double; the same bits as Losses::squared_norm.
double squared_norm(const float* weights, std::uint32_t columns);

/// |w|_1, in double.
double absolute_norm(const float* weights, std::uint32_t columns);

/// Losses of every snapshot, in order; each points to data.coordinates() weights.
std::vector<Losses> evaluate(std::string_view problem, const AnyView& data, std::span<const float* const> snapshots);

/// Losses of one vector of data.columns weights held in double: a solver's, not a run's.
Losses evaluate(std::string_view problem, const SparseView& data, std::span<const double> weights);

} // namespace hogwild
