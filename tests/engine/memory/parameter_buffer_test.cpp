#include "engine/memory/parameter_buffer.h"

#include "kernels/lanes/copy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

ParameterBuffer counting(std::uint32_t columns) {
    ParameterBuffer buffer(columns);
    for (std::uint32_t j = 0; j < columns; ++j) buffer.data()[j] = static_cast<float>(j + 1);
    return buffer;
}

} // namespace

TEST_CASE("a buffer starts at zero, at the beginning of a cache line") {
    const ParameterBuffer buffer(1'000);
    CHECK(buffer.size() == 1'000);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
    CHECK(std::all_of(buffer.data(), buffer.data() + 1'000, [](float w) { return w == 0.0f; }));
}

TEST_CASE("a snapshot has every coordinate and nothing beyond") {
    for (std::uint32_t columns = 1; columns <= 40; ++columns) {
        const ParameterBuffer buffer = counting(columns);
        std::vector<float> copy(columns + 8, -1.0f);
        copy_shared(copy.data(), buffer.data(), buffer.size());
        CHECK(std::equal(buffer.data(), buffer.data() + columns, copy.begin()));
        CHECK(std::all_of(copy.begin() + columns, copy.end(), [](float canary) { return canary == -1.0f; }));
    }
}

TEST_CASE("rescaling multiplies its range and nothing else") {
    ParameterBuffer buffer = counting(50);
    buffer.rescale(16, 33, 0.5f);
    for (std::uint32_t j = 0; j < 50; ++j) {
        const float factor = j >= 16 && j < 33 ? 0.5f : 1.0f;
        CHECK(buffer.data()[j] == factor * static_cast<float>(j + 1));
    }
}

TEST_CASE("short numbers start at zero; what they have goes up and comes down as it is") {
    for (const char* name : {"host-bf16", "host-fp16", "host-int8"}) {
        const MemoryKind kind = parse_memory(name).value();
        for (const std::uint32_t columns : {1u, 2u, 3u, 5u, 1'001u}) {
            ParameterBuffer buffer(columns, kind, {}, 60);
            std::vector<float> now(columns + 1, -1.0f);
            buffer.snapshot(now.data());
            CHECK(std::count(now.begin(), now.end(), 0.0f) == columns);
            CHECK(now.back() == -1.0f);
            for (std::uint32_t j = 0; j < columns; ++j) buffer.data()[j] = static_cast<float>(j % 119) - 59.0f;
            const std::vector<float> before(buffer.data(), buffer.data() + columns);
            buffer.upload();
            std::fill_n(buffer.data(), columns, 0.0f);
            buffer.download();
            CHECK(std::equal(before.begin(), before.end(), buffer.data()));
            buffer.rescale_stepped(0, columns, 0.5f, 1);
            buffer.snapshot(now.data());
            for (std::uint32_t j = 0; j < columns; ++j) CHECK(std::abs(now[j] - before[j] / 2) <= 0.5f);
        }
    }
}

TEST_CASE("slices cover every coordinate once, in whole lines, near-equally") {
    for (const std::uint32_t coordinates :
         {1u, 15u, 16u, 17u, 100u, 47'236u, std::numeric_limits<std::uint32_t>::max()}) {
        for (const std::uint32_t parts : {1u, 2u, 3u, 7u, 64u}) {
            std::uint32_t next = 0;
            std::uint64_t smallest = coordinates, largest = 0;
            for (std::uint32_t part = 0; part < parts; ++part) {
                const CoordinateRange range = slice(coordinates, part, parts);
                CHECK(range.begin == next);
                CHECK(range.end >= range.begin);
                CHECK((range.end % 16 == 0 || range.end == coordinates));
                smallest = std::min<std::uint64_t>(smallest, range.end - range.begin);
                largest = std::max<std::uint64_t>(largest, range.end - range.begin);
                next = range.end;
            }
            CHECK(next == coordinates);
            CHECK(largest - smallest < 2 * 16); // one line from rounding, and the last line may be short
        }
    }
}
