#include "experiments/sweep/journal.h"

#include "engine/error.h"
#include "experiments/files/checked_line.h"
#include "experiments/text/json.h"
#include "tests/scratch.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

const Ended kDone{"a-run", "done", "abc", 1.5, 0.25, std::nullopt};

/// A journal of these events of the run "k", "EVENT TIME" each.
void write_journal(const std::filesystem::path& path, const std::vector<std::string>& events) {
    std::ofstream file(path, std::ios::binary);
    for (const std::string& event : events) {
        const auto blank = event.find(' ');
        Json record{{"event", event.substr(0, blank)}, {"time", event.substr(blank + 1)}, {"key", "k"}};
        if (event.starts_with("end")) record.update(ended_json(kDone));
        file << checked_line(record);
    }
}

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
    CHECK(again.done().at("k1") == kDone);
    CHECK(again.is_open("k2"));
    CHECK(!again.is_open("k1"));
}

TEST_CASE(
    "a run that began once more is open until it ends, by the order of lines or, between journals, by their time") {
    struct {
        std::vector<std::string> journal, shard;
        bool open;
    } const cases[] = {
        {{"begin 1", "end 1", "begin 1"}, {}, true},
        {{"begin 1", "end 1", "begin 1", "end 1"}, {}, false},
        {{"begin 1"}, {"begin 2", "end 3"}, false}, // killed there, done here
        {{"begin 3"}, {"begin 1", "end 2"}, true},
        {{"begin 2"}, {"begin 1", "end 2"}, false}, // what is done stays done
    };
    for (const auto& [journal, shard, open] : cases) {
        for (const bool swapped : {false, true}) {
            const Scratch scratch;
            write_journal(scratch.path / "journal", swapped ? shard : journal);
            write_journal(scratch.path / "journal-1of2", swapped ? journal : shard);
            CHECK(Journal(scratch.path).is_open("k") == open);
        }
    }
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
