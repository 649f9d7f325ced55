#include "engine/record/recorder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace hogwild;

namespace {

void fill(const ParameterBuffer& buffer, float first) {
    for (std::uint32_t j = 0; j < buffer.size(); ++j) buffer.data()[j] = first + static_cast<float>(j);
}

} // namespace

TEST_CASE("a snapshot is the buffer as it was, with its count and its scale") {
    for (const std::uint32_t columns : {1u, 15u, 16u, 17u, 100u}) {
        const ParameterBuffer buffer(columns);
        Recorder recorder(columns, 3, 1 << 20);
        recorder.start(buffer);
        for (std::uint64_t number = 1; number <= 3; ++number) {
            fill(buffer, 1'000.0f * static_cast<float>(number));
            recorder.observe(number, Moment{7 * number, 1.0 / static_cast<double>(number + 1)}, buffer.data());
        }
        fill(buffer, -1.0f); // later writes change no snapshot
        const std::vector<Snapshot> taken = recorder.taken();
        REQUIRE(taken.size() == 4);
        for (std::uint64_t number = 0; number <= 3; ++number) {
            CHECK(taken[number].updates == 7 * number);
            CHECK(taken[number].scale == 1.0 / static_cast<double>(number + 1));
            CHECK(taken[number].copy_seconds >= 0);
            if (number > 0) CHECK(taken[number].seconds >= taken[number - 1].seconds);
            for (std::uint32_t j = 0; j < columns; ++j) {
                const float first = 1'000.0f * static_cast<float>(number);
                CHECK(taken[number].values[j] == (number == 0 ? 0.0f : first + static_cast<float>(j)));
            }
        }
    }
}

TEST_CASE("what was not observed is not there, and what was comes in order of time, and never goes back") {
    const ParameterBuffer buffer(16);
    Recorder recorder(16, 5, 1 << 20);
    recorder.start(buffer);
    for (const std::uint64_t number : {3u, 1u})
        recorder.observe(number, Moment{number, 1.0}, buffer.data()); // as workers overtake
    const std::vector<Snapshot> taken = recorder.taken();
    REQUIRE(taken.size() == 3);
    CHECK(taken[0].updates == 0);
    CHECK(taken[1].updates == 3);
    CHECK(taken[2].updates == 3);
    CHECK(taken[1].seconds <= taken[2].seconds);
}

TEST_CASE("a snapshot budget keeps every k-th observation, the first and the last") {
    for (const std::uint64_t observations : {1u, 9u, 10u, 11u, 99u, 100u, 101u}) {
        Recorder recorder(16, observations, 10 * 64); // ten snapshots of a line
        const ParameterBuffer buffer(16);
        recorder.start(buffer);
        for (std::uint64_t i = 1; i <= observations; ++i) recorder.observe(i, Moment{i, 1.0}, buffer.data());
        const std::vector<Snapshot> taken = recorder.taken();
        CHECK(taken.size() <= 12);
        CHECK(taken.size() == recorder.slots()); // no memory is taken for others
        REQUIRE(taken.size() >= 2);
        CHECK(taken.front().updates == 0);
        CHECK(taken.back().updates == observations);
        const std::uint64_t every = taken[1].updates;
        if (observations <= 10) CHECK(every == 1);
        for (std::size_t i = 0; i + 1 < taken.size(); ++i) CHECK(taken[i].updates == i * every);
        CHECK(taken.back().updates - taken[taken.size() - 2].updates <= every);
    }
}

TEST_CASE("no more snapshots are allocated than moments at which one can be due, and each of these has its own") {
    constexpr std::uint64_t kEpochs = 3;
    const ParameterBuffer buffer(16);
    for (const std::uint64_t asked : {1u, 7u, 10u, 100u, 1'000u}) {
        for (const std::uint64_t moments : {1u, 2u, 9u, 10u, 33u, 699u, 700u}) {
            Recorder recorder(16, asked * kEpochs, 1 << 20, {asked, moments});
            CHECK(recorder.slots() == std::min(asked, moments) * kEpochs + 1);
            recorder.start(buffer);
            std::vector<std::uint64_t> seen{0};
            for (std::uint64_t epoch = 0; epoch < kEpochs; ++epoch) {
                for (std::uint64_t moment = 1; moment <= moments; ++moment) {
                    const std::uint64_t due = moment * asked / moments, number = epoch * asked + due;
                    if (due == (moment - 1) * asked / moments) continue;
                    seen.push_back(epoch * moments + moment);
                    recorder.observe(number, Moment{seen.back(), 1.0}, buffer.data());
                }
            }
            const std::vector<Snapshot> taken = recorder.taken();
            REQUIRE(taken.size() == seen.size());
            for (std::size_t i = 0; i < seen.size(); ++i) CHECK(taken[i].updates == seen[i]);
        }
    }
}

TEST_CASE("a snapshot is as old as the beginning of its copy") {
    constexpr std::uint32_t kColumns = 1'000'000;
    const ParameterBuffer buffer(kColumns);
    Recorder recorder(kColumns, 4, 1 << 30);
    recorder.start(buffer);
    for (std::uint64_t number = 1; number <= 3; ++number) {
        const double before = recorder.seconds();
        recorder.observe(number, Moment{number, 1.0}, buffer.data());
        const double after = recorder.seconds();
        const Snapshot snapshot = recorder.taken().back();
        CHECK(snapshot.seconds >= before);
        CHECK(snapshot.seconds < after);
        CHECK(snapshot.copy_seconds > 0);
        CHECK(snapshot.copy_seconds <= after - before);
        if (snapshot.tries == 1) CHECK(snapshot.seconds + snapshot.copy_seconds <= after + 1e-12);
    }
}

TEST_CASE("a snapshot's scale and count are of the moment of its copy, however late that is") {
    ParameterBuffer buffer(16);
    Recorder recorder(16, 2, 1 << 20);
    recorder.start(buffer);
    // The run goes on while the one that copies has lost its core: in the middle of the first try, ten milliseconds long.
    Moment run{100, 1.0};
    fill(buffer, 1.0f);
    int asked = 0;
    const auto now = [&] {
        if (++asked == 2) {
            for (const double end = recorder.seconds() + 0.01; recorder.seconds() < end;) {}
            run = {900, 0.25};
            fill(buffer, 5.0f);
        }
        return run;
    };
    recorder.observe(1, now, buffer.data());
    const Snapshot late = recorder.taken().back();
    CHECK(late.tries > 1);
    CHECK(late.updates == 900);
    CHECK(late.scale == 0.25);
    CHECK(late.values[0] == 5.0f);
}

TEST_CASE("while the run goes on, a snapshot is of the moment half way through its copy") {
    const ParameterBuffer buffer(16);
    Recorder recorder(16, 2, 1 << 20);
    recorder.start(buffer);
    std::uint64_t asked = 0;
    recorder.observe(
        1,
        [&] {
            ++asked;
            return Moment{100 * asked, std::exp2(-static_cast<double>(asked))};
        },
        buffer.data());
    const Snapshot taken = recorder.taken().back();
    const double tries = taken.tries;
    CHECK(taken.updates == 200 * taken.tries - 50);
    CHECK(taken.scale == doctest::Approx(std::exp2(0.5 - 2 * tries)));
}
