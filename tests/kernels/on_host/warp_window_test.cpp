// What a warp does with a window of text on a GPU, lane by lane on the host. It is the windows that it draws, and its
// gradient.
#include "tests/kernels/on_host/warp_on_host.h"

#include "kernels/cuda/windows/window_gradient.cuh"
#include "kernels/lanes/scalar.h"
#include "kernels/patterns/token_windows.h"
#include "kernels/problems/skipgram.h"
#include "kernels/updates/racy.h"
#include "tests/random_text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

using namespace hogwild;
using device::FourFloats, device::OneFloat, device::WarpWindow, device::WarpWindowGradient;

namespace {

/// As a warp sees weights: every lane has elements of its own.
struct HostWeights {
    std::vector<float>& floats;

    float load(std::uint32_t j) const { return floats.at(j); }
    void add(std::uint32_t j, float by) const { floats.at(j) += by; }
    float4 load_four(std::uint32_t j) const { return {load(j), load(j + 1), load(j + 2), load(j + 3)}; }
    void add_four(std::uint32_t j, float4 by) const {
        add(j, by.x);
        add(j + 1, by.y);
        add(j + 2, by.z);
        add(j + 3, by.w);
    }
};

constexpr std::uint64_t kSeed = 9;
constexpr std::uint32_t kEpoch = 2;
constexpr float kStep = 0.05f;

/// A warp draws each of the positions' windows and counts its increments; `step(window)`: what it does beside.
template <class Step>
void check_windows(const TokensView& data, const std::vector<std::uint32_t>& positions, const Step& step) {
    const TokenDraws draws(kSeed, kEpoch);
    std::vector<std::uint32_t> own(WarpWindow::memory(data.model));
    std::vector<std::vector<std::uint32_t>> found(positions.size());
    std::vector<float> counts(data.coordinates()), expected(data.coordinates());
    std::vector<std::uint32_t> sizes(positions.size());
    WarpOnHost::run([&] {
        WarpWindow window(data, draws, own.data());
        for (std::size_t p = 0; p < positions.size(); ++p) {
            const std::uint32_t i = positions[p];
            if (!data.kept(i, draws.of(i))) continue;
            window.draw({i, data.tokens[i], data.reach(draws.of(i)), kStep});
            if (window.contexts() == 0) continue;
            window.count_in(HostWeights{counts});
            step(window);
            if (device::lane() > 0) continue;
            sizes[p] = window.size();
            window.for_each_increment([&](std::uint32_t group) { found[p].push_back(group); });
        }
    });
    for (std::size_t p = 0; p < positions.size(); ++p) {
        const TokenWindow window = data.window(positions[p], draws);
        std::vector<std::uint32_t> increments;
        window.for_each_increment([&](std::uint32_t group) { increments.push_back(group); });
        window.for_each_coordinate([&](std::uint32_t j) { expected[j] += 1; });
        CHECK(found[p] == increments);
        CHECK(sizes[p] == increments.size() * data.model.dim);
    }
    CHECK(counts == expected);
}

std::vector<std::uint32_t> first_positions(std::uint32_t count) {
    std::vector<std::uint32_t> positions(count);
    std::iota(positions.begin(), positions.end(), 0u);
    return positions;
}

/// A warp's steps on the windows of the text's first positions, beside one CPU thread's.
template <class Gradient>
void check_steps(const TestText& text, const std::vector<double>& model) {
    const TokensView data = text.view(model);
    std::vector<float> weights = TestNumbers(3).vector<float>(data.coordinates());
    for (float& weight : weights) weight *= static_cast<float>(1 / std::sqrt(model[0]));
    std::vector<float> serial = weights;
    const std::vector<std::uint32_t> positions = first_positions(12);
    const Chunk chunk{positions.data(), 12, 0, false, serial.data(), 1, 1, 1, double{kStep}, kEpoch, kSeed};
    WorkerContext context;
    steps<SkipGram, ScalarLanes, Racy, NoGuard, NoProbe>(data, chunk, context);
    std::vector<float4> own(Gradient::memory(data.model) / 4 + 1);
    check_windows(data, positions, [&](const WarpWindow& window) {
        const Gradient gradient(data.model, &own[0].x);
        gradient.template read<SkipGram>(window, HostWeights{weights}, -kStep);
        gradient.write(window, HostWeights{weights});
    });
    for (std::size_t j = 0; j < weights.size(); ++j) CHECK(std::abs(weights[j] - serial[j]) < 1e-5f);
}

} // namespace

