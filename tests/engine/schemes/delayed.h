// Delayed SGD, the scheme of theory: one thread, and a staleness that is told to it instead of met by chance.
//
//   w_{t+1} = w_t - step g_t(w_{t - tau}),    g_t(w) = slope(w . x_t, y_t) x_t
//
// where w_{t - tau} is the first model w_0 if tau exceeds t. It runs the steps of every scheme (kernels/steps/steps.h),
// one sample at a time. The weights that they read are those of an older model, what they write goes to the newest.
// Without L2. Keeps all models: (steps + 1) x columns floats.
//
// Source: Agarwal and Duchi, "Distributed delayed stochastic optimization", 2011 (constant); Mitliagkas, Zhang, Hadjis, Re,
// "Asynchrony begets momentum", 2016 (geometric).
#pragma once

#include "kernels/lanes/scalar.h"
#include "kernels/numbers/random.h"
#include "kernels/patterns/sparse_rows.h"
#include "kernels/steps/steps.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hogwild {

/// Steps ago, with probability (1/M) (1 - 1/M)^tau for M workers, M - 1 in the mean. Each worker is as likely as any
/// other to be the next that writes. Counted in tries; the bias of one is below M / 2^64.
inline std::uint64_t geometric_staleness(std::uint64_t seed, std::uint64_t t, std::uint32_t workers) {
    constexpr std::uint32_t kStream = 0x64656C79; // sets these words apart from those of other uses of the seed
    std::uint32_t tau = 0;
    const auto again = [&] {
        const PhiloxCounter bits = philox(
            {static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(t >> 32), kStream, tau}, philox_key(seed));
        return below(workers, std::uint64_t{bits[0]} << 32 | bits[1]) != 0;
    };
    while (again()) ++tau;
    return tau;
}

/// One worker, and the model that it writes.
struct DelayedContext : WorkerContext {
    float* newest = nullptr;
};

/// An update policy: increments go to the newest model, whichever was read. Only of steps with a DelayedContext.
class WriteNewest {
public:
    explicit WriteNewest(WorkerContext& context) : newest_(static_cast<DelayedContext&>(context).newest) {}

    template <class Lanes>
    void add_row(float*, const SparseRow& row, float scale) const {
        Lanes::add(newest_, row, scale);
    }

private:
    float* newest_;
};

template <LinearProblem Problem>
class DelayedSgd {
public:
    DelayedSgd(const SparseView& data, std::vector<float> first) : data_(data), models_(std::move(first)) {}

    /// One step of this size on a sample, its gradient from the model of `tau` steps ago.
    void step(std::uint32_t sample, double size, std::uint64_t tau) {
        const std::uint64_t read = t_ - std::min(tau, t_);
        models_.resize((t_ + 2) * data_.columns);
        std::copy_n(at(t_), data_.columns, at(t_ + 1));
        context_.newest = at(t_ + 1);
        const Chunk chunk{.samples = &sample,
                          .count = 1,
                          .ahead = 0,
                          .primed = true,
                          .weights = at(read),
                          .scale = 1,
                          .decay = 1,
                          .skip = 1,
                          .step = size,
                          .epoch = 0,
                          .seed = 0};
        steps<Problem, ScalarLanes, WriteNewest, NoGuard, NoProbe>(data_, chunk, context_);
        ++t_;
    }

    /// w_t, of t steps.
    std::vector<float> model(std::uint64_t t) const {
        const auto first = models_.begin() + static_cast<std::ptrdiff_t>(t * data_.columns);
        return {first, first + data_.columns};
    }

    /// Coordinate j of w_t.
    float weight(std::uint64_t t, std::uint32_t j) const { return models_[t * data_.columns + j]; }

private:
    float* at(std::uint64_t t) { return models_.data() + t * data_.columns; }

    SparseView data_;
    std::vector<float> models_; // w_0, w_1, ...
    std::uint64_t t_ = 0;
    DelayedContext context_;
};

} // namespace hogwild
