#include "kernels/patterns/token_windows.h"

#include "kernels/probes/none.h"
#include "kernels/problems/skipgram.h"
#include "kernels/updates/guards/none.h"
#include "kernels/updates/racy.h"
#include "tests/random_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace hogwild;

namespace {

const std::vector<std::vector<double>> kWordModels = {
    {8, 5, 5, 0, 1}, {8, 5, 5, 0, 0}, {13, 3, 2, 0.1, 1}, {1, 1, 1, 0, 0}};

/// The loss of one window, in double.
double loss(const TokenWindow& window, const std::vector<double>& weights) {
    double sum = 0;
    TokenWindows::for_each_pair(window, [&](std::uint32_t input, std::uint32_t output, double label) {
        double product = 0;
        for (std::uint32_t k = 0; k < window.dim; ++k)
            product += weights[input * window.dim + k] * weights[output * window.dim + k];
        sum += std::log1p(std::exp(label > 0 ? -product : product));
    });
    return sum;
}

/// Its gradient by central differences.
std::vector<double> gradient(const TokenWindow& window, const std::vector<float>& at) {
    std::vector<double> weights(at.begin(), at.end()), slopes(at.size());
    window.for_each_coordinate([&](std::uint32_t j) {
        constexpr double kStep = 1e-5;
        const double middle = weights[j];
        weights[j] = middle + kStep;
        const double above = loss(window, weights);
        weights[j] = middle - kStep;
        slopes[j] = (above - loss(window, weights)) / (2 * kStep);
        weights[j] = middle;
    });
    return slopes;
}

void step(const TokensView& data, const std::vector<std::uint32_t>& samples, std::vector<float>& weights, double size) {
    Chunk chunk{
        samples.data(), static_cast<std::uint32_t>(samples.size()), 0, false, weights.data(), 1, 1, 1, size, 2, 9};
    WorkerContext context;
    steps<SkipGram, ScalarLanes, Racy, NoGuard, NoProbe>(data, chunk, context);
}

constexpr std::uint32_t kWords = 14, kPositions = 60;

/// One batch of all positions, its gradients emitted, ready to be applied by any owner.
struct WindowsBatch {
    TestText text = random_text(kPositions, kWords, 20, 5);
    TokensView data;
    std::vector<std::uint32_t> samples, bounds;
    std::vector<float> weights, emitted;

    WindowsBatch(const std::vector<double>& model, std::vector<std::uint32_t> bounds_)
        : data(text.view(model)),
          samples(kPositions),
          bounds(std::move(bounds_)),
          weights(TestNumbers(2).vector<float>(data.coordinates())),
          emitted(kPositions * TokenWindows::emission(data)) {
        std::iota(samples.rbegin(), samples.rend(), 0u); // not as stored
        TokenWindows::emit<SkipGram, ScalarLanes>(data, {samples.data(), kPositions, weights.data(), 1, emitted.data(),
                                                         owners(), bounds.data(), nullptr, 2, 9});
    }

    std::uint32_t owners() const { return static_cast<std::uint32_t>(bounds.size() - 1); }

    void apply(std::uint32_t owner) {
        TokenWindows::apply<ScalarLanes>(data, {samples.data(), kPositions, weights.data(), -0.1f, emitted.data(),
                                                owners(), owner, bounds.data(), nullptr});
    }
};

} // namespace

TEST_CASE(
    "a step is minus the step size times the gradient of the window's loss, and touches nothing else") { // oracle 16
    for (const std::vector<double>& model : kWordModels) {
        CAPTURE(model[0]);
        const TestText text = random_text(50, kWords, 20, 3);
        const TokensView data = text.view(model);
        for (std::uint32_t i = 0; i < data.rows; ++i) {
            const std::vector<float> before = TestNumbers(i).vector<float>(data.coordinates());
            std::vector<float> after = before;
            step(data, {i}, after, 0.125);
            const TokenWindow window = data.window(i, TokenDraws(9, 2));
            const std::vector<double> slopes = gradient(window, before);
            std::vector<bool> touched(before.size());
            window.for_each_coordinate([&](std::uint32_t j) { touched[j] = true; });
            for (std::size_t j = 0; j < before.size(); ++j) {
                if (touched[j])
                    CHECK(after[j] == doctest::Approx(before[j] - 0.125 * slopes[j]).epsilon(1e-5));
                else
                    CHECK(after[j] == before[j]);
            }
        }
    }
}

