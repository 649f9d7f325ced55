#include "engine/optimum/dual_descent.h"

#include "kernels/numbers/random.h"
#include "kernels/problems/hinge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hogwild {
namespace {

constexpr std::uint64_t kSeed = 0x4475616C; // the order is part of the method, not of a run
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kAhead = 8; // rows in flight: the order is random, so the next rows are fetched by hand

double mean_hinge(const SparseView& data, const std::vector<double>& margins) {
    double sum = 0;
    for (std::uint64_t i = 0; i < data.rows; ++i) sum += Hinge::value(margins[i], double{data.labels[i]});
    return sum / static_cast<double>(data.rows);
}

double squared_norm(const std::vector<double>& weights) {
    return std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
}

} // namespace

DualDescent::DualDescent(const SparseView& data, double l2, const OptimumOptions& options)
    : matrix_(data),
      l2_(l2),
      options_(options),
      deadline_(options),
      weights_(data.columns),
      duals_(data.rows),
      diagonal_(data.rows),
      margins_(data.rows),
      signed_duals_(data.rows),
      active_(data.rows) {
    for (std::uint64_t i = 0; i < data.rows; ++i) {
        const SparseRow row = data.row(i);
        double square = 0;
        for (std::uint32_t e = 0; e < row.size; ++e) square += double{row.value[e]} * row.value[e];
        diagonal_[i] = double{row.label} * row.label * square;
        if (diagonal_[i] == 0) duals_[i] = upper_bound(); // its loss is 1 whatever w is, and costs the dual nothing
    }
    best_.initial = best_.value = mean_hinge(data, margins_);
    best_.lower = 0; // a hinge is never negative
    best_.weights = weights_;
    activate_all();
}

void DualDescent::activate_all() {
    active_size_ = 0;
    for (std::uint64_t i = 0; i < matrix_.data().rows; ++i) {
        if (diagonal_[i] > 0) active_[active_size_++] = static_cast<std::uint32_t>(i);
    }
    highest_ = kInfinity;
    lowest_ = -kInfinity;
}

std::uint64_t DualDescent::passes() const { return matrix_.passes() + visited_ / matrix_.data().rows; }

void DualDescent::shuffle() {
    for (std::size_t i = active_size_; i > 1; --i, ++draws_) {
        const PhiloxCounter words = philox(
            {static_cast<std::uint32_t>(draws_), static_cast<std::uint32_t>(draws_ >> 32), 0, 0}, philox_key(kSeed));
        std::swap(active_[i - 1], active_[below(i, std::uint64_t{words[0]} << 32 | words[1])]);
    }
}

double DualDescent::sweep() {
    const SparseView& data = matrix_.data();
    const double most = upper_bound();
    double highest = -kInfinity;
    double lowest = kInfinity;
    shuffle();
    for (std::size_t s = 0; s < active_size_; ++s) {
        if (s + kAhead < active_size_) {
            const SparseRow ahead = data.row(active_[s + kAhead]);
            for (std::uint32_t e = 0; e < ahead.size; e += 16) {
                __builtin_prefetch(ahead.index + e);
                __builtin_prefetch(ahead.value + e);
            }
        }
        const std::uint32_t i = active_[s];
        const SparseRow row = data.row(i);
        const double label = row.label;
        const double gradient = label * dot(row, weights_.data()) - 1;
        ++visited_;
        const bool at_zero = duals_[i] == 0;
        const bool at_most = duals_[i] == most;
        if ((at_zero && gradient > highest_) || (at_most && gradient < lowest_)) {
            std::swap(active_[s], active_[--active_size_]);
            --s;
            continue;
        }
        const double projected = at_zero ? std::min(gradient, 0.0) : at_most ? std::max(gradient, 0.0) : gradient;
        highest = std::max(highest, projected);
        lowest = std::min(lowest, projected);
        if (projected == 0) continue;
        const double dual = std::clamp(duals_[i] - gradient / diagonal_[i], 0.0, most);
        const double change = (dual - duals_[i]) * label;
        duals_[i] = dual;
        for (std::uint32_t e = 0; e < row.size; ++e) weights_[row.index[e]] += change * row.value[e];
    }
    highest_ = highest > 0 ? highest : kInfinity;
    lowest_ = lowest < 0 ? lowest : -kInfinity;
    return active_size_ == 0 ? 0 : highest - lowest;
}

bool DualDescent::certify() {
    const SparseView& data = matrix_.data();
    for (std::uint64_t i = 0; i < data.rows; ++i) signed_duals_[i] = duals_[i] * data.labels[i];
    matrix_.multiply_transposed(signed_duals_, weights_);
    matrix_.multiply(weights_, margins_);
    const double square = squared_norm(weights_);
    const double value = mean_hinge(data, margins_) + 0.5 * l2_ * square;
    const double lower = l2_ * (std::accumulate(duals_.begin(), duals_.end(), 0.0) - 0.5 * square);
    if (value < best_.value) {
        best_.value = value;
        best_.weights = weights_;
    }
    best_.lower = std::min(std::max(best_.lower, lower), best_.value); // rounding may cross them
    best_.gap = best_.value - best_.lower;
    return best_.gap <= options_.wanted_gap(best_.initial, best_.value);
}

Optimum DualDescent::solve() {
    // Shrunk problems are solved to `accuracy` before the full one is looked at. The gap also decides on a geometric
    // schedule of its own, because it may be small long before every projected gradient is.
    double accuracy = 0.1;
    std::uint64_t sweeps = 0;
    std::uint64_t next_look = 4;
    best_.converged = certify();
    while (!best_.converged && !deadline_.over(passes())) {
        const bool whole = active_size_ == active_.size();
        const double spread = sweep();
        const bool settled = spread <= accuracy;
        if (settled || ++sweeps >= next_look) {
            best_.converged = certify();
            next_look = sweeps + std::max<std::uint64_t>(4, sweeps / 8);
        }
        if (settled) {
            if (whole || active_size_ == 0) accuracy *= 0.1;
            activate_all();
        }
    }
    best_.passes = passes();
    best_.seconds = deadline_.seconds();
    return best_;
}

} // namespace hogwild
