// Optimisers: what a step goes against instead of its gradient, from numbers that it keeps of every coordinate.
//
// A step adds -step x direction. Let g be the mean gradient of the step's samples, with L2's shrinkage in it. Let t be
// the step's number on its state, from 1 on. All numbers are 0 before the first step:
//
//   optimiser         its numbers                           direction
//   sgd               none                                  g
//   momentum          v <- beta1 v + g                      v                    heavy ball, Polyak 1964
//   nesterov          v <- beta1 v + g                      g + beta1 v          Sutskever et al. 2013
//   delayed-nesterov  u <- u + g; at every N-th step,       g / N, and at every N-th step beta1 v besides; N: workers that
//                     v <- beta1 v + u / N, u <- 0          share the state      Liu et al. 2024
//   adagrad           s <- s + g^2                          g / (sqrt(s) + epsilon)          Duchi et al. 2011
//   rmsprop           s <- beta2 s + (1 - beta2) g^2        g / (sqrt(s) + epsilon)          Tieleman and Hinton 2012
//   adam              m <- beta1 m + (1 - beta1) g,         m / (1 - beta1^t) / (sqrt(s / (1 - beta2^t)) + epsilon)
//                     s as rmsprop's                        Kingma and Ba 2015
//
// Adam's direction is at most what one history of gradients can make it, which Cauchy and Schwarz bound by
//
//   reach(t) = (1 - beta1) sqrt((1 - r^t) / (1 - r) / (1 - beta2)) sqrt(1 - beta2^t) / (1 - beta1^t), r = beta1^2 / beta2 < 1
//
// (7.3 for many steps with the usual beta1 and beta2). One worker's steps never go beyond it. Where several share a
// state, one may meet the m of a gradient whose square is not in s yet, or was overwritten. Its step is m / epsilon, a
// hundred million times too long, and ends the run.
//
// The step size multiplies the direction, not what goes into v, so that a step that falls takes effect at once. With one worker
// delayed-nesterov is nesterov; with N it goes as far in N steps as nesterov in one, on the mean of their gradients.
//
// Where the state lives: `shared`, one for all workers, `per-device`, one for the threads and one for the GPU's teams, or one
// `per-worker`. A step's number is taken from the state's own count, so that of a shared state every step of every worker has
// another one.
//
// Sparse rule (lazy, that of TensorFlow's LazyAdam and PyTorch's SparseAdam): a step leaves out coordinates whose
// gradient is zero, and their numbers too. These numbers do not decay meanwhile, no momentum moves the coordinate, and
// nothing is caught up with later. What delayed-nesterov has buffered waits for an N-th step that has the coordinate.
// The count goes on for all.
//
// Arithmetic in float, multiplications and additions apart (kernels/lanes/scalar.h), so that every instruction set gives the same
// bits. Thread-safety: rules are values; a state's numbers are reached as kernels/network/layers/optimizer_step.h says, its count
// atomically.
//
// Sources: Polyak, "Some methods of speeding up the convergence of iteration methods", 1964. Sutskever, Martens, Dahl,
// Hinton, "On the importance of initialization and momentum in deep learning", ICML 2013. Liu et al., "Asynchronous
// Local-SGD Training for Language Modeling", 2024, with its c = 0. Duchi, Hazan, Singer, "Adaptive subgradient methods
// for online learning", JMLR 2011. Tieleman and Hinton, COURSERA lecture 6.5, 2012. Kingma and Ba, "Adam", ICLR 2015.
#pragma once

#include "kernels/annotate.h"
#include "kernels/numbers/power.h"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace hogwild {

/// What rules are made of, besides a step's number.
struct OptimizerSettings {
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    std::uint32_t sharers = 1; // workers that step on one state
};

// Each rule, made for a step: direction = rule(g, numbers...), which also takes the numbers on.
//   kNumbers          of a coordinate: the first so many are used
//   kBeta1, kBeta2    which of the two it has
//   kUsualBeta2       where nothing is said
//   kUsualStep        the step size where nothing is said, of rules whose direction has the scale of no gradient; 0:
//                     sgd's, times (1 - beta1) with kBeta1

struct PlainSgd {
    static constexpr std::string_view name = "sgd";
    static constexpr std::uint32_t kNumbers = 0;
    static constexpr bool kBeta1 = false, kBeta2 = false;
    static constexpr double kUsualBeta2 = 0.999, kUsualStep = 0;

    HOGWILD_HOST_DEVICE PlainSgd(const OptimizerSettings&, std::uint64_t) {}

    HOGWILD_HOST_DEVICE float operator()(float g, float&, float&) const { return g; }
};

struct Momentum {
    static constexpr std::string_view name = "momentum";
    static constexpr std::uint32_t kNumbers = 1;
    static constexpr bool kBeta1 = true, kBeta2 = false;
    static constexpr double kUsualBeta2 = 0.999, kUsualStep = 0;

    HOGWILD_HOST_DEVICE Momentum(const OptimizerSettings& settings, std::uint64_t)
        : beta1(static_cast<float>(settings.beta1)) {}

    HOGWILD_HOST_DEVICE float operator()(float g, float& v, float&) const { return v = beta1 * v + g; }

    float beta1;
};

struct Nesterov : Momentum {
    static constexpr std::string_view name = "nesterov";

    using Momentum::Momentum;

    HOGWILD_HOST_DEVICE float operator()(float g, float& v, float&) const {
        v = beta1 * v + g;
        return g + beta1 * v;
    }
};

