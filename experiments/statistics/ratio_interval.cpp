#include "experiments/statistics/ratio_interval.h"

#include "experiments/statistics/student.h"
#include "kernels/numbers/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace hogwild {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kDraws = 10000;
constexpr PhiloxKey kKey = philox_key(0x636F6D70617265); // "compare"

void add(Trial& sum, const Trial& trial) {
    sum.spent += trial.spent;
    sum.gained += trial.gained;
    sum.might_gain += trial.might_gain;
}

/// What is certain about b / a: nothing, where both are 0 or both infinite.
double least(double b, double a) { return b == 0 || std::isinf(a) ? 0 : b / a; }
double most(double b, double a) { return a == 0 || std::isinf(b) ? kForever : b / a; }

RatioInterval ratio_of(const Trial& a, const Trial& b) {
    const CostRange of_a = cost_range(a.spent, a.gained, a.might_gain);
    const CostRange of_b = cost_range(b.spent, b.gained, b.might_gain);
    return {of_b.high / of_a.high, least(of_b.low, of_a.high), most(of_b.high, of_a.low)};
}

/// The standard error of log(expected cost of B / expected cost of A), by what each pair adds to its first-order change.
double log_standard_error(std::span<const TrialPair> pairs, const Trial& a, const Trial& b) {
    const auto n = static_cast<double>(pairs.size());
    const auto change = [](const Trial& trial, const Trial& sum) {
        return trial.spent / sum.spent - trial.gained / sum.gained;
    };
    double squares = 0;
    for (const TrialPair& pair : pairs) {
        const double difference = change(pair.b, b) - change(pair.a, a);
        squares += difference * difference;
    }
    return std::sqrt(squares * n / (n - 1));
}

/// The ratios of all draws, their low and high ends each sorted.
struct Draws {
    std::vector<double> low, high;
};

Draws draw(std::span<const TrialPair> pairs) {
    Draws draws;
    draws.low.reserve(kDraws);
    draws.high.reserve(kDraws);
    for (std::uint32_t round = 0; round < kDraws; ++round) {
        Trial a, b;
        PhiloxCounter bits{};
        for (std::uint32_t i = 0; i < pairs.size(); ++i) {
            if (i % bits.size() == 0) bits = philox({round, i, 0, 0}, kKey);
            const TrialPair& pair = pairs[below(pairs.size(), std::uint64_t{bits[i % bits.size()]} << 32)];
            add(a, pair.a);
            add(b, pair.b);
        }
        const RatioInterval ratio = ratio_of(a, b);
        draws.low.push_back(ratio.low);
        draws.high.push_back(ratio.high);
    }
    std::ranges::sort(draws.low);
    std::ranges::sort(draws.high);
    return draws;
}

} // namespace

RatioInterval ratio_interval(std::span<const TrialPair> pairs) {
    Trial a, b;
    for (const TrialPair& pair : pairs) {
        add(a, pair.a);
        add(b, pair.b);
    }
    const double ratio = ratio_of(a, b).ratio;
    if (pairs.size() < kFewestPairs) return {ratio, 0, kForever};

    const auto n = static_cast<double>(pairs.size());
    const double t = student_quantile(0.95, static_cast<unsigned>(pairs.size() - 1));
    const double level = normal_below(-std::sqrt(n / (n - 1)) * t);
    const auto rank = static_cast<std::size_t>(level * kDraws);
    const Draws draws = draw(pairs);
    double low = draws.low[rank], high = draws.high[kDraws - 1 - rank];
    if (ratio > 0 && std::isfinite(ratio)) {
        const double factor = std::exp(t * log_standard_error(pairs, a, b));
        low = std::min(low, ratio / factor);
        high = std::max(high, ratio * factor);
    }
    return {ratio, low, high};
}

} // namespace hogwild
