// Laws of staleness, on one thread that is told how stale its gradients are.
#include "engine/order/order.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"
#include "tests/engine/schemes/delayed.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace hogwild;

namespace {

constexpr float kValue = 0.5f;
constexpr double kCurvature = kValue * kValue; // of the squared loss of rows of one value

/// Rows of one value, in the one coordinate that there is.
TestSamples one_coordinate(const std::vector<float>& labels) {
    TestSamples samples;
    samples.columns = 1;
    for (const float label : labels) samples.add(label, {0}, {kValue});
    return samples;
}

} // namespace

TEST_CASE("delay 0 is serial SGD, bit for bit") { // oracle 9
    const TestSamples samples = random_samples(300, 40, 6, 1);
    const SparseView view = samples.view();
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        Plan plan = toy_plan("serial");
        plan.problem = problem;
        plan.step.kind = "constant";
        plan.l2 = 0;
        with_linear_problem(problem, [&](auto kind) {
            DelayedSgd<decltype(kind)> sgd(view, std::vector<float>(view.columns));
            OrderCursor cursor(plan.order, view, plan.seed);
            std::vector<std::uint32_t> order(view.rows);
            for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) {
                fill(cursor, epoch, 0, static_cast<std::uint32_t>(view.rows), order.data());
                for (const std::uint32_t sample : order) sgd.step(sample, plan.step.size, 0);
            }
            CHECK(sgd.model(plan.epochs * view.rows) == weights_of(plan, toy_dataset(samples)));
        });
    }
}

TEST_CASE("constant delay is the recursion w_{t+1} = w_t - step g_t(w_{t - tau})") { // oracle 9
    // Values, labels and step are signs and powers of two: hinge's sums of them are exact, in float as in double.
    constexpr std::uint64_t kColumns = 6, kSteps = 900;
    constexpr double kStep = 0x1p-6;
    const TestSamples samples = exact_dense_samples(300, kColumns);
    const auto sample = [&](std::uint64_t t) { return static_cast<std::uint32_t>(t * 7 % samples.labels.size()); };
    std::vector<std::vector<double>> ends;
    for (const std::uint64_t tau : {0u, 1u, 2u, 5u, 16u}) {
        DelayedSgd<Hinge> sgd(samples.view(), std::vector<float>(kColumns));
        std::vector<std::vector<double>> w{std::vector<double>(kColumns)};
        bool same = true;
        for (std::uint64_t t = 0; t < kSteps; ++t) {
            sgd.step(sample(t), kStep, tau);
            const float* x = samples.values.data() + sample(t) * kColumns;
            const double y = samples.labels[sample(t)];
            const std::vector<double>& old = w[t < tau ? 0 : t - tau];
            double margin = 0;
            for (std::uint64_t j = 0; j < kColumns; ++j) margin += old[j] * x[j];
            std::vector<double> next = w[t];
            if (y * margin < 1) {
                for (std::uint64_t j = 0; j < kColumns; ++j) next[j] += kStep * y * x[j];
            }
            for (std::uint64_t j = 0; j < kColumns; ++j)
                same = same && next[j] == double{sgd.weight(t + 1, static_cast<std::uint32_t>(j))};
            w.push_back(next);
        }
        CHECK(same);
        for (const std::vector<double>& end : ends) CHECK(end != w.back()); // the delay is felt
        ends.push_back(w.back());
    }
}

TEST_CASE("a quadratic bears step x curvature up to 2 sin(pi / (2 (2 tau + 1)))") { // oracle 20
    // w_{t+1} = w_t - a w_{t - tau} falls or grows as the largest root of a = z^tau (1 - z). At the bound that lies on
    // the unit circle, at angle A = pi / (2 tau + 1). There d ln|z| / d ln a = h / (h^2 + cot(A/2)^2 / 4), h = tau +
    // 1/2. It is at least 0.7 / (tau + 1) since cot(A/2) < 2/A, and at most 2. So 1 % off the bound, 3,000 (tau + 1)
    // steps make between e^21 and e^60 of it, above or below.
    const TestSamples samples = one_coordinate({0.0f});
    for (const std::uint64_t tau : {0u, 1u, 2u, 5u, 16u}) {
        const std::uint64_t steps = 3'000 * (tau + 1), swing = 2 * (2 * tau + 1);
        const double bound = 2 * std::sin(std::numbers::pi / static_cast<double>(swing));
        const auto amplitude = [&](double a) { // over the last swing
            DelayedSgd<Squared> sgd(samples.view(), {1.0f});
            for (std::uint64_t t = 0; t < steps; ++t) sgd.step(0, a / kCurvature, tau);
            double most = 0;
            for (std::uint64_t t = steps - swing; t <= steps; ++t)
                most = std::max(most, std::abs(double{sgd.weight(t, 0)}));
            return most;
        };
        CAPTURE(tau);
        CHECK(amplitude(0.99 * bound) < 1e-6);
        CHECK(amplitude(1.01 * bound) > 1e6);
    }
}

