#include "engine/data/synthetic/synthetic_graph.h"

#include "engine/error.h"
#include "engine/machine/parallel.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Dataset generated(const std::string& name, std::uint64_t seed = 1) {
    return generate(parse_synthetic_graph(name, seed), name);
}

std::string complaint(const std::string& name) {
    try {
        parse_synthetic_graph(name, 1);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kUsage);
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("a grid joins neighbours, and all but a few nodes to one terminal") {
    const Dataset data = generated("synthetic:grid=20x10x5");
    const auto view = data.view().as<EdgesView>();
    CHECK(view.free == 1000);
    CHECK(view.classes == 2);
    CHECK(view.known_count == 1000);
    const std::uint64_t inside = 19 * 10 * 5 + 20 * 9 * 5 + 20 * 10 * 4;
    CHECK(view.rows == inside + view.terminal_ends);
    CHECK(view.terminal_ends > 900);
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        const WeightedEdge& edge = view.edges[i];
        CHECK(edge.weight == std::round(edge.weight));
        CHECK(edge.weight <= 10);
        if (edge.v >= 1000) continue;
        const std::uint32_t apart = edge.v - edge.u;
        CHECK((apart == 1 || apart == 20 || apart == 200));
        CHECK(edge.weight <= 3);
    }
}

TEST_CASE("mentions are joined to entities and to each other, and their entities are known") {
    const auto data = generated("synthetic:entities=10,mentions=95");
    const auto view = data.view().as<EdgesView>();
    CHECK(view.free == 95);
    CHECK(view.classes == 10);
    CHECK(view.known_count == 95);
    CHECK(view.terminal_ends == 95);
    std::uint64_t own = 0;
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        const WeightedEdge& edge = view.edges[i];
        CHECK(edge.v < 105);
        own += edge.v >= 95 && edge.v - 95 == edge.u % 10;
    }
    CHECK(own > 60); // four of five, and one in ten of the rest
}

TEST_CASE("a generated graph has the same bits at any number of threads, and others by its seed") {
    const unsigned before = parallelism();
    for (const std::string name : {"synthetic:grid=150x140", "synthetic:dblife/60"}) {
        set_parallelism(1);
        const Dataset one = generated(name);
        set_parallelism(3);
        const Dataset three = generated(name), other = generated(name, 2);
        const auto a = one.view().as<EdgesView>(), b = three.view().as<EdgesView>();
        REQUIRE(a.rows == b.rows);
        CHECK(std::memcmp(a.edges, b.edges, a.bytes()) == 0);
        CHECK(one.content_hash() == three.content_hash());
        CHECK(one.content_hash() != other.content_hash());
        CHECK(generated(name + ",seed=2").content_hash() == other.content_hash());
    }
    set_parallelism(before);
}

TEST_CASE("shapes of the paper's graphs are its numbers, divided") {
    CHECK(to_string(parse_synthetic_graph("synthetic:abdomen", 1)) == "grid=512x512x551,entities=0,mentions=0,seed=1");
    CHECK(to_string(parse_synthetic_graph("synthetic:abdomen/100", 1)) ==
          "grid=512x512x6,entities=0,mentions=0,seed=1");
    CHECK(to_string(parse_synthetic_graph("synthetic:dblife/20,seed=7", 1)) ==
          "grid=64x64x1,entities=909,mentions=9006,seed=7");
}

TEST_CASE("a name that says no graph is answered with what would") {
    const std::string known =
        " (known graphs: grid=WxH, grid=WxHxD, entities=K,mentions=M, abdomen, abdomen/N, dblife, "
        "dblife/N, tiny, and seed=); try synthetic:grid=256x256";
    CHECK(complaint("synthetic:rcv1") == "unknown part 'rcv1' of a synthetic graph" + known);
    CHECK(complaint("synthetic:") == "'synthetic:' names no graph" + known);
    CHECK(complaint("synthetic:grid=2x2x2x2") == "'grid=2x2x2x2' has more than three sides" + known);
    CHECK(complaint("synthetic:grid=0x5") == "synthetic:grid=0x5 has a side of 0" + known);
    CHECK(complaint("synthetic:grid=axb") == "'grid=a' is no number (as a key of a synthetic dataset); write a number");
    CHECK(complaint("synthetic:abdomen/0").starts_with("'abdomen/0' divides by zero"));
    CHECK(complaint("synthetic:entities=5").starts_with("synthetic:entities=5 has 0 mentions of 5 entities"));
    CHECK(complaint("synthetic:dblife") == "synthetic:dblife has 180110 mentions of 18167 entities (a graph has 2 to "
                                           "1024 classes, and here a mention of each); "
                                           "take fewer entities, such as synthetic:dblife/20");
    CHECK(complaint("synthetic:grid=1000000x1000000").starts_with("synthetic:grid=1000000x1000000 does not fit ("));
}