struct DelayedNesterov : Momentum {
    static constexpr std::string_view name = "delayed-nesterov";
    static constexpr std::uint32_t kNumbers = 2;

    HOGWILD_HOST_DEVICE DelayedNesterov(const OptimizerSettings& settings, std::uint64_t number)
        : Momentum(settings, number),
          share(1 / static_cast<float>(settings.sharers)),
          due(number % settings.sharers == 0) {}

    HOGWILD_HOST_DEVICE float operator()(float g, float& v, float& u) const {
        u += g;
        if (!due) return share * g;
        v = beta1 * v + share * u;
        u = 0;
        return share * g + beta1 * v;
    }

    float share;
    bool due;
};

struct AdaGrad {
    static constexpr std::string_view name = "adagrad";
    static constexpr std::uint32_t kNumbers = 1;
    static constexpr bool kBeta1 = false, kBeta2 = false;
    static constexpr double kUsualBeta2 = 0.999, kUsualStep = 0.01;

    HOGWILD_HOST_DEVICE AdaGrad(const OptimizerSettings& settings, std::uint64_t)
        : epsilon(static_cast<float>(settings.epsilon)) {}

    HOGWILD_HOST_DEVICE float operator()(float g, float& s, float&) const {
        s += g * g;
        return g / (std::sqrt(s) + epsilon);
    }

    float epsilon;
};

struct RmsProp {
    static constexpr std::string_view name = "rmsprop";
    static constexpr std::uint32_t kNumbers = 1;
    static constexpr bool kBeta1 = false, kBeta2 = true;
    static constexpr double kUsualBeta2 = 0.99, kUsualStep = 0.001;

    HOGWILD_HOST_DEVICE RmsProp(const OptimizerSettings& settings, std::uint64_t)
        : beta2(static_cast<float>(settings.beta2)),
          rest2(static_cast<float>(1 - settings.beta2)),
          epsilon(static_cast<float>(settings.epsilon)) {}

    HOGWILD_HOST_DEVICE float operator()(float g, float& s, float&) const {
        s = beta2 * s + rest2 * (g * g);
        return g / (std::sqrt(s) + epsilon);
    }

    float beta2, rest2, epsilon;
};

struct Adam {
    static constexpr std::string_view name = "adam";
    static constexpr std::uint32_t kNumbers = 2;
    static constexpr bool kBeta1 = true, kBeta2 = true;
    static constexpr double kUsualBeta2 = 0.999, kUsualStep = 0.001;

    HOGWILD_HOST_DEVICE Adam(const OptimizerSettings& settings, std::uint64_t number)
        : beta1(static_cast<float>(settings.beta1)),
          rest1(static_cast<float>(1 - settings.beta1)),
          beta2(static_cast<float>(settings.beta2)),
          rest2(static_cast<float>(1 - settings.beta2)),
          unbias1(static_cast<float>(1 / (1 - power(settings.beta1, number)))),
          unbias2(static_cast<float>(1 / (1 - power(settings.beta2, number)))),
          epsilon(static_cast<float>(settings.epsilon)),
          reach(static_cast<float>(1.001 * longest(settings, number))) {} // 1.001: more than what floats round

    HOGWILD_HOST_DEVICE float operator()(float g, float& m, float& s) const {
        m = beta1 * m + rest1 * g;
        s = beta2 * s + rest2 * (g * g);
        const float direction = unbias1 * m / (std::sqrt(unbias2 * s) + epsilon);
        return direction > reach ? reach : direction < -reach ? -reach : direction;
    }

    /// reach(number), infinite unless r < 1.
    HOGWILD_HOST_DEVICE static double longest(const OptimizerSettings& settings, std::uint64_t number) {
        const double r = settings.beta1 * settings.beta1 / settings.beta2;
        if (!(r < 1)) return HUGE_VAL;
        const double ratio =
            (1 - power(r, number)) / (1 - r) * (1 - power(settings.beta2, number)) / (1 - settings.beta2);
        return (1 - settings.beta1) / (1 - power(settings.beta1, number)) * std::sqrt(ratio);
    }

    float beta1, rest1, beta2, rest2, unbias1, unbias2, epsilon, reach;
};

/// The registry: a name on the command line follows from an entry.
using Optimizers = std::variant<PlainSgd, Momentum, Nesterov, DelayedNesterov, AdaGrad, RmsProp, Adam>;

/// Whether that entry of Optimizers is plain SGD, which has no state.
HOGWILD_HOST_DEVICE constexpr bool is_plain_sgd(std::size_t kind) { return kind == 0; }
static_assert(std::is_same_v<std::variant_alternative_t<0, Optimizers>, PlainSgd>);

/// Calls f(std::in_place_type<Rule>) for entry number `kind` of Optimizers.
template <std::size_t I = 0, class F>
decltype(auto) with_optimizer(std::size_t kind, const F& f) {
    constexpr auto rule = std::in_place_type<std::variant_alternative_t<I, Optimizers>>;
    if constexpr (I + 1 == std::variant_size_v<Optimizers>) {
        return f(rule);
    } else {
        return kind == I ? f(rule) : with_optimizer<I + 1>(kind, f);
    }
}

/// Borrowed memory: an optimiser's state.
struct OptimizerState {
    std::size_t kind; // in Optimizers
    OptimizerSettings settings;
    float* numbers;    // arrays in the shape of the weights, each 64-byte aligned; as many as the rule says
    std::size_t apart; // floats from one array to the next
    std::atomic<std::uint64_t>* steps; // taken on this state
};

} // namespace hogwild