TEST_CASE("noise of the gradients spreads the weight as far as theory says, at delays 0 and 1") { // oracle 21
    // Labels are noise of variance s: w_{t+1} = w_t - a w_{t - tau} + n_t with n_t = step x y_t, of variance (step x)^2 s. In
    // units of it the stationary variance is
    //     tau = 0: V = (1 - a)^2 V + 1, so 1 / (a (2 - a));
    //     tau = 1, an AR(2) process of coefficients 1 and -a: (1 + a) / ((1 - a) ((1 + a)^2 - 1)).
    // The mean of w^2 over T steps has a standard error of at most V sqrt(2 sum_k rho_k^2 / T), k over all integers
    // (Bartlett). It is less, for this noise's kurtosis is below 3. The autocorrelations are rho_k = rho_{k-1} - a
    // rho_{|k-1-tau|}. Five of them are allowed: chance breaks that for one seed in 290,000.
    constexpr std::uint64_t kBurn = 1'000, kSteps = 200'000;
    TestNumbers numbers(21);
    const TestSamples samples = one_coordinate(numbers.vector<float>(kBurn + kSteps));
    const double noise = 1.0 / 3; // uniform in [-1, 1)
    for (const unsigned tau : {0u, 1u}) {
        for (const double a : {0.1, 0.4, 0.8}) {
            const double variance = tau == 0 ? 1 / (a * (2 - a)) : (1 + a) / ((1 - a) * ((1 + a) * (1 + a) - 1));
            std::vector<double> rho{1, tau == 0 ? 1 - a : 1 / (1 + a)};
            double squares = 1 + 2 * rho[1] * rho[1];
            for (std::size_t k = 2; k < kBurn; ++k) {
                rho.push_back(rho[k - 1] - a * rho[k - 1 - tau]);
                squares += 2 * rho[k] * rho[k];
            }
            const double deviation = std::sqrt(2 * squares / kSteps);
            const double step = a / kCurvature;
            DelayedSgd<Squared> sgd(samples.view(), {0.0f});
            double sum = 0;
            for (std::uint64_t t = 0; t < kBurn + kSteps; ++t) {
                sgd.step(static_cast<std::uint32_t>(t), step, tau);
                if (t >= kBurn) sum += std::pow(double{sgd.weight(t + 1, 0)}, 2);
            }
            const double found = sum / kSteps / (std::pow(step * kValue, 2) * noise);
            CAPTURE(tau);
            CAPTURE(a);
            CHECK(std::abs(found / variance - 1) < 5 * deviation);
            CHECK(deviation < 0.015);
        }
    }
}

TEST_CASE("geometric staleness of M workers has mean M - 1 and no memory") {
    constexpr std::uint64_t kDraws = 100'000;
    for (const std::uint32_t workers : {1u, 2u, 4u, 16u}) {
        const double mu = 1 - 1.0 / workers;
        std::uint64_t sum = 0, some = 0, more = 0; // more: of those above 0, above 1
        for (std::uint64_t t = 0; t < kDraws; ++t) {
            const std::uint64_t tau = geometric_staleness(3, t, workers);
            sum += tau;
            some += tau > 0;
            more += tau > 1;
        }
        // five standard errors: the variance is mu M^2, of a share p it is p (1 - p)
        CHECK(std::abs(static_cast<double>(sum) / kDraws - (workers - 1)) <= 5 * workers * std::sqrt(mu / kDraws));
        CHECK(std::abs(static_cast<double>(some) - kDraws * mu) <= 5 * std::sqrt(kDraws * mu * (1 - mu)));
        CHECK(std::abs(static_cast<double>(more) - static_cast<double>(some) * mu) <=
              5 * std::sqrt(static_cast<double>(some) * mu * (1 - mu)));
    }
}

TEST_CASE("geometric staleness over M workers is, in the mean, momentum 1 - 1/M with step alpha/M") { // oracle 22
    // Each staleness is independent of all models, and gradients of a quadratic are linear, so that the mean m_t follows
    //     m_{t+1} - m_t = -alpha sum_l q_l g(m_{t-l}),    q_l = (1/M) mu^l, mu = 1 - 1/M, and m_{-l} = m_0;
    // since q_l = mu q_{l-1}, that is mu (m_t - m_{t-1}) - (alpha/M) g(m_t), with m_0 - m_{-1} = -alpha g(m_0).
    // Source: Mitliagkas et al. 2016. The mean over seeds is held to five of its standard errors at each of 40 steps.
    // Chance breaks that for one choice of seeds in 40,000. One worker more or fewer is beyond ten.
    constexpr std::uint32_t kWorkers = 4;
    constexpr std::uint64_t kSteps = 40, kSeeds = 20'000;
    constexpr double kAlpha = 0.6 / kCurvature; // curvature x alpha / M = 0.15: underdamped, the path swings
    TestNumbers numbers(22);
    std::vector<float> labels(64);
    double optimum = 0; // labels' mean over the rows' value
    for (float& label : labels) {
        label = 1 + numbers.number();
        optimum += double{label} / kValue / 64;
    }
    const TestSamples samples = one_coordinate(labels);

    std::vector<double> sum(kSteps + 1), squares(kSteps + 1);
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        DelayedSgd<Squared> sgd(samples.view(), {0.0f});
        for (std::uint64_t t = 0; t < kSteps; ++t) {
            sgd.step(numbers.bits() % 64, kAlpha, geometric_staleness(seed, t, kWorkers));
            sum[t + 1] += double{sgd.weight(t + 1, 0)};
            squares[t + 1] += std::pow(double{sgd.weight(t + 1, 0)}, 2);
        }
    }
    // the furthest that the mean is from the momentum of so many workers, in standard errors
    const auto furthest = [&](double workers) {
        double m = 0, change = -kAlpha * kCurvature * (0 - optimum), most = 0;
        for (std::uint64_t t = 0; t < kSteps; ++t) {
            change = (1 - 1 / workers) * change - kAlpha / workers * kCurvature * (m - optimum);
            m += change;
            const double mean = sum[t + 1] / kSeeds, variance = squares[t + 1] / kSeeds - mean * mean;
            most = std::max(most, std::abs(mean - m) / std::sqrt(variance / kSeeds));
        }
        return most;
    };
    CHECK(furthest(kWorkers) < 5);
    CHECK(furthest(kWorkers - 1) > 10);
    CHECK(furthest(kWorkers + 1) > 10);
}