TEST_CASE("lanes share several sums, each the sum over all lanes") {
    const auto check = []<unsigned kCount>(std::integral_constant<unsigned, kCount>) {
        std::array<float, 32> sums;
        WarpOnHost::run([&] {
            float values[kCount];
            for (unsigned i = 0; i < kCount; ++i) values[i] = static_cast<float>((i + 1) * (1 + device::lane()));
            sums[device::lane()] = device::lane_sums(values);
        });
        for (unsigned l = 0; l < 32; ++l) {
            const unsigned i = l % std::bit_ceil(kCount);
            CHECK(sums[l] == (i < kCount ? static_cast<float>((i + 1) * 528) : 0.0f));
        }
    };
    check(std::integral_constant<unsigned, 1>{});
    check(std::integral_constant<unsigned, 2>{});
    check(std::integral_constant<unsigned, 6>{});
    check(std::integral_constant<unsigned, 8>{});
    check(std::integral_constant<unsigned, 32>{});
}

TEST_CASE("a warp draws a position's window: its contexts in their order, its negatives but for the centre") {
    for (const double shared : {1.0, 0.0}) {
        for (const auto& [words, sentence, window, subsample] :
             {std::tuple{30u, 1'000u, 5.0, 0.0}, {30u, 7u, 16.0, 1e-1}, {3u, 40u, 16.0, 1e-2}}) {
            const TestText text = random_text(70, words, sentence, 4);
            check_windows(text.view({1, 5, window, subsample, shared}), first_positions(70), [](const WarpWindow&) {});
        }
    }
}

TEST_CASE("a warp looks as far as a window reaches, and no further") {
    TestText text;
    for (std::uint32_t i = 0; i < 3'000; ++i) // words 1 to 4 are always kept, word 0 once in 90
        text.tokens.push_back(i == 100 ? 1 : i == 900 ? 2 : i == 1'924 ? 3 : i == 2'949 ? 4 : 0);
    text.tokens[0] |= TokensView::kFirst;
    text.count(5);
    const std::vector<std::uint32_t> positions{100, 900, 1'924, 2'949};
    for (const double window : {1.0, 16.0}) {
        const TokensView data = text.view({1, 2, window, 1.3e-4, 1});
        check_windows(data, positions, [](const WarpWindow&) {});
        for (const std::uint32_t i : positions) CHECK(data.window(i, TokenDraws(kSeed, kEpoch)).contexts > 0);
    }
    // With 16 words to be found to either side, some are out of reach.
    const TokensView data = text.view({1, 2, 16, 1.3e-4, 1});
    CHECK(std::ranges::any_of(
        positions, [&](std::uint32_t i) { return data.window(i, TokenDraws(kSeed, kEpoch)).contexts < 17; }));
}

TEST_CASE("a warp steps as one CPU thread does, up to rounding") {
    const TestText text = random_text(60, 20, 30, 5), few = random_text(60, 3, 30, 6); // words that occur twice
    for (const double shared : {1.0, 0.0}) {
        check_steps<WarpWindowGradient<FourFloats, 1, 6>>(text, {100, 5, 5, 0, shared});
        check_steps<WarpWindowGradient<FourFloats, 1, 6>>(few, {8, 7, 3, 0, shared});
        check_steps<WarpWindowGradient<FourFloats, 4, 2>>(few, {300, 2, 2, 0, shared});
        check_steps<WarpWindowGradient<OneFloat, 16, 2>>(text, {30, 5, 5, 0, shared});
    }
}
