#include "kernels/exchange/exchange.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

void add(float& coordinate, float by) { std::atomic_ref<float>(coordinate).fetch_add(by, std::memory_order_relaxed); }

/// A copy of a buffer, and what its holder does with it.
struct Copy {
    explicit Copy(std::size_t count) : values(count), base(count), seen(count), delta(count) {}

    template <class Exchange>
    void exchange_with(float* buffer, float rule, const Exchange& exchange) {
        for (std::size_t j = 0; j < values.size(); ++j) seen[j] = relaxed_load(values[j]);
        exchange(buffer, {seen.data(), base.data(), delta.data(), static_cast<std::uint32_t>(seen.size()), rule});
        for (std::size_t j = 0; j < values.size(); ++j) add(values[j], delta[j]);
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
        copy.exchange_with(buffer.data(), 1, exchange_atomically);
        CHECK(buffer == std::vector<float>{3, 8, 4});
        CHECK(copy.values == buffer);
    }
    buffer[0] += 1;
    copy.values[0] += 2;
    copy.exchange_with(buffer.data(), 1, exchange_racily);
    CHECK(buffer[0] == 6);
    CHECK(copy.values[0] == 6);
}

TEST_CASE("a rule below 1 brings a share of the copy's increments, and the copy forgets the rest") {
    std::vector<float> buffer{1};
    Copy copy(1);
    copy.values = {8};
    copy.exchange_with(buffer.data(), 0.25f, exchange_atomically);
    CHECK(buffer[0] == 3);
    CHECK(copy.values[0] == 3);
}

TEST_CASE("wherever a buffer begins, each of its coordinates is exchanged, and no other") {
    for (const auto& exchange : {exchange_atomically, exchange_racily}) {
        for (std::size_t count = 1; count < 40; ++count) {
            for (std::size_t begin = 0; begin < 4; ++begin) {
                std::vector<float> lines(48, 1.0f), expected = lines;
                Copy copy(count);
                for (std::size_t j = 0; j < count; ++j) copy.values[j] = static_cast<float>(j + 1);
                for (std::size_t j = 0; j < count; ++j) expected[begin + j] += copy.values[j];
                copy.exchange_with(lines.data() + begin, 1, exchange);
                CHECK(lines == expected);
                CHECK(copy.values == std::vector<float>(&expected[begin], &expected[begin] + count));
            }
        }
    }
}

TEST_CASE("while both sides step, exchanges lose nothing and count nothing twice") { // increments are powers of two
    constexpr std::size_t kCount = 64;
    constexpr int kSteps = 500'000;
    std::vector<float> buffer(kCount);
    Copy copy(kCount);
    std::atomic<int> stepping{3};
    const auto steps = [&](std::vector<float>& on, float by) {
        for (int i = 0; i < kSteps; ++i) add(on[static_cast<std::size_t>(i * 7) % kCount], by);
        stepping.fetch_sub(1);
    };
    std::thread host(steps, std::ref(buffer), 1.0f), other_host(steps, std::ref(buffer), 2.0f),
        device(steps, std::ref(copy.values), 4.0f);
    while (stepping.load() > 0) copy.exchange_with(buffer.data(), 1, exchange_atomically);
    host.join();
    other_host.join();
    device.join();
    copy.exchange_with(buffer.data(), 1, exchange_racily);
    double sum = 0;
    for (const float value : buffer) sum += value;
    CHECK(sum == 7.0 * kSteps);
    CHECK(copy.values == buffer);
}
