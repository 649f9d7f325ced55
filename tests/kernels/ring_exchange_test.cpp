// What an exchange between two models of a ring adds, and what it leaves alone.
#include "kernels/ring_exchange.h"

#include "kernels/lanes/dispatch.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kCount = 45; // two lines and a part

struct Arrays {
    // Whole lines and one more, as canaries.
    alignas(64) std::array<float, 64> own{}, base{}, next{}, next_base{};
};

/// Whole numbers, of which some lines have moved, some have a neighbour elsewhere.
Arrays arrays(std::uint64_t seed) {
    TestNumbers numbers(seed);
    Arrays made;
    for (std::uint32_t j = 0; j < made.own.size(); ++j) {
        const auto whole = [&] { return static_cast<float>(static_cast<int>(numbers.bits() % 64) - 32); };
        made.base[j] = j < kCount ? whole() : 0;
        made.own[j] = made.base[j] + (j / 16 == 1 ? 0 : whole());
        made.next_base[j] = j / 16 < 2 ? made.base[j] : whole();
        made.next[j] = made.next_base[j] + whole();
    }
    return made;
}

void exchange(Arrays& of, RingWeights weights, InstructionSet set) {
    const RingExchange between{of.own.data(), of.base.data(), of.next.data(), of.next_base.data(), weights};
    using On = OnLanes<RingExchangeBody, const RingExchange&, std::uint32_t, std::uint32_t>;
    constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    kForms[static_cast<std::size_t>(set)](between, 0, kCount);
}

} // namespace

TEST_CASE(
    "both models of an exchange receive beta of what the own one moved, and it moves towards the next one's base") {
    for (std::uint32_t set = 0; set <= static_cast<std::uint32_t>(best_instruction_set()); ++set) {
        for (const RingWeights weights : {RingWeights{0.5f, 1.0f}, {0.75f, 1.0f}, {0.5f, 0.25f}}) {
            const Arrays before = arrays(set + 7);
            Arrays after = before;
            exchange(after, weights, static_cast<InstructionSet>(set));
            for (std::uint32_t j = 0; j < after.own.size(); ++j) {
                const bool in = j < kCount;
                const float push = in ? weights.beta * (before.own[j] - before.base[j]) : 0;
                const float mixed = before.base[j] + weights.lambda * (before.next_base[j] - before.base[j]);
                CHECK(after.own[j] == (in ? mixed + push : before.own[j]));
                CHECK(after.base[j] == (in ? after.own[j] : before.base[j]));
                CHECK(after.next[j] == before.next[j] + push);
                CHECK(after.next_base[j] == before.next_base[j]);
            }
        }
    }
}
