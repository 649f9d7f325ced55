#include "engine/machine/content_hash.h"

#include <doctest/doctest.h>

#include <string>

using namespace hogwild;

TEST_CASE("a hash is the same piece by piece, and every piece is told of once, in order") {
    for (const std::size_t size : {0u, 1u, 1'000u, 4u << 20, (4u << 20) + 1, 9'000'000u}) {
        std::string text(size, 'x');
        for (std::size_t i = 0; i < size; i += 97) text[i] = static_cast<char>(i % 251);
        std::string told;
        CHECK(content_hash(text, [&](std::string_view part) { told += part; }) == content_hash(text));
        CHECK(told == text);
    }
}
