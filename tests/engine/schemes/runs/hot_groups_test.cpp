// Runs whose workers have hot groups of their own: of users and items, words, nodes.
#include "engine/memory/viewed_pages.h"
#include "engine/order/hot_ranges.h"
#include "engine/plan/plan.h"
#include "engine/schemes/replicas/own_hot.h"
#include "tests/engine/toys/toy_graph.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_text.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

using namespace hogwild;

namespace {

const std::uint32_t kPage = static_cast<std::uint32_t>(page_size() / sizeof(float));

struct Case {
    Plan plan;
    Dataset data;
    std::vector<std::string> updates;
};

/// Serial plans of models of several pages.
std::vector<Case> cases() {
    Plan factors = ratings_plan("serial"), words = text_plan("serial"), nodes = cut_plan("serial");
    factors.parameters = {40, 1}; // a page ends within a group
    words.parameters[0] = 100;
    words.epochs = 2;
    const std::uint32_t classes = 3;
    return {{factors, ratings_dataset(random_ratings(2'000, 90, 30, {.mean = 3}, 1)), {"delayed", "replicated"}},
            {words, text_dataset(random_text(3'000, 40, 12, 2)), {"delayed", "replicated"}},
            {nodes, graph_dataset(random_graph(3'000, 1'500, classes, 3)), {"replicated"}}};
}

Plan hot_plan(Plan plan, const std::string& updates, unsigned threads, std::uint32_t hot) {
    plan.scheme = "hogwild";
    plan.hot.updates = updates;
    plan.threads = threads;
    plan.hot.count = hot;
    plan.exchange.combine = "sum";
    return plan;
}

} // namespace

TEST_CASE("one worker walks serial's path, however seldom it hands over hot groups" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    for (const auto& [serial, data, kinds] : cases()) {
        const std::string& problem = serial.problem;
        CAPTURE(problem);
        const std::vector<float> wanted = weights_of(serial, data);
        for (const std::string& updates : kinds) {
            for (const std::uint32_t hot : {1u, 3 * kPage, 100 * kPage}) {
                for (const std::uint32_t exchange : {1u, 100u, 0u}) {
                    Plan plan = hot_plan(serial, updates, 1, hot);
                    plan.exchange.period = exchange;
                    CHECK(weights_of(plan, data) == wanted);
                }
            }
        }
    }
}

TEST_CASE("of what workers add to hot groups nothing is lost and nothing counts twice") {
    for (const auto& [serial, data, kinds] : cases()) {
        const std::string& problem = serial.problem;
        CAPTURE(problem);
        for (const std::string& updates : kinds) {
            for (const std::uint32_t hot : {1u, 2 * kPage, 100 * kPage}) {
                const unsigned workers = 3;
                Plan plan = hot_plan(serial, updates, workers, hot);
                plan.exchange.period = 2;
                ToyJob toy(plan, bound(data.view(), plan));
                const std::uint32_t size = toy.buffer.size();
                OwnHot own(toy.job);
                for (unsigned w = 0; w < workers; ++w) own.begin(w);
                // Worker w adds 2^w to every third coordinate each time, from another one on: all sums are exact.
                std::vector<float> added(size);
                for (std::uint32_t round = 0; round < 7; ++round) {
                    for (unsigned w = 0; w < workers; ++w) {
                        for (std::uint32_t j = (round + w) % 3; j < size; j += 3) {
                            own.weights(w)[j] += static_cast<float>(1u << w);
                            added[j] += static_cast<float>(1u << w);
                        }
                        own.stepped(w, 1, 0.1);
                    }
                }
                for (unsigned w = 0; w < workers; ++w) own.give_all(w, 0.1);
                CHECK(std::vector<float>(toy.buffer.data(), toy.buffer.data() + size) == added);
                for (unsigned w = 0; w < workers; ++w) own.give_all(w, 0.1); // reads what others gave last
                for (unsigned w = 0; w < workers; ++w)
                    CHECK(std::vector<float>(own.weights(w), own.weights(w) + size) == added);
            }
        }
    }
}

TEST_CASE("a worker has hot pages for itself until it hands them over, and shares all others at once") {
    for (const auto& [serial, data, kinds] : cases()) {
        const std::string& problem = serial.problem;
        CAPTURE(problem);
        const Plan plan = hot_plan(serial, "replicated", 2, 2 * kPage);
        ToyJob toy(plan, bound(data.view(), plan));
        OwnHot own(toy.job);
        for (unsigned w = 0; w < 2; ++w) own.begin(w);
        for (std::uint32_t j = 0; j < toy.buffer.size(); ++j) own.weights(0)[j] += 1;
        std::vector<float> seen(toy.buffer.size(), 1);
        for (const auto& [begin, end] : hot_ranges(plan, toy.job.data))
            for (std::uint32_t j = begin; j < end; ++j) seen[j] = 0;
        CHECK(std::ranges::count(seen, 0.0f) > 0);
        CHECK(std::vector<float>(toy.buffer.data(), toy.buffer.data() + seen.size()) == seen);
        CHECK(std::vector<float>(own.weights(1), own.weights(1) + seen.size()) == seen);
    }
}

TEST_CASE("where ratings share no user and no item, any number of workers gives the serial result") { // oracle 7
    TestRatings apart{{}, 400, 400, {.mean = 0}};
    TestNumbers numbers(6);
    for (std::uint32_t i = 0; i < 400; ++i) apart.ratings.push_back({i, (i * 7) % 400, 2 * numbers.number()});
    const Dataset data = ratings_dataset(std::move(apart));
    Plan serial = ratings_plan("serial");
    serial.epochs = 1;
    const std::vector<float> wanted = weights_of(serial, data);
    for (const std::string updates : {"delayed", "replicated"}) {
        for (const unsigned threads : {2u, 3u, 8u}) {
            for (const std::uint32_t hot : {1u, 3 * kPage, 100 * kPage}) {
                Plan plan = hot_plan(serial, updates, threads, hot);
                plan.exchange.period = 16;
                CHECK(weights_of(plan, data) == wanted);
            }
        }
    }
}

TEST_CASE("of a cut's increments none is lost and none counts twice, at any number of workers") {
    // All nodes are pulled to one terminal, 100 times each by 2^-10, which no order of steps takes to a side.
    const std::uint32_t nodes = 2 * kPage + 100;
    TestGraph graph{{}, nodes, 2};
    for (std::uint32_t i = 0; i < 25 * nodes; ++i) graph.edges.push_back({i % nodes, nodes, 1});
    const Dataset data = graph_dataset(std::move(graph));
    for (const unsigned threads : {2u, 3u, 8u}) {
        for (const std::uint32_t hot : {1u, 2 * kPage, 3 * kPage}) {
            Plan plan = hot_plan(cut_plan("hogwild"), "replicated", threads, hot);
            plan.update = "atomic"; // of the others
            plan.step.kind = "constant";
            plan.step.size = 0x1p-9;
            CHECK(weights_of(plan, data) == std::vector<float>(nodes, 0.5f + 100 * 0x1p-10f));
        }
    }
}

TEST_CASE(
    "of a node that every worker moves all the way each gives its share, of one that nobody else touches everything") {
    // Every edge has the hub, on the third page; its other ends are in the first page's second half.
    const std::uint32_t hub = 2 * kPage + 5;
    TestGraph graph{{}, 3 * kPage, 2};
    for (std::uint32_t i = 0; i < 640; ++i) graph.edges.push_back({kPage / 2 + i % 64, hub, 1});
    const Dataset data = graph_dataset(std::move(graph));
    Plan plan = hot_plan(cut_plan("hogwild"), "replicated", 2, 2 * kPage);
    plan.exchange.combine = "sequential";
    ToyJob toy(plan, data.view());
    OwnHot own(toy.job);
    for (unsigned w = 0; w < 2; ++w) own.begin(w);
    for (const std::uint32_t node : {0u, hub, hub + 16}) own.weights(0)[node] += 1;
    own.stepped(0, 1'000, 1e-4); // however small steps are
    own.give_all(0, 1e-4);
    CHECK(toy.buffer.data()[hub] == doctest::Approx(0.5));
    CHECK(toy.buffer.data()[0] == 1);
    CHECK(toy.buffer.data()[hub + 16] == 1);
}

TEST_CASE("every snapshot is taken of workers with hot groups, and each sample is stepped through once") {
    for (const auto& [serial, data, kinds] : cases()) {
        for (const std::string& updates : kinds) {
            Plan plan = hot_plan(serial, updates, 3, kPage);
            plan.exchange.combine = "sequential";
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.updates == plan.epochs * data.view().rows());
            CHECK(outcome.observations.size() == std::size_t{plan.epochs} * plan.observations_per_epoch + 1);
            CHECK(outcome.status == "done");
        }
    }
}
