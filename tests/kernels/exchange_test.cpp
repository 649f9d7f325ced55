#include "kernels/exchange.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

/// A copy of a buffer, and what its holder does with it.
struct Copy {
    explicit Copy(std::size_t count) : values(count), base(count), seen(count), delta(count) {}

    template <class Add>
    void exchange_with(std::vector<float>& buffer, float rule, const Add& add) {
        for (std::size_t j = 0; j < values.size(); ++j) seen[j] = relaxed_load(values[j]);
        exchange(buffer.data(), {seen.data(), base.data(), delta.data(), static_cast<std::uint32_t>(seen.size()), rule},
                 add);
        for (std::size_t j = 0; j < values.size(); ++j) AddAtomically{}(values[j], delta[j]);
    }

    std::vector<float> values, base, seen, delta;
};

} // namespace

TEST_CASE("a round brings both sides' increments together, each once") {
    std::vector<float> buffer{0, 0, 0};
    Copy copy(3);
    buffer = {1, 0, 4};
    copy.values = {2, 8, 0};
    for (int round = 0; round < 3; ++round) { // the second and third have nothing to bring
        copy.exchange_with(buffer, 1, AddAtomically{});
        CHECK(buffer == std::vector<float>{3, 8, 4});
        CHECK(copy.values == buffer);
    }
    buffer[0] += 1;
    copy.values[0] += 2;
    copy.exchange_with(buffer, 1, AddRacily{});
    CHECK(buffer[0] == 6);
    CHECK(copy.values[0] == 6);
}

TEST_CASE("a rule below 1 brings a share of the copy's increments, and the copy forgets the rest") {
    std::vector<float> buffer{1};
    Copy copy(1);
    copy.values = {8};
    copy.exchange_with(buffer, 0.25f, AddAtomically{});
    CHECK(buffer[0] == 3);
    CHECK(copy.values[0] == 3);
}

TEST_CASE("while both sides step, exchanges lose nothing and count nothing twice") { // increments are powers of two
    constexpr std::size_t kCount = 64;
    constexpr int kSteps = 20'000;
    std::vector<float> buffer(kCount);
    Copy copy(kCount);
    std::atomic<int> stepping{3};
    const auto steps = [&](std::vector<float>& on, float by) {
        for (int i = 0; i < kSteps; ++i) AddAtomically{}(on[static_cast<std::size_t>(i * 7) % kCount], by);
        stepping.fetch_sub(1);
    };
    std::thread host(steps, std::ref(buffer), 1.0f), other_host(steps, std::ref(buffer), 2.0f),
        device(steps, std::ref(copy.values), 4.0f);
    while (stepping.load() > 0) copy.exchange_with(buffer, 1, AddAtomically{});
    host.join();
    other_host.join();
    device.join();
    copy.exchange_with(buffer, 1, AddAtomically{});
    double sum = 0;
    for (const float value : buffer) sum += value;
    CHECK(sum == 7.0 * kSteps);
    CHECK(copy.values == buffer);
}
