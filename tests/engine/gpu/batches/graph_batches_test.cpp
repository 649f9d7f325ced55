// Synchronous steps over ratings, edges and text on a GPU, batch by batch, beside the CPU's halves of such steps (kernels/steps/batch.h).
#include "engine/gpu/batches/graph_batches.h"
#include "engine/plan/plan.h"

#include "engine/order/order.h"
#include "tests/device.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/kernels/network/one_batch.h"
#include "tests/random_graph.h"
#include "tests/random_ratings.h"
#include "tests/random_text.h"

#include <algorithm>
#include <tuple>

using namespace hogwild;

namespace {

/// Batches from given weights on, all with one factor, in the order of a run.
class GivenRun {
public:
    GivenRun(const Plan& plan, const AnyView& data, const std::vector<float>& start, float factor)
        : buffer_(data.coordinates(), MemoryKind::kDevice),
          paces_((data.rows() + plan.batch.size - 1) / plan.batch.size, {1, factor}) {
        std::ranges::copy(start, buffer_.data());
        buffer_.upload();
        batches_ = make_gpu_batches(plan, data, buffer_, 1);
    }

    std::uint32_t per_epoch() const { return static_cast<std::uint32_t>(paces_.size()); }
    void begin_epoch() { batches_->begin_epoch(paces_); }

    std::vector<float> step(std::uint32_t first, std::uint32_t count) {
        batches_->step(first, count, nullptr);
        batches_->finish();
        buffer_.download();
        return {buffer_.data(), buffer_.data() + buffer_.size()};
    }

private:
    ParameterBuffer buffer_;
    std::vector<BatchPace> paces_;
    std::unique_ptr<GpuBatches> batches_;
};

/// Batch by batch as a CPU thread steps, up to rounding; and the same bits where an epoch is one graph.
template <class Problem>
void check_batches(const typename Problem::Pattern::View& data, const std::string& order,
                   const std::vector<float>& start, float factor) {
    constexpr std::uint32_t kEpochs = 2;
    Plan plan = toy_plan("minibatch");
    plan.problem = Problem::name;
    plan.order = order;
    plan.batch.size = 64;
    plan.device = "gpu";
    plan.memory = "device";
    const auto rows = static_cast<std::uint32_t>(data.rows);
    GivenRun singly(plan, data, start, factor), at_once(plan, data, start, factor);
    OrderCursor cursor(order, data, plan.seed);
    std::vector<float> weights = start, all;
    for (std::uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
        singly.begin_epoch();
        for (std::uint32_t b = 0, first = 0; b < singly.per_epoch(); ++b, first += plan.batch.size) {
            OneBatch batch{std::vector<std::uint32_t>(std::min(plan.batch.size, rows - first)), epoch, plan.seed};
            fill(cursor, epoch, first, batch.size(), batch.numbers.data());
            const std::vector<float> found = singly.step(b, 1);
            check_one_batch(data, batch, factor, weights, found, by_thread<Problem>(data, batch, weights, factor));
            weights = found;
        }
        at_once.begin_epoch();
        all = at_once.step(0, at_once.per_epoch());
    }
    CHECK(all == weights);
}

} // namespace

TEST_CASE("batches of ratings on a GPU are those of a CPU, up to rounding, and the same bits in graphs of any length") {
    if (no_device()) return;
    std::vector<float> rarities(500);
    for (std::size_t i = 0; i < rarities.size(); ++i) rarities[i] = 1 / std::sqrt(1 + static_cast<float>(i % 40));
    for (const std::uint32_t rank : {1u, 8u, 13u, 16u, 32u, 100u, 128u, 200u, 1'024u}) {
        for (const auto& [order, biased, damped] :
             {std::tuple{"permutation", true, true}, {"replacement", false, false}}) {
            CAPTURE(rank);
            // More users than a batch touches, few items: some are in many of its ratings.
            const TestRatings ratings =
                random_ratings(1'000, 500, 20, {rank, biased, 3, 0.05f, damped ? 2.5f : 0.0f}, rank);
            RatingsView data = ratings.view();
            data.user_rarities = {rarities.data(), 500};
            data.item_rarities = {rarities.data(), 20};
            const std::vector<float> start =
                TestNumbers(3).vector<float>(data.coordinates(), 1 / std::sqrt(static_cast<double>(rank)));
            check_batches<Factorization>(data, order, start, -0.01f);
        }
    }
}

TEST_CASE("batches of edges on a GPU are those of a CPU, up to rounding, and the same bits in graphs of any length") {
    if (no_device()) return;
    for (const std::uint32_t classes : {2u, 3u, 4u, 5u, 13u, 16u, 17u, 64u, 65u, 256u, 257u, 1'024u}) {
        CAPTURE(classes);
        const TestGraph graph = random_graph(1'000, 60, classes, classes);
        check_batches<Cut>(graph.view(), classes % 2 == 0 ? "permutation" : "replacement", random_rows(graph.view(), 5),
                           -0.02f);
    }
}

TEST_CASE("batches of windows on a GPU are those of a CPU, up to rounding, and the same bits in graphs of any length") {
    if (no_device()) return;
    const TestText text = random_text(1'000, 60, 30, 4);
    for (const double dim : {1.0, 8.0, 100.0, 128.0, 130.0, 512.0}) {
        for (const auto& [negatives, window, subsample, shared] : {std::tuple{5.0, 5.0, 1e-2, 1.0},
                                                                   {5.0, 5.0, 0.0, 0.0},
                                                                   {12.0, 16.0, 0.0, 1.0},
                                                                   {32.0, 16.0, 0.0, 0.0}}) { // one warp a block
            CAPTURE(dim);
            CAPTURE(negatives);
            const TokensView data = text.view({dim, negatives, window, subsample, shared});
            const std::vector<float> start = TestNumbers(3).vector<float>(data.coordinates(), 1 / std::sqrt(dim));
            check_batches<SkipGram>(data, shared == 1 ? "permutation" : "stored", start, -1e-4f);
        }
    }
}
