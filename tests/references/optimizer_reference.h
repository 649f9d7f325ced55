// An optimiser of one coordinate, written from its papers (kernels/network/optimizer.h), in double, with a bound on how far one in floats is
// from it (tests/references/bounded.h).
//
// Momentum is a linear recurrence. From gradients that are wrong by at most e it makes, after t steps, velocities that
// are wrong by e (1 - beta^t) / (1 - beta). What their roundings come to grows in the same way. A direction that is
// divided by a root of squares is wrong by about 2 e / |g|. Where that is more than any direction can be, the bound is
// what lies between the direction and the longest one:
//
//   adagrad 1    rmsprop 1 / sqrt(1 - beta2)    adam as kernels/network/optimizer.h has it
#pragma once

#include "kernels/network/optimizer.h"
#include "tests/references/bounded.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace hogwild {

class OptimizerReference {
public:
    OptimizerReference(std::string_view name, const OptimizerSettings& settings)
        : name_(name),
          settings_(settings),
          beta1_(Bounded::rounded(settings.beta1)),
          beta2_(Bounded::rounded(settings.beta2)),
          epsilon_(Bounded::rounded(settings.epsilon)),
          share_(Bounded::rounded(1.0 / settings.sharers)) {}

    /// The direction of step number `number` on its state, whose gradient is g.
    Bounded direction(std::uint64_t number, const Bounded& g) {
        if (name_ == "sgd") return g;
        if (name_ == "momentum") return velocity_ = beta1_ * velocity_ + g;
        if (name_ == "nesterov") {
            velocity_ = beta1_ * velocity_ + g;
            return g + beta1_ * velocity_;
        }
        if (name_ == "delayed-nesterov") return delayed(number, g);
        if (name_ == "adagrad") {
            square_ = square_ + g * g;
            return within(g / (sqrt(square_) + epsilon_), 1);
        }
        square_ = beta2_ * square_ + Bounded::rounded(1 - settings_.beta2) * (g * g);
        if (name_ == "rmsprop") return within(g / (sqrt(square_) + epsilon_), 1 / std::sqrt(1 - settings_.beta2));
        velocity_ = beta1_ * velocity_ + Bounded::rounded(1 - settings_.beta1) * g;
        const Bounded mean = unbiased(settings_.beta1, number) * velocity_;
        const Bounded square = unbiased(settings_.beta2, number) * square_;
        return within(mean / (sqrt(square) + epsilon_), Adam::longest(settings_, number));
    }

private:
    Bounded delayed(std::uint64_t number, const Bounded& g) {
        buffered_ = buffered_ + g;
        if (number % settings_.sharers != 0) return share_ * g;
        velocity_ = beta1_ * velocity_ + share_ * buffered_;
        buffered_ = {};
        return share_ * g + beta1_ * velocity_;
    }

    static Bounded unbiased(double beta, std::uint64_t number) {
        return Bounded::rounded(1 / (1 - std::pow(beta, static_cast<double>(number))));
    }

    /// In floats a direction may be longer than `reach` by what adam allows for, a thousandth.
    static Bounded within(const Bounded& direction, double reach) {
        return {direction.value, std::min(direction.error, std::abs(direction.value) + 1.001 * reach)};
    }

    std::string_view name_;
    OptimizerSettings settings_;
    Bounded beta1_, beta2_, epsilon_, share_;
    Bounded velocity_, square_, buffered_;
};

} // namespace hogwild
