#include "engine/network/layer_updates.h"

#include "engine/error.h"
#include "engine/network/network.h"
#include "kernels/catalog.h"
#include "kernels/network/layers/layer_updates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

using namespace hogwild;

namespace {

NetworkShape toy() { return network_of("conv 3 3 relu; maxpool 2; dense 8 tanh; dense 4", {8, 8, 1}, 4); }

} // namespace

TEST_CASE("layers that are named have their policy in all of their weights, biases too, and others that of the run") {
    const NetworkShape network = toy();
    CHECK(layer_updates("none", network).empty());
    const std::vector<LayerUpdate> ranges = layer_updates("4=noop+1=atomic", network);
    REQUIRE(ranges.size() == 3);
    const auto named = [&](std::uint32_t coordinate) {
        std::string name;
        with_layer_update(ranges, coordinate, std::string_view("of the run"), [&]<class Policy>(const Policy& policy) {
            if constexpr (std::is_same_v<Policy, std::string_view>)
                name = policy;
            else
                name = Policy::name;
        });
        return name;
    };
    for (std::uint32_t j = 0; j < network.coordinates; ++j)
        CHECK(named(j) == (j < network.layers[2].weights   ? "atomic"
                           : j < network.layers[3].weights ? "of the run"
                                                           : "noop"));
}

TEST_CASE("a value of eight bytes has the same choices layer by layer, of as many layers as there may be") {
    CHECK(layer_choices("none").of(0) == LayerUpdate::kOfRun);
    const LayerChoices made = layer_choices("1=atomic+3=noop+24=racy");
    for (std::uint32_t l = 0; l < NetworkShape::kMostLayers; ++l) {
        const std::size_t policy = made.of(l);
        CHECK(policy == (l == 0    ? catalog::find<LayerPolicies>("atomic")
                         : l == 2  ? catalog::find<LayerPolicies>("noop")
                         : l == 23 ? catalog::find<LayerPolicies>("racy")
                                   : LayerUpdate::kOfRun));
    }
}

TEST_CASE("which policies are among those of layers is known without their network") {
    const auto writes_nothing = [](const UpdateTraits& policy) { return !policy.writes; };
    const auto overwrites = [](const UpdateTraits& policy) { return policy.overwrites(); };
    const auto is_any = [](const UpdateTraits&) { return true; };
    CHECK(layer_policy("1=atomic+3=noop", writes_nothing) == "noop");
    CHECK(layer_policy("1=atomic+3=noop", overwrites).empty());
    CHECK(layer_policy("none", is_any).empty());
}

TEST_CASE("between layers that have their policy, batch normalisation keeps that of the run") {
    const NetworkShape network = network_of("conv 3 3; batchnorm relu; dense 4", {8, 8, 1}, 4);
    const std::vector<LayerUpdate> ranges = layer_updates("1=atomic+3=noop", network);
    REQUIRE(ranges.size() == 3);
    CHECK(ranges[0].end == network.layers[1].weights);
    CHECK(ranges[1].end == network.layers[2].weights);
    CHECK(ranges[1].policy == LayerUpdate::kOfRun);
    CHECK(ranges[2].end == network.coordinates);
}

TEST_CASE("what names no layer or no policy is refused, and layers that the network lacks or that have no weights") {
    const auto refused = [](const char* text, const char* why) {
        CAPTURE(text);
        CHECK_THROWS_WITH_AS(check_layer_updates(text), doctest::Contains(why), Error);
    };
    for (const char* text :
         {"", "1", "=racy", "0=racy", "-1=racy", "1 =racy", "first=racy", "1=racy+", "99999999999=racy"})
        refused(text, "names no layer by its number, from 1 on, and a policy");
    refused("1=atomc", "'1=atomc' names no policy of racy, atomic, noop");
    refused("1=cas-bounded", "names no policy of racy, atomic, noop");
    refused("3=racy+3=atomic", "'3=atomic' names a layer that has a policy already");
    check_layer_updates("none");
    check_layer_updates("12=racy+3=noop");
    CHECK(why_not_layer_updates("1=atomic+4=racy", toy()).empty());
    CHECK(why_not_layer_updates("5=racy", toy()) ==
          "the network has 4 layers, and none is number 5; use --layer-update with layers 1, 3, 4");
    CHECK(why_not_layer_updates("2=racy", toy()).starts_with("layer 2, maxpool"));
    CHECK(why_not_layer_updates("2=racy", toy())
              .ends_with("has no weights to be updated; use --layer-update with layers 1, 3, 4"));
}
