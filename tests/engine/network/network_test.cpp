#include "engine/network/network.h"

#include "engine/memory/pages.h"
#include "kernels/catalog.h"
#include "kernels/kernels.h"
#include "tests/random_images.h"
#include "tests/references/network_reference.h"
#include "tests/references/network_rounding.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <vector>

using namespace hogwild;

namespace {

constexpr MapShape kShape{9, 8, 2};
constexpr std::uint32_t kClasses = 5;

const char* const kNetworks[] = {
    "dense 5",
    "dense 7 relu; dense 5",
    "dense 6 tanh; dropout 0.4; dense 9 sigmoid; dense 5",
    "conv 3 3 relu; maxpool 2; dense 5",
    "conv 4 3 pad 1 tanh; meanpool 2; conv 3 2 sigmoid; dense 6 relu; dense 5",
    "maxpool 3 stride 2; conv 2 2 stride 2 relu; dense 5",
    "meanpool 2; dropout 0.2; conv 5 3 pad 2 relu; dense 5",
    "conv 18 3 pad 1 sigmoid; maxpool 2; conv 9 2 relu; maxpool 2; dense 5", // pairs that go as one layer
    "dropout 0.2; conv 3 2 tanh; maxpool 3; dense 5",
    "conv 3 3; batchnorm relu; maxpool 2; dense 6; batchnorm tanh; dense 5",
    "batchnorm; conv 2 2 stride 2 tanh; batchnorm; dense 5",
    "dense 70; batchnorm sigmoid; dense 5", // more channels than are normalised at a time
};

/// Weights as a run begins with, but for those at 0 and 1. These are moved away so that no unit rests on a kink and no
// two channels are alike.
std::vector<float> weights_of(const ImagesView& data) {
    std::vector<float> weights;
    for (std::uint32_t j = 0; j < data.coordinates(); ++j) {
        const float initial = ImageBatches::initial(data, 3, j);
        weights.push_back(initial == 0   ? 0.01f * static_cast<float>(j % 7 + 1)
                          : initial == 1 ? 0.8f + 0.1f * static_cast<float>(j % 7)
                                         : initial);
    }
    return weights;
}

/// What a step of size 1 subtracts by the reference.
struct ReferenceStep {
    std::vector<double> change;
    double sharpness = 1; // by how much normalisation makes rounding errors larger
};

/// Ghost batches are of 16 images, the last of what remains; running statistics go a twentieth of the way to the batch's.
ReferenceStep reference_step(const ImagesView& data, const DropoutDraws& draws,
                             const std::vector<std::uint32_t>& samples, const std::vector<double>& weights) {
    NetworkReference reference(data, draws);
    ReferenceStep step{std::vector<double>(weights.size())};
    for (std::size_t begin = 0, end = 0; begin < samples.size(); begin = end) {
        end = samples.size() - begin < 32 ? samples.size() : begin + 16;
        const std::vector<std::uint32_t> ghost(samples.data() + begin, samples.data() + end);
        const double share = static_cast<double>(ghost.size()) / static_cast<double>(samples.size());
        reference.loss(ghost, weights);
        const std::vector<double> gradient = reference.gradient(weights);
        for (std::size_t j = 0; j < weights.size(); ++j)
            step.change[j] += gradient[j] / static_cast<double>(samples.size());
        double sharpness = 1;
        for (std::uint32_t l = 0; l < data.network().count; ++l) {
            const Layer& layer = data.network().layers[l];
            if (!layer.normalises() || ghost.size() * layer.out.places() == 1) continue;
            double least = 1;
            for (std::uint32_t j = layer.weights + 2 * layer.out.channels; j < layer.end(); ++j) {
                step.change[j] += 0.05 * share * (weights[j] - reference.measured()[j]);
                if (j >= layer.end() - layer.out.channels) least = std::min(least, reference.measured()[j]);
            }
            sharpness /= std::sqrt(least + 1e-5);
        }
        step.sharpness = std::max(step.sharpness, sharpness);
    }
    return step;
}

/// Steps of one worker. Racy ones are the library's, whose vector loops take long to compile.
template <class Lanes, class Update = Racy>
void step(const ImagesView& data, const std::vector<std::uint32_t>& samples, std::uint32_t batch,
          std::vector<float>& weights, double size, bool copies = false) {
    PageArray<float> scratch(ImageBatches::step_scratch(data, batch, copies));
    std::ranges::fill(scratch.span(), NAN); // nobody may count on zeros
    WorkerContext context;
    context.scratch = scratch.span();
    context.copies = copies;
    Chunk chunk{
        samples.data(), static_cast<std::uint32_t>(samples.size()), 0, false, weights.data(), 1, 1, 1, size, 2, 9,
        batch};
    if constexpr (std::is_same_v<Update, Racy>) {
        constexpr auto set =
            std::ranges::find(kInstructionSetNames, Lanes::name) - std::ranges::begin(kInstructionSetNames);
        kernels_of<Network>()
            .steps[catalog::find<Updates>(Racy::name)][catalog::find<Guards>(NoGuard::name)][0]
            .by_set[set](data, chunk, context);
    } else {
        steps<Network, Lanes, Update, NoGuard, NoProbe>(data, chunk, context);
    }
}

std::vector<std::uint32_t> first(std::uint32_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

/// Racy, and remembers where each row that it wrote begins.
struct Watched : Racy {
    using Racy::Racy;
    static inline std::vector<const float*> rows;

    template <class Lanes>
    void add_dense(float* weights, const float* row, std::uint32_t size, float scale) const {
        rows.push_back(weights);
        Racy::add_dense<Lanes>(weights, row, size, scale);
    }
};

double largest(const std::vector<double>& numbers) {
    double most = 0;
    for (const double number : numbers) most = std::max(most, std::abs(number));
    return most;
}

} // namespace

TEST_CASE("the reference's gradient is that of central differences, for every kind of layer") {
    const RandomImages images(3, kShape, kClasses);
    for (const char* const text : kNetworks) {
        CAPTURE(text);
        const ImagesView data = images.view(network_of(text, kShape, kClasses));
        const std::vector<float> floats = weights_of(data);
        std::vector<double> weights(floats.begin(), floats.end());
        const DropoutDraws draws{9, 2, true};
        NetworkReference reference(data, draws);
        for (const std::vector<std::uint32_t>& samples : {std::vector{0u}, std::vector{1u, 2u}, first(3)}) {
            reference.loss(samples, weights);
            const std::vector<double> gradient = reference.gradient(weights);
            const double most = largest(gradient);
            for (std::size_t j = 0; j < weights.size(); j += 1 + weights.size() / 150) {
                constexpr double kStep =
                    1e-5; // error of the difference: step^2 / 6 x third derivative, and rounding / step
                const double middle = weights[j];
                weights[j] = middle + kStep;
                const double above = reference.loss(samples, weights);
                weights[j] = middle - kStep;
                const double below = reference.loss(samples, weights);
                weights[j] = middle;
                CHECK(std::abs((above - below) / (2 * kStep) - gradient[j]) <= 1e-7 * std::max(1.0, most));
            }
        }
    }
}

TEST_CASE("a step subtracts step x the mean gradient of its batch, within rounding") {
    const RandomImages images(35, kShape, kClasses);
    for (const char* const text : kNetworks) {
        for (const std::uint32_t batch : {1u, 3u, 8u, 35u}) {
            CAPTURE(text);
            CAPTURE(batch);
            const ImagesView data = images.view(network_of(text, kShape, kClasses));
            const std::vector<float> before = weights_of(data);
            std::vector<float> after = before;
            const std::vector<std::uint32_t> samples = first(batch);
            step<ScalarLanes>(data, samples, batch, after, 1.0);
            const ReferenceStep expected = reference_step(data, {9, 2, true}, samples, {before.begin(), before.end()});
            const double bound = expected.sharpness * step_rounding(data.network(), batch, largest(expected.change));
            // One constant of the bound is not derived: magnitudes of the order of 1 (tests/references/network_rounding.h).
            for (std::size_t j = 0; j < before.size(); ++j)
                CHECK(std::abs((double{before[j]} - double{after[j]}) - expected.change[j]) <= bound);
        }
    }
}

TEST_CASE("a step writes the rows of inputs that some image of its batch has, each once, and no other") {
    const RandomImages images(35, kShape, kClasses);
    const ImagesView data = images.view(network_of("dense 7 tanh; dense 5", kShape, kClasses));
    const Layer &hidden = data.network().layers[0], &last = data.network().layers[1];
    for (const std::uint32_t batch : {1u, 2u, 3u}) {
        CAPTURE(batch);
        std::vector<float> weights = weights_of(data);
        std::vector<const float*> expected;
        for (std::uint32_t k = 0; k < hidden.depth; ++k) {
            const auto has = [&](std::uint32_t i) { return images.pixels[i * kShape.size() + k] != 0; };
            if (std::ranges::any_of(first(batch), has)) expected.push_back(&weights[hidden.weights + k * 7]);
        }
        CHECK(expected.size() < hidden.depth);
        expected.push_back(&weights[hidden.weights + hidden.depth * 7]); // biases
        for (std::uint32_t k = 0; k <= last.depth; ++k) expected.push_back(&weights[last.weights + k * 5]);
        Watched::rows.clear();
        step<ScalarLanes, Watched>(data, first(batch), batch, weights, 1.0);
        std::ranges::sort(Watched::rows);
        CHECK(Watched::rows == expected);
    }
}

TEST_CASE("every instruction set walks the same path, and so do steps from a copy") {
    const RandomImages images(37, kShape, kClasses);
    for (const char* const text : kNetworks) {
        CAPTURE(text);
        const ImagesView data = images.view(network_of(text, kShape, kClasses));
        const std::vector<std::uint32_t> samples = first(37);
        for (const std::uint32_t batch : {1u, 5u, 37u}) {
            std::vector<float> scalar = weights_of(data), other = scalar;
            step<ScalarLanes>(data, samples, batch, scalar, 0.05);
            const auto equal = [&](const std::vector<float>& weights) { return std::ranges::equal(weights, scalar); };
            step<ScalarLanes>(data, samples, batch, other, 0.05, true);
            CHECK(equal(other));
#if HOGWILD_VECTOR_LANES
            if (best_instruction_set() >= InstructionSet::kAvx2) {
                std::vector<float> avx2 = weights_of(data), copied = avx2;
                step<Avx2Lanes>(data, samples, batch, avx2, 0.05);
                step<Avx2Lanes>(data, samples, batch, copied, 0.05, true);
                CHECK(equal(avx2));
                CHECK(equal(copied));
            }
            if (best_instruction_set() >= InstructionSet::kAvx512) {
                std::vector<float> avx512 = weights_of(data), copied = avx512;
                step<Avx512Lanes>(data, samples, batch, avx512, 0.05);
                step<Avx512Lanes>(data, samples, batch, copied, 0.05, true);
                CHECK(equal(avx512));
                CHECK(equal(copied));
            }
#endif
        }
    }
}

TEST_CASE("a synchronous step is a worker's step on the same batch, for any number of owners") {
    const RandomImages images(40, kShape, kClasses);
    for (const char* const text : kNetworks) {
        for (const float l2 : {0.0f, 0.01f}) {
            CAPTURE(text);
            ImagesView data = images.view(network_of(text, kShape, kClasses));
            data.l2 = l2;
            const std::vector<std::uint32_t> samples = first(40);
            std::vector<float> expected = weights_of(data);
            step<ScalarLanes>(data, samples, 40, expected, 0.1);
            std::vector<float> scratch(ImageBatches::scratch(data)), tape(40 * NetworkTape::size(data));
            const std::vector<float> before = weights_of(data);
            for (const std::uint32_t begin : {0u, 16u}) { // two workers emit whole ghost batches
                BatchEmit emit{};
                emit.samples = samples.data() + begin;
                emit.count = begin == 0 ? 16 : 24;
                emit.weights = before.data();
                emit.emitted = tape.data() + begin * NetworkTape::size(data);
                emit.epoch = 2;
                emit.seed = 9;
                emit.scratch = scratch.data();
                ImageBatches::emit<Network, ScalarLanes>(data, emit);
            }
            for (const std::uint32_t owners : {1u, 2u, 5u}) {
                std::vector<float> weights = before;
                std::vector<std::uint32_t> bounds;
                for (std::uint32_t o = 0; o <= owners; ++o) bounds.push_back(data.groups() * o / owners);
                for (std::uint32_t o = 0; o < owners; ++o) {
                    BatchApply apply{};
                    apply.samples = samples.data();
                    apply.count = 40;
                    apply.weights = weights.data();
                    apply.factor = static_cast<float>(-0.1 / 40);
                    apply.emitted = tape.data();
                    apply.owners = owners;
                    apply.owner = o;
                    apply.bounds = bounds.data();
                    apply.scratch = scratch.data();
                    ImageBatches::apply<ScalarLanes>(data, apply);
                }
                CHECK(std::ranges::equal(weights, expected));
            }
        }
    }
}

TEST_CASE("outside of training an image's scores are the reference's by running statistics, whatever goes beside it") {
    const RandomImages images(9, kShape, kClasses);
    for (const char* const text : kNetworks) {
        CAPTURE(text);
        const ImagesView data = images.view(network_of(text, kShape, kClasses));
        const std::vector<float> weights = weights_of(data);
        PageArray<float> memory(9 * NetworkTape::size(data) + NetworkPass::windows(data));
        const NetworkPass pass(data, {}, memory.data(), memory.data() + 9 * NetworkTape::size(data));
        const auto losses = [&](const std::vector<std::uint32_t>& samples) {
            pass.forward<ScalarLanes>({samples.data(), static_cast<std::uint32_t>(samples.size()), 0, 0},
                                      weights.data());
            std::vector<double> of;
            for (std::uint32_t i = 0; i < samples.size(); ++i)
                of.push_back(ImageBatches::loss_of<Network>(data, pass.tape().scores(i), samples[i]));
            return of;
        };
        const std::vector<double> together = losses(first(9));
        NetworkReference reference(data, {});
        for (std::uint32_t i = 0; i < 9; ++i) {
            CHECK(losses({i}).at(0) == together[i]);
            const double expected = reference.loss({i}, {weights.begin(), weights.end()});
            CHECK(std::abs(together[i] - expected) <= chain(data.network(), 1) * 0x1p-24 * std::max(1.0, expected));
        }
    }
}

TEST_CASE("a convolution and its pooling have the bits of two layers one by one") {
    struct Pair {
        MapShape shape;
        const char *one, *two; // two: a dropout between them that drops nothing
    };
    const Pair pairs[] = {
        {{9, 8, 2}, "conv 3 3 relu; maxpool 2; dense 5", "conv 3 3 relu; dropout 0.5; maxpool 2; dense 5"},
        {{9, 8, 2}, "conv 17 2; maxpool 3; dense 5", "conv 17 2; dropout 0.5; maxpool 3; dense 5"},
        {{28, 28, 1},
         "conv 6 5 relu; maxpool 2; conv 16 5 relu; maxpool 2; dense 20 relu; dense 5",
         "conv 6 5 relu; dropout 0.5; maxpool 2; conv 16 5 relu; dropout 0.5; maxpool 2; dense 20 relu; dense 5"},
        {{19, 16, 1},
         "conv 66 3 pad 1 tanh; maxpool 3; conv 35 4 sigmoid; maxpool 2; dense 5",
         "conv 66 3 pad 1 tanh; dropout 0.5; maxpool 3; conv 35 4 sigmoid; dropout 0.5; maxpool 2; dense 5"},
        {{17, 15, 3},
         "conv 5 2; maxpool 2; conv 9 7 relu; dense 5",
         "conv 5 2; dropout 0.5; maxpool 2; conv 9 7 relu; dense 5"},
    };
    for (const Pair& pair : pairs) {
        CAPTURE(pair.one);
        const RandomImages images(19, pair.shape, kClasses);
        const ImagesView one = images.view(network_of(pair.one, pair.shape, kClasses));
        NetworkShape without = network_of(pair.two, pair.shape, kClasses);
        for (Layer& layer : without.layers) layer.rate = 0;
        const ImagesView two = images.view(without);
        for (const std::uint32_t batch : {1u, 19u}) {
            const std::vector<std::uint32_t> samples = first(std::max(3u, batch));
            std::vector<float> expected = weights_of(two);
            step<ScalarLanes>(two, samples, batch, expected, 0.05);
            const auto walks = [&](auto lanes) {
                std::vector<float> weights = weights_of(one);
                step<decltype(lanes)>(one, samples, batch, weights, 0.05);
                CHECK(std::ranges::equal(weights, expected));
            };
            walks(ScalarLanes{});
#if HOGWILD_VECTOR_LANES
            if (best_instruction_set() >= InstructionSet::kAvx2) walks(Avx2Lanes{});
            if (best_instruction_set() >= InstructionSet::kAvx512) walks(Avx512Lanes{});
#endif
        }
    }
}

TEST_CASE("of equal places the first one wins, and NaN is not lost in pooling") {
    constexpr MapShape shape{6, 6, 1};
    const RandomImages images(8, shape, kClasses);
    const ImagesView one = images.view(network_of("conv 2 1; maxpool 2; dense 5", shape, kClasses));
    NetworkShape without = network_of("conv 2 1; dropout 0.5; maxpool 2; dense 5", shape, kClasses);
    without.layers[1].rate = 0;
    const ImagesView two = images.view(without);
    std::vector<float> equal = weights_of(two), expected = equal;
    equal[0] = expected[0] = 0; // a filter with one sum at all places
    step<ScalarLanes>(two, first(8), 8, expected, 0.05);
    std::vector<float> infinite = weights_of(two);
    infinite[1] = INFINITY; // a filter with NaN where the image is 0
    const auto pooled = [&](const ImagesView& data, std::uint32_t layer, auto lanes) {
        const std::vector<std::uint32_t> samples = first(8);
        PageArray<float> memory(8 * NetworkTape::size(data) + NetworkPass::windows(data));
        const NetworkPass pass(data, {9, 2, true}, memory.data(), memory.data() + 8 * NetworkTape::size(data));
        pass.forward<decltype(lanes)>({samples.data(), 8, 0, 0}, infinite.data());
        std::vector<int> kinds; // of numbers, as one NaN is like another
        for (std::uint32_t i = 0; i < 8; ++i) {
            const float* const out = pass.tape().output(i, layer);
            std::transform(out, out + 18, std::back_inserter(kinds), [](float x) { return std::fpclassify(x); });
        }
        return kinds;
    };
    const std::vector<int> kinds = pooled(two, 2, ScalarLanes{});
    REQUIRE(std::ranges::count(kinds, FP_NAN) > 0);
    REQUIRE(std::ranges::count(kinds, FP_INFINITE) > 0);
    const auto check = [&](auto lanes) {
        std::vector<float> weights = equal;
        step<decltype(lanes)>(one, first(8), 8, weights, 0.05);
        CHECK(std::ranges::equal(weights, expected));
        CHECK(std::ranges::equal(pooled(one, 1, lanes), kinds));
    };
    check(ScalarLanes{});
#if HOGWILD_VECTOR_LANES
    if (best_instruction_set() >= InstructionSet::kAvx2) check(Avx2Lanes{});
    if (best_instruction_set() >= InstructionSet::kAvx512) check(Avx512Lanes{});
#endif
}

TEST_CASE("nobody makes slopes along the inputs of the first layer with weights") {
    for (const char* const text : {"conv 3 3 pad 1 relu; maxpool 2; dense 5", "dropout 0.2; conv 2 2; dense 5",
                                   "dropout 0.3; dense 5", "maxpool 2; batchnorm; dense 5"}) {
        CAPTURE(text);
        const RandomImages images(3, kShape, kClasses);
        const ImagesView data = images.view(network_of(text, kShape, kClasses));
        const std::vector<float> weights = weights_of(data);
        const std::vector<std::uint32_t> samples = first(3);
        PageArray<float> memory(3 * NetworkTape::size(data) + NetworkPass::windows(data));
        std::ranges::fill(memory.span(), NAN);
        const NetworkPass pass(data, {9, 2, true}, memory.data(), memory.data() + 3 * NetworkTape::size(data));
        const ImageBatch batch{samples.data(), 3, data.groups(), data.coordinates()};
        pass.forward<ScalarLanes>(batch, weights.data());
        pass.back<Network, ScalarLanes>(batch, weights.data());
        REQUIRE(data.network().layers[0].rows() == 0);
        for (std::uint32_t i = 0; i < 3; ++i) {
            const float* const slopes = pass.tape().slopes(i, 0);
            CHECK(std::all_of(slopes, slopes + data.network().layers[0].out.size(),
                              [](float slope) { return std::isnan(slope); }));
            CHECK(std::isfinite(*pass.tape().slopes(i, data.network().count - 1)));
        }
    }
}

TEST_CASE("ghost batches are of 16 images, the last of what remains") {
    const auto sizes = [](std::uint32_t count) {
        std::vector<std::uint32_t> all;
        BatchNorm::for_each_ghost(count, [&](const BatchNorm::Ghost& ghost) { all.push_back(ghost.size()); });
        return all;
    };
    using Sizes = std::vector<std::uint32_t>;
    CHECK(sizes(0).empty());
    CHECK(sizes(1) == Sizes{1});
    CHECK(sizes(31) == Sizes{31});
    CHECK(sizes(32) == Sizes{16, 16});
    CHECK(sizes(64) == Sizes(4, 16));
    CHECK(sizes(65) == Sizes{16, 16, 16, 17});
}

TEST_CASE("a channel of a single value says beta, and moves nothing that runs") {
    const RandomImages images(1, kShape, kClasses);
    const ImagesView data = images.view(network_of("dense 3; batchnorm; dense 5", kShape, kClasses));
    std::vector<float> weights = weights_of(data);
    const std::vector<float> before = weights;
    step<ScalarLanes>(data, {0}, 1, weights, 1.0);
    const Layer &dense = data.network().layers[0], &norm = data.network().layers[1];
    CHECK(std::equal(before.begin(), before.begin() + dense.end(), weights.begin()));
    CHECK(std::equal(before.begin() + norm.weights, before.begin() + norm.weights + 3, weights.begin() + norm.weights));
    CHECK(weights[norm.weights + 3] != before[norm.weights + 3]); // beta
    CHECK(
        std::equal(before.begin() + norm.weights + 6, before.begin() + norm.end(), weights.begin() + norm.weights + 6));
}

TEST_CASE("rows of all layers follow one another") {
    for (const char* const text : kNetworks) {
        const NetworkShape network = network_of(text, kShape, kClasses);
        std::uint32_t coordinate = 0, group = 0, output = 0;
        for (std::uint32_t l = 0; l < network.count; ++l) {
            const Layer& layer = network.layers[l];
            if (l > 0) CHECK(layer.in == network.layers[l - 1].out);
            CHECK(layer.weights == coordinate);
            CHECK(layer.group == group);
            CHECK(layer.output == output);
            coordinate += layer.rows() * layer.out.channels;
            group += layer.rows();
            output += layer.out.size();
        }
        CHECK(coordinate == network.coordinates);
        CHECK(group == network.groups);
        CHECK(output == network.activations);
    }
}
