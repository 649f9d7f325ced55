// Steps over windows of text on a GPU: the windows that a warp draws, and its path beside one CPU thread's.
#include "engine/plan/plan.h"
#include "kernels/lanes/scalar.h"
#include "kernels/patterns/token_windows.h"
#include "kernels/problems/skipgram.h"
#include "kernels/updates/racy.h"
#include "tests/engine/toys/toy_text.h"
#include "tests/kernels/cuda/device_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace hogwild;

namespace {

Plan one_epoch_of_text(const std::vector<double>& model, const std::string& update = "atomic") {
    Plan plan = text_plan("serial");
    plan.parameters = model;
    plan.update = update;
    plan.order = "stored";
    plan.epochs = 1;
    plan.step.kind = "constant";
    return plan;
}

/// How often steps on the windows of positions [first, end) increment each coordinate.
std::vector<float> expected_counts(const TokensView& data, const Plan& plan, std::uint32_t epoch, std::uint32_t first,
                                   std::uint32_t end, std::size_t size) {
    std::vector<float> counts(size);
    const TokenDraws draws(plan.seed, epoch);
    for (std::uint32_t i = first; i < end; ++i)
        data.window(i, draws).for_each_coordinate([&](std::uint32_t j) { counts[j] += 1; });
    return counts;
}

/// As the meter counts them.
void check_windows(const TokensView& data, std::uint32_t every) {
    Plan plan = one_epoch_of_text({});
    plan.epochs = 2;
    DeviceRun device(data, plan);
    const auto rows = static_cast<std::uint32_t>(data.rows);
    for (const std::uint32_t epoch : {0u, 1u}) {
        for (std::uint32_t i = 0; i < rows; i += every) {
            clear(device.shadow);
            device.steps({epoch, i, 1}, {1, 1}, 2);
            const std::vector<float> found = downloaded(device.shadow);
            CHECK_MESSAGE(found == expected_counts(data, plan, epoch, i, i + 1, found.size()), "position " << i);
        }
    }
}

// A product of up to 512 floats rounds its sum by less than sqrt(512) / 2 units of 2^-24 of its root mean square term. Each of at most 200
// steps on a row rounds independently, and hands on what the ones before rounded, times at most 1.01 each.
constexpr double kRounding = 15 * 12 * 0x1p-24 * 8;

} // namespace

