#include "kernels/patterns/factor_pairs.h"

#include "kernels/probes/none.h"
#include "kernels/problems/factorization.h"
#include "kernels/updates/guards/none.h"
#include "kernels/updates/racy.h"
#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace hogwild;

namespace {

constexpr FactorModel kModels[] = {
    {8, true, 3.5f, 0.02f}, {8, false, 3.5f, 0.02f}, {13, true, 0.0f, 0.0f}, {1, false, 0.0f, 0.5f}};

/// The loss of one rating with its share of the regulariser, in double.
double loss(const RatingsView& data, std::uint64_t i, const std::vector<double>& weights) {
    const FactorPair pair = data.row(i);
    double prediction = 0, squares = 0;
    for (std::uint32_t k = 0; k < pair.rank; ++k) prediction += weights[pair.user + k] * weights[pair.item + k];
    if (pair.biased) prediction += double{data.model.mean} + weights[pair.user_bias] + weights[pair.item_bias];
    pair.for_each_coordinate([&](std::uint32_t j) { squares += weights[j] * weights[j]; });
    const double residual = prediction - double{pair.rating};
    return 0.5 * residual * residual + 0.5 * double{data.model.l2} * squares;
}

/// Its gradient by central differences: exact for a polynomial but for rounding and the fourth order of the product.
std::vector<double> gradient(const RatingsView& data, std::uint64_t i, const std::vector<float>& at) {
    std::vector<double> weights(at.begin(), at.end()), slopes(at.size());
    data.row(i).for_each_coordinate([&](std::uint32_t j) {
        constexpr double kStep = 1e-5;
        const double middle = weights[j];
        weights[j] = middle + kStep;
        const double above = loss(data, i, weights);
        weights[j] = middle - kStep;
        slopes[j] = (above - loss(data, i, weights)) / (2 * kStep);
        weights[j] = middle;
    });
    return slopes;
}

void step(const RatingsView& data, const std::vector<std::uint32_t>& samples, std::vector<float>& weights,
          double size) {
    Chunk chunk{
        samples.data(), static_cast<std::uint32_t>(samples.size()), 0, false, weights.data(), 1, 1, 1, size, 0, 1};
    WorkerContext context;
    steps<Factorization, ScalarLanes, Racy, NoGuard, NoProbe>(data, chunk, context);
}

/// One batch of all ratings, its gradients emitted, ready to be applied by any owner.
struct RatingsBatch {
    TestRatings ratings;
    std::vector<std::uint32_t> samples;
    std::vector<float> weights;
    std::vector<float> emitted;
    std::vector<std::uint32_t> bounds;

    RatingsBatch(const FactorModel& model, std::vector<std::uint32_t> bounds_)
        : ratings(random_ratings(60, 9, 7, model, 5)),
          samples(60),
          weights(TestNumbers(2).vector<float>(ratings.view().coordinates())),
          emitted(60 * FactorPairs::emission(ratings.view())),
          bounds(std::move(bounds_)) {
        std::iota(samples.rbegin(), samples.rend(), 0u); // not as stored
        FactorPairs::emit<Factorization, ScalarLanes>(
            ratings.view(), {samples.data(), 60, weights.data(), 1, emitted.data(), owners(), bounds.data(), nullptr});
    }

    std::uint32_t owners() const { return static_cast<std::uint32_t>(bounds.size() - 1); }

    void apply(std::uint32_t owner) {
        FactorPairs::apply<ScalarLanes>(ratings.view(), {samples.data(), 60, weights.data(), -0.1f, emitted.data(),
                                                         owners(), owner, bounds.data(), nullptr});
    }
};

} // namespace

TEST_CASE(
    "a step is minus the step size times the gradient of the rating's loss, and touches nothing else") { // oracle 16
    for (const FactorModel& model : kModels) {
        CAPTURE(model.rank);
        const TestRatings ratings = random_ratings(40, 6, 5, model, 3);
        const RatingsView data = ratings.view();
        for (std::uint32_t i = 0; i < data.rows; ++i) {
            const std::vector<float> before = TestNumbers(i).vector<float>(data.coordinates());
            std::vector<float> after = before;
            step(data, {i}, after, 0.125);
            const std::vector<double> slopes = gradient(data, i, before);
            std::vector<bool> touched(before.size());
            data.row(i).for_each_coordinate([&](std::uint32_t j) { touched[j] = true; });
            for (std::size_t j = 0; j < before.size(); ++j) {
                if (touched[j])
                    CHECK(after[j] == doctest::Approx(before[j] - 0.125 * slopes[j]).epsilon(1e-5));
                else
                    CHECK(after[j] == before[j]);
            }
        }
    }
}

TEST_CASE("both rows of a pair move from one reading: neither sees the other's new factors") {
    const FactorModel model{1, false, 0, 0};
    TestRatings ratings{{{0, 0, 3.0f}}, 1, 1, model};
    std::vector<float> weights{1.0f, 2.0f}; // residual 2 - 3 = -1
    step(ratings.view(), {0}, weights, 0.5);
    CHECK(weights == std::vector<float>{1.0f + 0.5f * 2.0f, 2.0f + 0.5f * 1.0f});
}

