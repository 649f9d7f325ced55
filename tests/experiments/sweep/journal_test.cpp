#include "experiments/sweep/journal.h"

#include "engine/error.h"
#include "experiments/json.h"
#include "tests/scratch.h"

#include <algorithm>

using namespace hogwild;

namespace {

const Ended kDone{"a-run", "done", "abc", 1.5, 0.25, std::nullopt};

bool same(const Ended& a, const Ended& b) { return ended_json(a) == ended_json(b); }

} // namespace

TEST_CASE("what a journal was told it says again, from whichever of a folder's journals") {
    const Scratch scratch;
    {
        Journal first(scratch.path, "journal-1of2"), second(scratch.path, "journal-2of2");
        first.begin("k1");
        first.end("k1", kDone);
        second.begin("k2");
    }
    const Journal again(scratch.path, "journal");
    REQUIRE(again.done().size() == 1); // k2 was begun, not done
    CHECK(same(again.done().at("k1"), kDone));
}

TEST_CASE("a journal cut at any byte says what its whole lines say, and goes on") {
    const Scratch scratch;
    const auto path = scratch.path / "journal";
    {
        Journal journal(scratch.path, "journal");
        for (const std::string key : {"k1", "k2", "k3"}) {
            journal.begin(key);
            journal.end(key, kDone);
        }
    }
    const std::string whole = text_of(path);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        std::ofstream(path, std::ios::binary) << whole.substr(0, size);
        std::size_t expected = 0;
        const std::size_t lines = static_cast<std::size_t>(std::count(whole.begin(), whole.begin() + size, '\n'));
        expected = lines / 2;
        {
            Journal journal(scratch.path, "journal");
            CHECK(journal.done().size() == expected);
            journal.end("k9", kDone);
        }
        CHECK(Journal(scratch.path, "journal").done().size() == expected + 1);
    }
}

TEST_CASE("a damaged line before others is an error that names it") {
    const Scratch scratch;
    {
        Journal journal(scratch.path, "journal");
        for (const std::string key : {"k1", "k2"}) journal.end(key, kDone);
    }
    std::string text = text_of(scratch.path / "journal");
    for (const std::size_t at : {std::size_t{0}, std::size_t{20}, text.find('\n') - 1}) {
        std::string damaged = text;
        damaged[at] ^= 1;
        std::ofstream(scratch.path / "journal", std::ios::binary) << damaged;
        CHECK_THROWS_WITH_AS(Journal(scratch.path, "journal"), doctest::Contains("journal:1: the record is damaged"),
                             Error);
    }
}
