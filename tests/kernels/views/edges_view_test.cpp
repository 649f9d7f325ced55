#include "kernels/views/any_view.h"
#include "tests/random_graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace hogwild;

TEST_CASE("an edge touches the coordinates and the groups of its free ends, and of no terminal") {
    for (const std::uint32_t classes : {2u, 3u, 17u}) {
        const TestGraph graph = random_graph(300, 20, classes, 3);
        const EdgesView view = graph.view();
        const std::uint32_t width = classes == 2 ? 1 : classes;
        CHECK(view.coordinates() == 20 * width);
        CHECK(view.groups() == 20);
        std::uint64_t touched = 0;
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            std::vector<std::uint32_t> groups, coordinates, expected;
            view.row(i).for_each_group([&](std::uint32_t g) { groups.push_back(g); });
            view.row(i).for_each_coordinate([&](std::uint32_t j) { coordinates.push_back(j); });
            for (const std::uint32_t node : {graph.edges[i].u, graph.edges[i].v}) {
                for (std::uint32_t k = 0; node < 20 && k < width; ++k) expected.push_back(node * width + k);
            }
            CHECK(coordinates == expected);
            CHECK(groups.size() * width == coordinates.size());
            CHECK(std::is_sorted(groups.begin(), groups.end()));
            touched += coordinates.size();
        }
        CHECK(view.nonzeros() == touched);
    }
}

TEST_CASE("a view of edges is one of the views, and says what its samples are") {
    const TestGraph graph = random_graph(30, 20, 2, 3);
    const AnyView any = graph.view();
    CHECK(any.is<EdgesView>());
    CHECK(any.rows() == 30);
    CHECK(any.bytes() == 30 * 12);
    CHECK_FALSE(any.dense());
    CHECK(EdgesView::kSamples == "edges");
}
