// One exchange of a replica, by every instruction set.
#include "kernels/exchange/replica_exchange.h"

#include "kernels/lanes/dispatch.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kRoom = 96; // whole lines

struct Arrays {
    alignas(64) std::array<float, kRoom> shared{}, own{}, base{};
};

/// f(form) for every instruction set that this processor has.
void for_each_form(const auto& f) {
    using On = OnLanes<ReplicaExchangeBody, const ReplicaExchange&, std::uint32_t, std::uint32_t, float>;
    f(On::scalar);
    if (best_instruction_set() >= InstructionSet::kAvx2) f(On::avx2);
    if (best_instruction_set() >= InstructionSet::kAvx512) f(On::avx512);
}

} // namespace

TEST_CASE(
    "an exchange adds the share of what the replica moved by, takes the shared model over, and touches nothing else") {
    for_each_form([](const auto form) {
        for (std::uint32_t size = 0; size <= 67; ++size) {
            Arrays arrays;
            for (std::uint32_t j = 0; j < kRoom; ++j) {
                arrays.shared[j] = static_cast<float>(j);
                arrays.base[j] = j < size ? 1 : 0;
                arrays.own[j] = j < size ? 1 + static_cast<float>(j % 7) : 0;
            }
            const ReplicaExchange exchange{
                arrays.shared.data(), arrays.own.data(), arrays.base.data(), nullptr, nullptr, 0.5f};
            form(exchange, 0, size, 0);
            for (std::uint32_t j = 0; j < kRoom; ++j) {
                const float added = j < size ? 0.5f * static_cast<float>(j % 7) : 0;
                REQUIRE(arrays.shared[j] == static_cast<float>(j) + added);
                if (j >= size) continue;
                REQUIRE(arrays.own[j] == arrays.shared[j]);
                REQUIRE(arrays.base[j] == arrays.shared[j]);
            }
        }
    });
}

TEST_CASE("lines with steeper losses give a smaller share, from the range's first line on") {
    const SequentialShare shares(4);
    const std::vector<float> curvatures{0, 0.25f, 8, 0, 0, 0};
    for_each_form([&](const auto form) {
        Arrays arrays;
        arrays.own.fill(1);
        const ReplicaExchange exchange{arrays.shared.data(), arrays.own.data(), arrays.base.data(), curvatures.data(),
                                       &shares};
        form(exchange, 16, 48, 2);
        CHECK(arrays.shared[0] == 0);
        CHECK(arrays.shared[16] == shares(0.5f));
        CHECK(arrays.shared[47] == shares(16));
        CHECK(arrays.shared[48] == 0);
    });
}

TEST_CASE("of a share below 1 what L2 did to all coordinates is taken back as much as what is not added") {
    const SequentialShare shares(4);
    const std::vector<float> curvatures{8, 0, 0, 0, 0, 0};
    for_each_form([&](const auto form) {
        Arrays arrays;
        arrays.shared.fill(3);
        const ReplicaExchange exchange{
            arrays.shared.data(), arrays.own.data(), arrays.base.data(), curvatures.data(), &shares, 1, 0.25f};
        form(exchange, 0, 40, 2); // lambda times the steps is a half
        CHECK(arrays.shared[15] == 3 * (1 + (1 - shares(16)) * 0.5f));
        CHECK(arrays.shared[16] == 3);
    });
}

TEST_CASE("with share 1 nothing is lost and nothing counts twice, however often replicas exchange") {
    for_each_form([](const auto form) {
        Arrays arrays;
        std::array<Arrays, 3> workers{};
        for (std::uint32_t round = 0; round < 50; ++round) {
            const std::uint32_t w = round * round % 3;
            for (std::uint32_t j = 0; j < 40; ++j) workers[w].own[j] += 1;
            if (round % 4 == 3) continue; // given at a later round
            form({arrays.shared.data(), workers[w].own.data(), workers[w].base.data(), nullptr, nullptr, 1}, 0, 40, 0);
        }
        for (Arrays& worker : workers)
            form({arrays.shared.data(), worker.own.data(), worker.base.data(), nullptr, nullptr, 1}, 0, 40, 0);
        for (std::uint32_t j = 0; j < 40; ++j) CHECK(arrays.shared[j] == 50);
    });
}
