#include "engine/schemes/sync/finish_line.h"

#include "engine/workers/team.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace hogwild;

TEST_CASE("the first so many finish a round, in their order, and whoever is late does not") {
    FinishLine line(2);
    CHECK_FALSE(line.claim(0).has_value()); // none is open
    line.open(1);
    const auto first = line.claim(0), second = line.claim(0), third = line.claim(0);
    REQUIRE((first && second && third));
    CHECK(first->number == 0);
    CHECK(second->number == 1);
    CHECK(third->number == 2);
    CHECK_FALSE(line.claim(1).has_value()); // the caller had its place
    CHECK(line.finish(1) == 0u);
    CHECK(line.is_open(1));
    CHECK(line.finish(1) == 1u);
    CHECK_FALSE(line.is_open(1));
    CHECK_FALSE(line.finish(1).has_value());
    CHECK_FALSE(line.claim(0).has_value());
}

TEST_CASE("a place of an earlier round neither finishes a later one nor holds it up") {
    FinishLine line(1);
    line.open(1);
    const auto late = line.claim(0);
    REQUIRE(late.has_value());
    CHECK(line.finish(1).has_value());
    for (std::uint32_t round = 2; round < 100; ++round) {
        line.open(round);
        CHECK_FALSE(line.is_open(late->round));
        CHECK_FALSE(line.finish(late->round).has_value());
        CHECK(line.claim(round - 1)->number == 0);
        CHECK(line.finish(round) == 0u);
    }
    CHECK_FALSE(line.is_over());
    line.open(FinishLine::kOver);
    CHECK(line.is_over());
    CHECK_FALSE(line.claim(99).has_value());
}

TEST_CASE("of workers that race, each has a place of its own and as many finish as are wanted") {
    constexpr unsigned kWorkers = 5, kWanted = 3;
    WorkerTeam team(kWorkers, Pin::kNone);
    for (int run = 0; run < 200; ++run) {
        FinishLine line(kWanted);
        std::vector<unsigned> places(kWorkers, kWorkers), ranks(kWorkers, kWorkers);
        line.open(1);
        team.run([&](unsigned worker) {
            const auto place = line.claim(0);
            if (!place) return; // enough have finished already
            places[worker] = place->number;
            if (const auto rank = line.finish(1)) ranks[worker] = *rank;
        });
        std::ranges::sort(ranks);
        CHECK(ranks == std::vector<unsigned>{0, 1, 2, kWorkers, kWorkers});
        std::ranges::sort(places);
        for (unsigned p = 0; p < kWorkers; ++p) CHECK((places[p] == p || (p >= kWanted && places[p] == kWorkers)));
    }
}
