#include "engine/record/image_predictions.h"

#include "engine/machine/parallel.h"
#include "engine/network/network.h"
#include "engine/record/evaluate.h"
#include "tests/random_images.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace hogwild;

namespace {

struct Given {
    RandomImages images{1'300, {8, 8, 1}, 4};
    ImagesView data = images.view(network_of("conv 3 3 relu; batchnorm; dropout 0.3; dense 4", images.shape, 4));
    std::vector<float> weights = TestNumbers(3).vector<float>(data.coordinates());
};

} // namespace

TEST_CASE("what is predicted of images has the loss and the errors of a run's evaluation, at any number of threads") {
    const Given given;
    const float* const weights = given.weights.data();
    const Losses losses = evaluate("network", given.data, {&weights, 1})[0];
    const unsigned before = parallelism();
    for (const unsigned threads : {1u, 3u}) {
        set_parallelism(threads);
        const ImagePredictions all = image_predictions(given.data, given.weights);
        CHECK(all.mean_loss == losses.mean_loss);
        const auto rows = static_cast<double>(given.data.rows);
        CHECK(static_cast<double>(given.data.rows - all.right) / rows == losses.scores[0]);
    }
    set_parallelism(before);
}

TEST_CASE("every image has its own scores, and the class of the largest, the first of equals") {
    const Given given;
    const ImagePredictions all = image_predictions(given.data, given.weights);
    REQUIRE(all.classes.size() == given.data.rows);
    REQUIRE(all.scores.size() == given.data.rows * 4);
    std::uint64_t right = 0;
    for (std::uint64_t i = 0; i < given.data.rows; ++i) {
        const auto scores = all.scores.begin() + static_cast<std::ptrdiff_t>(4 * i);
        REQUIRE(all.classes[i] == static_cast<std::uint32_t>(std::max_element(scores, scores + 4) - scores));
        right += all.classes[i] == given.images.labels[i];
        if (i % 100 != 0) continue;
        ImagesView alone = given.data;
        alone.pixels += i * alone.shape.size();
        alone.labels += i;
        alone.rows = 1;
        CHECK(std::equal(scores, scores + 4, image_predictions(alone, given.weights).scores.begin()));
    }
    CHECK(all.right == right);
    const std::vector<float> zero(given.weights.size());
    const std::vector<std::uint32_t> first = image_predictions(given.data, zero).classes;
    CHECK(std::ranges::count(first, 0u) == static_cast<std::ptrdiff_t>(first.size()));
}

TEST_CASE("more images than a run's evaluation looks at are all predicted") {
    const RandomImages images(20'100, {2, 2, 1}, 3);
    const ImagesView data = images.view(network_of("dense 3", images.shape, 3));
    const auto weights = TestNumbers(4).vector<float>(data.coordinates());
    const ImagePredictions all = image_predictions(data, weights);
    ImagesView half = data;
    half.pixels += 10'050 * data.shape.size();
    half.labels += 10'050;
    half.rows = 10'050;
    const ImagePredictions rest = image_predictions(half, weights);
    CHECK(std::equal(rest.scores.begin(), rest.scores.end(), all.scores.begin() + 3 * 10'050));
    CHECK(std::equal(rest.classes.begin(), rest.classes.end(), all.classes.begin() + 10'050));
}