TEST_CASE("a group with more ratings than the model damps above takes steps of sqrt(N / n)") {
    const FactorModel model{32, true, 3, 0.02f, 1}; // above 1 rating
    const float of_users[] = {1, 0.5f}, of_items[] = {0.25f};
    const TestRatings ratings{{{0, 0, 1.5f}, {1, 0, 4.5f}}, 2, 1, model};
    RatingsView data = ratings.view();
    RatingsView plain = data;
    data.user_rarities = {of_users, 2};
    data.item_rarities = {of_items, 1};
    plain.model.root_damp = 0;
    const std::vector<float> before(data.coordinates(), 0.25f);
    for (const std::uint32_t i : {0u, 1u}) {
        std::vector<float> after = before, undamped = before;
        step(data, {i}, after, 0.125);
        step(plain, {i}, undamped, 0.125);
        const FactorPair pair = data.row(i);
        for (std::size_t j = 0; j < before.size(); ++j) {
            const bool item = j >= pair.item && j < pair.item + 32, items = item || j == pair.item_bias;
            const float share = items ? 0.25f : of_users[i]; // powers of two, that no rounding changes but the sum's
            CHECK(after[j] - before[j] == doctest::Approx(share * (undamped[j] - before[j])).epsilon(1e-5));
        }
        float emitted[66], plainly[66];
        FactorPairs::emit<Factorization, ScalarLanes>(data, {&i, 1, before.data(), 1, emitted, 1, nullptr, nullptr});
        FactorPairs::emit<Factorization, ScalarLanes>(plain, {&i, 1, before.data(), 1, plainly, 1, nullptr, nullptr});
        for (std::uint32_t k = 0; k < 66; ++k) {
            const bool item = (k >= 32 && k < 64) || k == 65;
            CHECK(emitted[k] == (item ? 0.25f : of_users[i]) * plainly[k]);
        }
    }
}

TEST_CASE("applying adds factor x gradient, summed over the batch") { // oracle 13
    for (const FactorModel& model : kModels) {
        RatingsBatch batch(model, {0, 16});
        const std::vector<float> before = batch.weights;
        std::vector<double> expected(before.begin(), before.end()), magnitude(before.size());
        for (const std::uint32_t i : batch.samples) {
            const std::vector<double> slopes = gradient(batch.ratings.view(), i, before);
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

TEST_CASE("owners together apply every group once, each its own only, with the bits of one owner") { // oracle 12
    for (const FactorModel& model : kModels) {
        RatingsBatch alone(model, {0, 16});
        alone.apply(0);
        for (const std::vector<std::uint32_t>& bounds :
             {std::vector<std::uint32_t>{0, 9, 16}, {0, 1, 1, 12, 16}, {0, 0, 5, 16, 16}}) {
            RatingsBatch shared(model, bounds);
            const std::vector<float> before = shared.weights;
            for (std::uint32_t owner = 0; owner < shared.owners(); ++owner) {
                shared.apply(owner);
                for (std::uint32_t g = 0; g < 16; ++g) {
                    const std::vector<float>& same = g < bounds[owner + 1] ? alone.weights : before;
                    for (std::uint32_t k = 0; k < model.rank; ++k)
                        CHECK(shared.weights[g * model.rank + k] == same[g * model.rank + k]);
                    if (model.biased) CHECK(shared.weights[16 * model.rank + g] == same[16 * model.rank + g]);
                }
            }
        }
    }
}

TEST_CASE("the mean loss is the mean of the losses, each with its share of the regulariser") {
    for (const FactorModel& model : kModels) {
        const TestRatings ratings = random_ratings(10, 6, 5, model, 8);
        const std::vector<float> weights = TestNumbers(5).vector<float>(ratings.view().coordinates());
        const std::vector<double> wide(weights.begin(), weights.end());
        const std::vector<std::uint32_t> samples{3, 1, 7};
        double expected = 0;
        for (const std::uint32_t i : samples) expected += loss(ratings.view(), i, wide) / 3;
        const auto found = FactorPairs::mean_loss<Factorization>(ratings.view(), samples.data(), 3, weights.data(), 1);
        CHECK(found == doctest::Approx(expected).epsilon(1e-6));
        CHECK(FactorPairs::mean_loss<Factorization>(ratings.view(), samples.data(), 0, weights.data(), 1) == 0);
    }
}

TEST_CASE("factors begin small, apart and by the seed; biases at 0") {
    const TestRatings ratings = random_ratings(10, 600, 500, {16, true, 0, 0}, 1);
    const RatingsView data = ratings.view();
    const float most = 1 / std::sqrt(10.0f * 16);
    std::vector<float> first;
    double sum = 0, squares = 0;
    for (std::uint32_t j = 0; j < 1'100 * 16; ++j) {
        first.push_back(FactorPairs::initial(data, 7, j));
        CHECK(std::abs(first.back()) <= most);
        sum += first.back();
        squares += first.back() * first.back();
    }
    const double deviation = most / std::sqrt(3.0), count = static_cast<double>(first.size());
    CHECK(std::abs(sum / count) < 5 * deviation / std::sqrt(count));
    CHECK(squares / count == doctest::Approx(deviation * deviation).epsilon(0.05));
    for (std::uint32_t j = 1'100 * 16; j < data.coordinates(); ++j) CHECK(FactorPairs::initial(data, 7, j) == 0);
    CHECK(FactorPairs::initial(data, 7, 3) == first[3]);
    CHECK(FactorPairs::initial(data, 8, 3) != first[3]);
    std::ranges::sort(first);
    CHECK(first.end() - std::unique(first.begin(), first.end()) < 20);
}
