// What an exchange between two models of a ring adds, and what it leaves alone.
#include "kernels/exchange/ring_exchange.h"

#include "kernels/lanes/dispatch.h"
#include "kernels/updates/racy.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

using namespace hogwild;

namespace {

constexpr std::uint32_t kCount = 45; // two lines and a part

struct RingArrays {
    // Whole lines and one more, as canaries.
    alignas(64) std::array<float, 64> own{}, base{}, next{}, next_base{};
};

/// Whole numbers, of which some lines have moved, some have a neighbour elsewhere.
RingArrays arrays(std::uint64_t seed) {
    TestNumbers numbers(seed);
    RingArrays made;
    for (std::uint32_t j = 0; j < made.own.size(); ++j) {
        const auto whole = [&] { return static_cast<float>(static_cast<int>(numbers.bits() % 64) - 32); };
        made.base[j] = j < kCount ? whole() : 0;
        made.own[j] = made.base[j] + (j / 16 == 1 ? 0 : whole());
        made.next_base[j] = j / 16 < 2 ? made.base[j] : whole();
        made.next[j] = made.next_base[j] + whole();
    }
    return made;
}

template <class Of>
void exchange(Of& of, RingWeights weights, InstructionSet set, std::uint32_t count) {
    const RingExchange between{of.own.data(), of.base.data(), of.next.data(), of.next_base.data(), weights};
    using On = OnLanes<RingExchangeBody, const RingExchange&, std::uint32_t, std::uint32_t>;
    constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    kForms[static_cast<std::size_t>(set)](between, 0, count);
}

/// An exchange pushes one onto every fourth line of the next model and every other coordinate of the rest. A worker
/// adds 2, 4 ... 2^20 to all of them meanwhile.
struct Meeting {
    static constexpr std::uint32_t kCoordinates = 1'024, kAdded = (1u << 21) - 2;

    static bool moves(std::uint32_t j) { return j / 16 % 4 == 0 || j % 2 == 0; }

    Meeting() {
        for (std::uint32_t j = 0; j < kCoordinates; ++j) own[j] = moves(j) ? 2.0f : 0.0f;
    }

    void run(InstructionSet set) {
        std::atomic<bool> begun{false};
        const std::jthread worker([&] {
            begun.store(true, std::memory_order_relaxed);
            for (float& coordinate : next) {
                for (std::uint32_t increment = 2; increment < kAdded; increment *= 2)
                    Racy().add(coordinate, static_cast<float>(increment));
            }
        });
        while (!begun.load(std::memory_order_relaxed)) std::this_thread::yield();
        exchange(*this, {0.5f, 1.0f}, set, kCoordinates);
    }

    alignas(64) std::array<float, kCoordinates> own{}, base{}, next{}, next_base{};
};

} // namespace

TEST_CASE(
    "both models of an exchange receive beta of what the own one moved, and it moves towards the next one's base") {
    for (std::uint32_t set = 0; set <= static_cast<std::uint32_t>(best_instruction_set()); ++set) {
        for (const RingWeights weights : {RingWeights{0.5f, 1.0f}, {0.75f, 1.0f}, {0.5f, 0.25f}}) {
            const RingArrays before = arrays(set + 7);
            RingArrays after = before;
            exchange(after, weights, static_cast<InstructionSet>(set), kCount);
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

TEST_CASE("of a push and what a worker adds meanwhile one is lost at most, the push or increments that follow each "
          "other, and no neighbour") {
    for (std::uint32_t set = 0; set <= static_cast<std::uint32_t>(best_instruction_set()); ++set) {
        for (int time = 0; time < 500; ++time) {
            Meeting meeting;
            meeting.run(static_cast<InstructionSet>(set));
            std::uint32_t lawful = 0;
            for (std::uint32_t j = 0; j < Meeting::kCoordinates; ++j) {
                const auto bits = static_cast<std::uint32_t>(meeting.next[j]); // one of each that was kept
                const std::uint32_t lost = Meeting::kAdded & ~bits, first = lost & -lost;
                const bool pushed = bits % 2 == 1, follow = (lost & (lost + first)) == 0;
                lawful +=
                    bits <= Meeting::kAdded + 1 && (Meeting::moves(j) && pushed ? follow : bits == Meeting::kAdded);
            }
            CHECK(lawful == Meeting::kCoordinates);
        }
    }
}
