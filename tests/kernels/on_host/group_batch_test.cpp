// What the launches of a synchronous step on a GPU do to groups of coordinates, lane by lane on the host. Beside it
// stand the CPU's halves of such a step (kernels/steps/batch.h).
#include "tests/kernels/on_host/warp_on_host.h"

#include "kernels/cuda/batches/edge_batch.cuh"
#include "kernels/cuda/batches/group_marks.cuh"
#include "kernels/cuda/batches/integer_sums.cuh"
#include "kernels/cuda/batches/pair_batch.cuh"
#include "kernels/cuda/batches/window_batch.cuh"
#include "kernels/problems/cut.h"
#include "kernels/problems/factorization.h"
#include "kernels/problems/skipgram.h"
#include "kernels/views/any_view.h"
#include "tests/kernels/network/one_batch.h"
#include "tests/random_graph.h"
#include "tests/random_ratings.h"
#include "tests/random_text.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace hogwild;
using namespace hogwild::device;

namespace {

/// ThreadSanitizer keeps an account of calls for each thread, which switches between so many lanes' stacks overflow.
bool no_lanes() {
    if (kThreadSanitizer)
        MESSAGE("skipped: ThreadSanitizer cannot follow a warp's lanes, which are stacks of one thread; to run it: "
                "./tests/run release");
    return kThreadSanitizer;
}

/// As a warp reads weights.
struct HostWeights {
    const std::vector<float>& floats;

    float load(std::uint32_t j) const { return floats.at(j); }
};

/// The weights after a batch, of both launches: a warp after another.
template <class Form>
std::vector<float> by_warps(const typename Form::View& data, const OneBatch& batch, std::vector<float> weights,
                            float factor) {
    const SumUnit unit = SumUnit::of(batch.size() * AnyView(data).most_repeats(), 8, 8);
    std::vector<long long> sums(weights.size());
    std::vector<std::uint32_t> groups(data.groups()), list(data.groups(), ~0u), counts(2);
    std::vector<float4> own(Form::memory(data) / 4 + 1);
    const GroupMarks marks({groups.data(), list.data(), &counts[0], &counts[1]});
    for (std::uint32_t first = 0; first < batch.size(); first += kWarp / Form::kLanes) {
        WarpOnHost::run([&] {
            const std::uint32_t i = first + lane() / Form::kLanes;
            const bool steps = i < batch.size();
            typename Form::Gradient gradient(data, {batch.numbers[steps ? i : 0], steps, batch.seed, batch.epoch},
                                             &own[0].x);
            gradient.add(HostWeights{weights}, IntegerSums(sums.data(), unit), marks);
        });
    }
    CHECK(static_cast<std::uint32_t>(std::ranges::count(groups, 1u)) == counts[0]);
    CHECK(counts[0] <= batch.size() * Form::most_groups(data));
    WarpOnHost::run([&] {
        const SumsToApply applied(weights.data(), sums.data(), factor, unit);
        const std::uint32_t count = marks.count();
        for (std::uint32_t first = 0; first < count; first += kWarp / Form::kRowLanes) {
            const std::uint32_t i = first + lane() / Form::kRowLanes;
            const std::uint32_t group = i < count ? marks.group(i) : 0;
            if (i < count) marks.unmark(group);
            Form::apply(data, applied, group, i < count);
        }
        marks.leave();
    });
    CHECK(std::ranges::count(sums, 0) == static_cast<std::ptrdiff_t>(sums.size())); // as the next batch wants them
    CHECK(std::ranges::count(groups, 0u) == static_cast<std::ptrdiff_t>(groups.size()));
    CHECK(counts == std::vector<std::uint32_t>{0, 0});
    return weights;
}

/// So many of `rows` samples; some twice.
OneBatch some(std::uint32_t count, std::uint64_t rows) {
    TestNumbers random(count);
    OneBatch batch{std::vector<std::uint32_t>(count), 2, 9};
    for (std::uint32_t& number : batch.numbers) number = static_cast<std::uint32_t>(random.bits() % rows);
    return batch;
}

template <class Form, class Problem>
void check_batch(const typename Form::View& data, const OneBatch& batch, const std::vector<float>& before,
                 float factor) {
    const std::vector<float> found = by_warps<Form>(data, batch, before, factor);
    check_one_batch(data, batch, factor, before, found, by_thread<Problem>(data, batch, before, factor));
    OneBatch turned = batch;
    std::ranges::reverse(turned.numbers);
    CHECK(by_warps<Form>(data, turned, before, factor) == found); // the order of a batch does not matter
}

template <unsigned kLanes, unsigned kHeld>
void check_ratings(std::uint32_t rank, bool biased, bool damped) {
    const TestRatings ratings = random_ratings(90, 7, 11, {rank, biased, 3, 0.05f, damped ? 2.5f : 0.0f}, rank);
    const std::vector<float> rarities{0.2f, 0.9f, 0.3f, 0.1f, 0.5f, 0.25f, 0.35f, 0.15f, 0.8f, 0.4f, 0.6f};
    RatingsView data = ratings.view();
    data.user_rarities = {rarities.data(), 7};
    data.item_rarities = {rarities.data(), 11};
    const std::vector<float> before =
        TestNumbers(3).vector<float>(data.coordinates(), 1 / std::sqrt(static_cast<double>(rank)));
    for (const std::uint32_t count : {1u, 33u, 200u})
        check_batch<PairBatch<Factorization, kLanes, kHeld>, Factorization>(data, some(count, 90), before,
                                                                            -0.5f / static_cast<float>(count));
}

template <class Form>
void check_edges(std::uint32_t classes) {
    const TestGraph graph = random_graph(120, 20, classes, classes);
    for (const std::uint32_t count : {1u, 33u, 150u})
        check_batch<EdgeBatch<Cut, Form>, Cut>(graph.view(), some(count, 120), random_rows(graph.view(), 5), -0.2f);
}

template <class Held>
void check_windows(const std::vector<double>& model) {
    const TestText text = random_text(60, 40, 30, 4);
    const TokensView data = text.view(model);
    const std::vector<float> before = TestNumbers(3).vector<float>(data.coordinates(), 1 / std::sqrt(model[0]));
    for (const std::uint32_t count : {2u, 3u, 40u})
        check_batch<WindowBatch<SkipGram, Held>, SkipGram>(data, some(count, 60), before, -0.05f);
}

} // namespace

