// What becomes of a step by its staleness tau: the factor on its step size. tau counts the steps of others that wrote
// between its read and its write. R: a limit.
//
//   none            1
//   inverse         1 / (1 + tau)
//   delay-adaptive  min(1, R / tau)
//   drop            1 where tau <= R, else 0: the step writes nothing
// tau = 0 has factor 1 under every rule.
//
// Sources: inverse: Zhang, Gupta, Lian, Liu, "Staleness-aware async-SGD for distributed deep learning", IJCAI 2016 (1 /
// tau, of tau counted from 1). delay-adaptive: Koloskova, Stich, Jaggi, "Sharper convergence guarantees for
// asynchronous SGD", NeurIPS 2022 (full steps up to the concurrency, behind it steps that fall with 1 / tau).
// Mishchenko, Bach, Even, Woodworth, "Asynchronous SGD beats minibatch SGD under arbitrary delays", NeurIPS 2022.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hogwild {

enum class StalenessRule : std::uint32_t { kNone, kInverse, kDelayAdaptive, kDrop };

/// In the order of StalenessRule.
inline constexpr std::array<std::string_view, 4> kStalenessRules = {"none", "inverse", "delay-adaptive", "drop"};

/// Precondition: the name is one of kStalenessRules.
constexpr StalenessRule staleness_rule(std::string_view name) {
    std::size_t i = 0;
    while (kStalenessRules[i] != name) ++i;
    return static_cast<StalenessRule>(i);
}

constexpr bool has_limit(StalenessRule rule) {
    return rule == StalenessRule::kDelayAdaptive || rule == StalenessRule::kDrop;
}

constexpr double staleness_factor(StalenessRule rule, std::uint64_t tau, std::uint32_t limit) {
    switch (rule) {
    case StalenessRule::kInverse: return 1.0 / (1.0 + static_cast<double>(tau));
    case StalenessRule::kDelayAdaptive:
        return tau <= limit ? 1.0 : static_cast<double>(limit) / static_cast<double>(tau);
    case StalenessRule::kDrop: return tau <= limit ? 1.0 : 0.0;
    case StalenessRule::kNone: break;
    }
    return 1.0;
}

} // namespace hogwild