TEST_CASE("applying adds factor x gradient, summed over the batch, drawn as a step of the epoch draws") { // oracle 13
    for (const std::vector<double>& model : kWordModels) {
        WindowsBatch batch(model, {0, 2 * kWords});
        const std::vector<float> before = batch.weights;
        std::vector<double> expected(before.begin(), before.end()), magnitude(before.size());
        for (const std::uint32_t i : batch.samples) {
            const std::vector<double> slopes = gradient(batch.data.window(i, TokenDraws(9, 2)), before);
            for (std::size_t j = 0; j < slopes.size(); ++j) {
                expected[j] -= 0.1 * slopes[j];
                magnitude[j] += std::abs(slopes[j]);
            }
        }
        batch.apply(0);
        for (std::size_t j = 0; j < before.size(); ++j)
            CHECK(std::abs(batch.weights[j] - expected[j]) <= 1e-5 * (1 + magnitude[j]));
    }
}

TEST_CASE("owners together apply every vector once, each its own only, with the bits of one owner") { // oracle 12
    for (const std::vector<double>& model : kWordModels) {
        WindowsBatch alone(model, {0, 28});
        alone.apply(0);
        for (const std::vector<std::uint32_t>& bounds :
             {std::vector<std::uint32_t>{0, 14, 28}, {0, 1, 1, 20, 28}, {0, 0, 5, 28, 28}}) {
            WindowsBatch shared(model, bounds);
            const std::vector<float> before = shared.weights;
            for (std::uint32_t owner = 0; owner < shared.owners(); ++owner) {
                shared.apply(owner);
                for (std::size_t j = 0; j < before.size(); ++j) {
                    const bool done = j / shared.data.model.dim < bounds[owner + 1];
                    CHECK(shared.weights[j] == (done ? alone.weights[j] : before[j]));
                }
            }
        }
    }
}

TEST_CASE("the mean loss is the mean of the losses of the positions' usual windows") {
    for (const std::vector<double>& model : kWordModels) {
        const TestText text = random_text(50, kWords, 20, 8);
        const TokensView data = text.view(model);
        const std::vector<float> weights = TestNumbers(5).vector<float>(data.coordinates());
        const std::vector<double> wide(weights.begin(), weights.end());
        const std::vector<std::uint32_t> samples{30, 1, 7};
        double expected = 0;
        for (const std::uint32_t i : samples) expected += loss(data.row(i), wide) / 3;
        const auto found = TokenWindows::mean_loss<SkipGram>(data, samples.data(), 3, weights.data(), 1);
        CHECK(found == doctest::Approx(expected).epsilon(1e-6));
        CHECK(TokenWindows::mean_loss<SkipGram>(data, samples.data(), 0, weights.data(), 1) == 0);
    }
}

TEST_CASE("inputs begin within half of one over their size, by the seed; outputs at 0") {
    const TestText text = random_text(2'000, 200, 20, 1);
    const TokensView data = text.view({16, 5, 5, 0, 1});
    double squares = 0;
    for (std::uint32_t j = 0; j < 3'200; ++j) {
        const float weight = TokenWindows::initial(data, 7, j);
        CHECK(std::abs(weight) <= 0.5f / 16);
        squares += double{weight} * double{weight};
    }
    CHECK(squares / 3'200 == doctest::Approx(1.0 / 12 / 256).epsilon(0.1));
    for (std::uint32_t j = 3'200; j < data.coordinates(); ++j) CHECK(TokenWindows::initial(data, 7, j) == 0);
    CHECK(TokenWindows::initial(data, 7, 3) != TokenWindows::initial(data, 8, 3));
}

TEST_CASE("the slope is the value's derivative, and large products of either sign overflow nothing") {
    for (const double label : {0.0, 1.0}) {
        for (const double product : {-30.0, -2.0, 0.0, 0.5, 7.0}) {
            const double difference =
                (SkipGram::value(product + 1e-6, label) - SkipGram::value(product - 1e-6, label)) / 2e-6;
            CHECK(SkipGram::slope(product, label) == doctest::Approx(difference).epsilon(1e-6));
        }
        CHECK(std::isfinite(SkipGram::value(1e6f, static_cast<float>(label))));
        CHECK(std::isfinite(SkipGram::slope(-1e6f, static_cast<float>(label))));
    }
    CHECK(SkipGram::value(0.0, 1.0) == doctest::Approx(std::log(2.0)));
}
