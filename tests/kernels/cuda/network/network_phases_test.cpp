// Which phases of a step are launches or barriers of their own.
#include "engine/network/network.h"
#include "kernels/cuda/network/network_phases.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace hogwild;

namespace {

/// A letter for each phase that is not empty: I, F, S, B, G, P, those of layers with their number.
std::string phases_of(const std::string& layers, const MapShape& images, bool given) {
    const NetworkShape network = network_of(layers, images, 10);
    const std::uint32_t fused = fused_layers(network, given);
    std::string all;
    for (std::uint32_t p = 0; p < phases(network); ++p) {
        const NetworkPhase phase = phase_at(network, p);
        if (is_empty(network, fused, phase)) continue;
        all += "IFSBGP"[static_cast<unsigned>(phase.kind)];
        if (phase.kind == PhaseKind::kForward || phase.kind == PhaseKind::kBack) all += std::to_string(phase.layer);
    }
    return all;
}

} // namespace

TEST_CASE("phases that can be taken together are one") {
    const std::string mlp = "dense 128 relu; dense 10";
    CHECK(phases_of(mlp, {28, 28, 1}, false) == "IF0F1B1G");
    CHECK(phases_of(mlp, {28, 28, 1}, true) == "IF0F1SB1G");
    CHECK(phases_of("dense 10", {28, 28, 1}, false) == "IF0G");
    CHECK(phases_of("conv 6 5 relu; maxpool 2; conv 16 5 relu; maxpool 2; dense 120 relu; dense 84 relu; dense 10",
                    {28, 28, 1}, false) == "IF0F2F4F5F6B6B5B4B2GP");
    CHECK(phases_of("meanpool 2; dense 10", {28, 28, 1}, false) == "IF0F1B1G");
}
