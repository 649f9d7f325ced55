// Steps over edges on a GPU, against one CPU thread.
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "kernels/patterns/edge_ends.h"
#include "tests/engine/toys/toy_graph.h"
#include "tests/kernels/cuda/device_run.h"

#include <algorithm>
#include <numeric>

using namespace hogwild;

namespace {

constexpr std::size_t kSampled = 1, kExact = 2; // probes

Plan one_epoch_of_edges(const std::string& order = "permutation") {
    Plan plan = cut_plan("serial");
    plan.epochs = 1;
    plan.order = order;
    return plan;
}

std::vector<float> before(const Dataset& data) {
    const auto view = data.view().as<EdgesView>();
    return std::vector<float>(view.coordinates(), EdgeEnds::initial(view, 0, 0));
}

/// Nodes 2 i and 2 i + 1, first each with a terminal, then with each other; at last the terminals with one another.
TestGraph pairs(std::uint32_t count, std::uint32_t classes) {
    TestNumbers numbers(7);
    TestGraph graph{{}, 2 * count, classes};
    const auto weight = [&] { return static_cast<float>(1 + numbers.bits() % 9); };
    for (std::uint32_t node = 0; node < graph.free; ++node)
        graph.edges.push_back({node, graph.free + numbers.bits() % classes, weight()});
    for (std::uint32_t i = 0; i < count; ++i) graph.edges.push_back({2 * i, 2 * i + 1, weight()});
    for (std::uint32_t t = 1; t < classes; ++t) graph.edges.push_back({graph.free, graph.free + t, weight()});
    return graph;
}

} // namespace

TEST_CASE("one warp that steps on one edge at a time walks the path of one CPU thread over edges, bit for bit") {
    if (no_device()) return;
    for (const std::uint32_t classes : {2u, 3u, 4u, 13u, 16u, 17u, 40u, 64u, 65u, 300u, 1'024u}) {
        const Dataset graph = graph_dataset(random_graph(1'000, 60, classes, classes));
        for (const std::string order : {"permutation", "replacement"}) {
            Plan plan = one_epoch_of_edges(order);
            const std::vector<float> after = weights_of(plan, graph);
            for (const std::string update : {"racy", "atomic"}) {
                for (const std::size_t probe : {kSampled, kExact}) {
                    plan.update = update;
                    DeviceRun device(graph.view(), plan, before(graph));
                    device.epoch({1, 1}, probe);
                    CHECK_MESSAGE(device.weights() == after, classes << " classes, " << update);
                    if (probe == kExact) CHECK(downloaded(device.most)[0] == 0);
                }
            }
        }
    }
}

TEST_CASE("however many warps and edges in a warp, edges without a node in common end as serial's") {
    if (no_device()) return;
    for (const std::uint32_t classes : {2u, 3u, 4u, 5u, 8u, 13u, 16u, 40u, 64u, 65u, 200u, 257u, 1'000u}) {
        const std::uint32_t count = classes < 64 ? 20'000 : 1'000;
        const Dataset graph = graph_dataset(pairs(count, classes));
        const auto rows = static_cast<std::uint32_t>(graph.view().rows());
        Plan plan = one_epoch_of_edges("stored");
        const std::vector<float> after = weights_of(plan, graph);
        for (const std::string update : {"racy", "atomic"}) {
            for (const LaunchShape shape : {LaunchShape{1, 1}, {3, 8}, {264, 8}}) {
                plan.update = update;
                DeviceRun device(graph.view(), plan, before(graph));
                device.steps({0, 0, 2 * count}, shape);
                device.steps({0, 2 * count, rows - 2 * count}, shape);
                CHECK_MESSAGE(device.weights() == after, classes << " classes, " << update);
                CHECK(downloaded(device.consumed)[0] == rows);
            }
        }
    }
}

TEST_CASE("every increment of an edge is counted, and atomic loses none of them; noop writes nothing") {
    if (no_device()) return;
    for (const std::uint32_t classes : {2u, 5u, 100u}) {
        const Dataset graph = graph_dataset(random_graph(20'000, 200, classes, 2));
        Plan plan = one_epoch_of_edges();
        for (const std::string update : {"atomic", "racy"}) {
            plan.update = update;
            DeviceRun device(graph.view(), plan, before(graph));
            device.epoch({132, 8}, kExact);
            const auto issued = downloaded(device.issued)[0], wrote = downloaded(device.clock)[0];
            const std::vector<float> shadow = downloaded(device.shadow);
            const std::vector<unsigned long long> buckets = downloaded(device.buckets);
            const double kept = std::accumulate(shadow.begin(), shadow.end(), 0.0);
            CHECK(wrote <= 20'000);
            CHECK(std::accumulate(buckets.begin(), buckets.end(), 0ULL) == wrote);
            CHECK(issued >= wrote);
            CHECK(issued <= graph.view().nonzeros());
            if (update == "atomic") CHECK(kept == static_cast<double>(issued));
            if (update == "racy") CHECK(kept <= static_cast<double>(issued));
        }
        plan.update = "noop";
        DeviceRun device(graph.view(), plan, before(graph));
        device.epoch({132, 8});
        CHECK(device.weights() == before(graph));
        CHECK(downloaded(device.consumed)[0] == 20'000);
    }
}

TEST_CASE("racy stores what was projected, so however many workers no number leaves [0, 1]") {
    if (no_device()) return;
    constexpr float kRounding = 0x1p-22f; // of the projected number less the one that was read, plus that
    for (const std::uint32_t classes : {2u, 3u, 40u, 100u}) {
        const Dataset graph = graph_dataset(random_graph(20'000, 200, classes, 3));
        Plan plan = one_epoch_of_edges();
        plan.step.size = 2;
        plan.update = "racy";
        DeviceRun device(graph.view(), plan, before(graph));
        device.epoch({132, 8});
        const std::vector<float> weights = device.weights();
        CHECK(std::ranges::all_of(weights, [](float x) { return x >= -kRounding && x <= 1 + kRounding; }));
    }
}