TEST_CASE("a batch of ratings makes of the weights what it does on a CPU, up to rounding") {
    if (no_lanes()) return;
    for (const bool biased : {true, false}) {
        for (const bool damped : {true, false}) {
            check_ratings<8, 1>(3, biased, damped);
            check_ratings<8, 1>(8, biased, damped);
            check_ratings<16, 1>(13, biased, damped);
            check_ratings<32, 1>(32, biased, damped);
            check_ratings<32, 4>(100, biased, damped);
        }
    }
}

TEST_CASE("a batch of edges moves and projects the rows that it touches as on a CPU, up to rounding") {
    if (no_lanes()) return;
    check_edges<TwoClasses>(2);
    check_edges<ManyClasses<4, 1>>(3);
    check_edges<ManyClasses<16, 1>>(13);
    check_edges<ManyClasses<16, 4>>(40);
    check_edges<ManyClasses<32, 8>>(100);
}

TEST_CASE("where no sum of two classes rounds, a batch of edges leaves the bits of a CPU") {
    if (no_lanes()) return;
    TestGraph graph = random_graph(120, 20, 2, 7);
    for (WeightedEdge& edge : graph.edges) edge.weight = 2;
    const EdgesView data = graph.view();
    const std::vector<float> before(20, 0.5f);
    const OneBatch batch = some(150, 120);
    CHECK(by_warps<EdgeBatch<Cut, TwoClasses>>(data, batch, before, -0.125f) ==
          by_thread<Cut>(data, batch, before, -0.125f));
}

TEST_CASE("a batch of windows adds to the vectors what it does on a CPU, up to rounding") {
    if (no_lanes()) return;
    for (const double shared : {1.0, 0.0}) {
        check_windows<WarpWindowGradient<OneFloat, 4, 6>>({8, 5, 5, 0, shared});
        check_windows<WarpWindowGradient<OneFloat, 4, 6>>({100, 5, 5, 1e-1, shared});
        check_windows<WarpWindowGradient<OneFloat, 16, 2>>({130, 3, 2, 0, shared});
    }
}
