// How a GPU launch cuts its positions.
#include "kernels/cuda/pass.h"

#include <doctest/doctest.h>

#include <utility>

using namespace hogwild;

TEST_CASE("pieces cover every position once, in order, and end with small ones for every worker") {
    for (const std::uint32_t count : {0u, 1u, 3u, 4u, 31u, 32u, 33u, 1'000u, 100'000u}) {
        for (const auto& [workers, abreast] : {std::pair{1u, 1u},
                                               {7u, 4u},
                                               {2'112u, 1u},
                                               {1'000'000'000u, 2u},
                                               {1u, 8u},
                                               {7u, 32u},
                                               {100u, 8u},
                                               {2'112u, 32u}}) {
            const Pieces pieces(count, workers, abreast);
            const std::uint32_t times = abreast > 4 ? abreast / 4 : 1;
            std::uint64_t next = 0;
            for (std::uint32_t i = 0;; ++i) {
                const Pieces::Piece piece = pieces[i];
                if (piece.count == 0) break;
                CHECK(piece.first == next);
                const std::uint64_t left = count - next;
                const auto all_get = [&, workers = workers](std::uint32_t size) {
                    return left > std::uint64_t{workers} * size * times;
                };
                CHECK(piece.count <= times * (all_get(Pieces::kWhole)     ? Pieces::kWhole
                                              : all_get(Pieces::kHalfway) ? Pieces::kHalfway
                                                                          : Pieces::kSmall));
                CHECK((piece.count % times == 0 || piece.first + piece.count == count));
                next += piece.count;
            }
            CHECK(next == count);
            CHECK(pieces[pieces.size()].count == 0);
            CHECK(pieces[count + 1].count == 0);
            CHECK(pieces[0xFFFFFFFF].count == 0); // claims go on rising when nothing is left
        }
    }
}

TEST_CASE("even pieces cover every position once, in order, all but the last of one size") {
    for (const std::uint32_t count : {0u, 1u, 63u, 64u, 65u, 60'000u, 0xFFFFFFFEu}) {
        for (const std::uint32_t size : {1u, 64u, 1'000u, 0xFFFFFFFFu}) {
            if (count / size > 100'000) continue;
            const Pieces pieces = Pieces::even(count, size);
            std::uint64_t next = 0;
            for (std::uint32_t i = 0; i < pieces.size(); ++i) {
                CHECK(pieces[i].first == next);
                CHECK((pieces[i].count == size || i + 1 == pieces.size()));
                CHECK(pieces[i].count > 0);
                next += pieces[i].count;
            }
            CHECK(next == count);
            CHECK(pieces[pieces.size()].count == 0);
            CHECK(pieces[0xFFFFFFFF].count == 0);
        }
    }
}

TEST_CASE("pieces reach the last position that 32 bits can name") {
    const Pieces pieces(0xFFFFFFFE, 1);
    const std::uint32_t whole = (0xFFFFFFFE - 32) / 32;
    CHECK(pieces[whole - 1].count == 32);
    CHECK(pieces[whole].count == 8);
    CHECK(pieces[pieces.size() - 1].first == 0xFFFFFFFC);
    CHECK(pieces[pieces.size()].count == 0);
}
