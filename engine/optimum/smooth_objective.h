// F(w) = (1/n) sum_i value(m_i, y_i) + (lambda / 2) |w|^2 with m = X w, for a problem whose slope is continuous. It
// gives the value, the gradient, and the curvature along the margins. Everything but X is a function of the margins, so
// a step along a direction whose margins are known costs n, not the nonzeros.
//
// Thread-safety: one caller at a time (SampleMatrix is). Same bits at any thread count.
#pragma once

#include "engine/machine/parallel.h"
#include "engine/optimum/sample_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

inline double dot(std::span<const double> a, std::span<const double> b) {
    double sum[4] = {};
    std::size_t j = 0;
    for (; j + 4 <= a.size(); j += 4) {
        for (std::size_t k = 0; k < 4; ++k) sum[k] += a[j + k] * b[j + k];
    }
    for (; j < a.size(); ++j) sum[0] += a[j] * b[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

template <class Problem>
class SmoothObjective {
public:
    static_assert(Problem::curvature > 0, "a kink has no Newton step");

    SmoothObjective(const SparseView& data, double l2) : matrix(data), l2_(l2), samples_(data.rows) {}

    double l2() const { return l2_; }
    std::size_t columns() const { return matrix.data().columns; }
    std::size_t rows() const { return matrix.data().rows; }

    /// Mean loss at margins + step * change.
    double mean_loss(std::span<const double> margins, std::span<const double> change, double step) const {
        const float* const labels = matrix.data().labels;
        const auto blocks = parallel_map<double>(rows(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
            double sum = 0;
            for (std::uint64_t i = begin; i < end; ++i) {
                sum += Problem::value(margins[i] + step * change[i], double{labels[i]});
            }
            return sum;
        });
        double sum = 0;
        for (const double block : blocks) sum += block;
        return sum / static_cast<double>(rows());
    }

    /// gradient = X^T slope(m, y) / n + lambda w. One pass.
    void gradient(std::span<const double> weights, std::span<const double> margins, std::span<double> gradient) {
        const double share = 1 / static_cast<double>(rows());
        for_samples([&](std::uint64_t i, double label) { samples_[i] = share * Problem::slope(margins[i], label); });
        matrix.multiply_transposed(samples_, gradient);
        for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += l2_ * weights[j];
    }

    /// curvatures_i = (second derivative of the loss at m_i) / n, by central differences of the slope. It steers the
    /// search and certifies nothing, so a problem need not state it.
    void curvatures(std::span<const double> margins, std::span<double> curvatures) const {
        const double share = 1 / static_cast<double>(rows());
        for_samples([&](std::uint64_t i, double label) {
            const double h = 1e-5 * std::max(1.0, std::abs(margins[i]));
            const double rise = Problem::slope(margins[i] + h, label) - Problem::slope(margins[i] - h, label);
            curvatures[i] = share * std::clamp(rise / (2 * h), 0.0, Problem::curvature);
        });
    }

    /// product = X^T diag(curvatures) X v + lambda v. Two passes.
    void hessian(std::span<const double> curvatures, std::span<const double> v, std::span<double> product) {
        matrix.multiply(v, samples_);
        for_samples([&](std::uint64_t i, double) { samples_[i] *= curvatures[i]; });
        matrix.multiply_transposed(samples_, product);
        for (std::size_t j = 0; j < product.size(); ++j) product[j] += l2_ * v[j];
    }

    SampleMatrix matrix;

private:
    static constexpr std::uint64_t kGrain = 4096;

    template <class Body>
    void for_samples(const Body& body) const {
        const float* const labels = matrix.data().labels;
        parallel_for(rows(), kGrain, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t i = begin; i < end; ++i) body(i, double{labels[i]});
        });
    }

    double l2_;
    std::vector<double> samples_; // scratch, one per row
};

} // namespace hogwild