TEST_CASE("a warp draws the windows of the CPU: sentences and texts end, words are dropped, lists are shared or own") {
    if (no_device()) return;
    for (const double shared : {1.0, 0.0}) {
        check_windows(random_text(90, 20, 1'000, 1).view({1, 5, 5, 0, shared}), 1);      // the text's ends
        check_windows(random_text(300, 40, 7, 2).view({1, 5, 5, 1e-2, shared}), 3);      // sentences
        check_windows(random_text(300, 40, 1'000, 3).view({1, 3, 16, 1e-3, shared}), 3); // words dropped
        check_windows(random_text(300, 3, 40, 4).view({1, 32, 16, 0, shared}), 7); // negatives that are the centre
    }
}

TEST_CASE("where nearly all words are dropped a warp looks as far as the CPU does, and no further") {
    if (no_device()) return;
    TestText text;
    for (std::uint32_t i = 0; i < 6'000; ++i)
        text.tokens.push_back(i % 1'200 == 3 ? 1 + i / 1'200 : i % 977 == 5 ? 7 : 0); // 0 is kept once in 300
    text.tokens[0] |= TokensView::kFirst;
    text.tokens[100] = 6;
    text.count(8);
    for (const double window : {1.0, 2.0, 16.0}) {
        const TokensView data = text.view({1, 2, window, 1e-5, 1});
        const Plan plan = one_epoch_of_text({});
        DeviceRun device(data, plan);
        device.epoch({1, 1}, 2);
        const std::vector<float> found = downloaded(device.shadow);
        CHECK(found == expected_counts(data, plan, 0, 0, 6'000, found.size()));
        CHECK(std::ranges::count_if(found, [](float count) { return count > 0; }) > 4);
    }
}

TEST_CASE("one warp walks the path of one CPU thread over text, up to rounding") {
    if (no_device()) return;
    const TestText text = random_text(400, 60, 15, 5);
    std::vector<std::uint32_t> samples(400);
    std::iota(samples.begin(), samples.end(), 0u);
    for (const double dim : {8.0, 100.0, 128.0, 132.0, 512.0, 1.0, 30.0, 511.0}) {
        for (const auto& [negatives, window, shared] :
             {std::tuple{5.0, 5.0, 1.0}, {5.0, 5.0, 0.0}, {12.0, 16.0, 1.0}, {7.0, 3.0, 0.0}, {1.0, 1.0, 1.0}}) {
            const std::vector<double> model{dim, negatives, window, 1e-2, shared};
            const TokensView data = text.view(model);
            std::vector<float> start = TestNumbers(3).vector<float>(data.coordinates());
            for (float& weight : start) weight *= static_cast<float>(1 / std::sqrt(dim));
            const Plan plan = one_epoch_of_text(model);
            std::vector<float> serial = start;
            const Chunk chunk{samples.data(), 400, 0, false, serial.data(), 1, 1, 1, plan.step.size, 0, plan.seed};
            WorkerContext context;
            steps<SkipGram, ScalarLanes, Racy, NoGuard, NoProbe>(data, chunk, context);
            for (const std::string update : {"atomic", "racy"}) {
                DeviceRun device(data, one_epoch_of_text(model, update), start);
                device.epoch({1, 1});
                CHECK_MESSAGE(apart(device.weights(), serial) < kRounding,
                              "dim " << dim << ", " << negatives << " negatives, window " << window);
            }
            CHECK(apart(start, serial) > 0.1); // they went somewhere
        }
    }
}

TEST_CASE("likewise in random order with steps that fall linearly, from where a run begins") {
    if (no_device()) return;
    const Dataset text = text_dataset(random_text(700, 60, 15, 6));
    for (const double dim : {100.0, 30.0}) {
        Plan plan = text_plan("serial");
        plan.parameters[0] = dim;
        plan.epochs = 1;
        const TokensView data = TokenWindows::bound(text.view().as<TokensView>(), {plan.parameters});
        std::vector<float> start(data.coordinates());
        for (std::uint32_t j = 0; j < start.size(); ++j) start[j] = TokenWindows::initial(data, plan.seed, j);
        DeviceRun device(data, plan, start);
        device.epoch({1, 1});
        CHECK(apart(device.weights(), weights_of(plan, text)) < kRounding);
    }
}

TEST_CASE("however many warps, each position's window is stepped on once, and atomic loses no increment") {
    if (no_device()) return;
    const TestText text = random_text(5'000, 50, 20, 7);
    // The last takes so much shared memory that a block has one warp.
    for (const std::vector<double>& model :
         {std::vector<double>{8, 5, 5, 1e-2, 1}, {8, 5, 5, 1e-2, 0}, {13, 5, 5, 1e-2, 1}, {512, 32, 16, 1e-4, 0}}) {
        const TokensView data = text.view(model);
        const std::vector<float> expected = expected_counts(data, one_epoch_of_text(model), 0, 0, 5'000, 1 << 16);
        const double issued = std::accumulate(expected.begin(), expected.end(), 0.0);
        std::uint64_t windows = 0;
        for (std::uint32_t i = 0; i < data.rows; ++i)
            windows += data.window(i, TokenDraws(one_epoch_of_text(model).seed, 0)).contexts > 0 ? 1 : 0;
        for (const LaunchShape shape : {LaunchShape{1, 8}, {3, 8}, {132, 8}}) {
            for (const std::string update : {"atomic", "racy"}) {
                const Plan plan = one_epoch_of_text(model, update);
                DeviceRun device(data, plan);
                device.epoch(shape, 2);
                const std::vector<float> shadow = downloaded(device.shadow);
                CHECK(static_cast<double>(downloaded(device.issued)[0]) == issued);
                CHECK(downloaded(device.clock)[0] == windows);
                CHECK(downloaded(device.consumed)[0] == 5'000);
                if (update == "atomic") CHECK(shadow == expected);
                if (update == "racy") CHECK(std::accumulate(shadow.begin(), shadow.end(), 0.0) <= issued);
            }
        }
    }
}

TEST_CASE("staleness sampled counts the steps of every window that has a context") {
    if (no_device()) return;
    const TestText text = random_text(5'000, 50, 20, 8);
    const TokensView data = text.view({100, 5, 5, 1e-2, 1});
    const Plan plan = one_epoch_of_text({});
    DeviceRun device(data, plan);
    device.epoch({8, 8}, 1);
    std::uint64_t windows = 0;
    for (std::uint32_t i = 0; i < data.rows; ++i)
        windows += data.window(i, TokenDraws(plan.seed, 0)).contexts > 0 ? 1 : 0;
    CHECK(downloaded(device.clock)[0] == windows);
    const std::vector<unsigned long long> buckets = downloaded(device.buckets);
    CHECK(std::accumulate(buckets.begin(), buckets.end(), 0ull) > 0);
    CHECK(downloaded(device.most)[0] <= windows);
}
