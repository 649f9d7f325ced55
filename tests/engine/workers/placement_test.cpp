#include "engine/workers/placement.h"

#include "engine/error.h"
#include "engine/machine/hwloc_tree.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

using namespace hogwild;

namespace {

using Places = std::vector<std::vector<unsigned>>;

std::vector<unsigned> all(unsigned processors) {
    std::vector<unsigned> list(processors);
    std::iota(list.begin(), list.end(), 0U);
    return list;
}

// Two sockets with a node each, two cores a socket, two threads a core; processors are numbered in the tree's order.
const char* const kTwoSockets = "pack:2 [numa] core:2 pu:2";

} // namespace

TEST_CASE("cores: one worker per physical core in the machine's order, then the second threads, then again") {
    const Places places = place_workers(HwlocTree(kTwoSockets), all(8), 10, Pin::kCores);
    CHECK(places == Places{{0}, {2}, {4}, {6}, {1}, {3}, {5}, {7}, {0}, {2}});
}

TEST_CASE("numa: workers alternate between the nodes, each on all processors of its node") {
    const Places places = place_workers(HwlocTree(kTwoSockets), all(8), 3, Pin::kNuma);
    CHECK(places == Places{{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 2, 3}});
}

TEST_CASE("none binds nothing") { CHECK(place_workers(HwlocTree(kTwoSockets), all(8), 3, Pin::kNone) == Places(3)); }

TEST_CASE("workers use only processors the process is allowed") {
    const HwlocTree tree(kTwoSockets);
    CHECK(place_workers(tree, {1, 2, 3}, 4, Pin::kCores) == Places{{1}, {2}, {3}, {1}});
    CHECK(place_workers(tree, {5, 6}, 2, Pin::kNuma) == Places{{5, 6}, {5, 6}});
    CHECK_THROWS_AS(place_workers(tree, {99}, 1, Pin::kCores), Error);
}

TEST_CASE("an unknown pin lists the known ones") {
    CHECK(parse_pin("none") == Pin::kNone);
    CHECK(parse_pin("cores") == Pin::kCores);
    CHECK(parse_pin("numa") == Pin::kNuma);
    CHECK_THROWS_WITH_AS(parse_pin("core"), "unknown pin 'core' (known: none, cores, numa); choose one of these",
                         Error);
}
