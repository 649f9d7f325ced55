#include "experiments/sweep/folder/journal.h"

#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "experiments/files/checked_line.h"
#include "experiments/text/json.h"
#include "tests/scratch.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

const Ended kDone{"a-run", "done", "abc", 1.5, 0.25, std::nullopt};

Ended done_in(const std::string& run) {
    Ended done = kDone;
    done.run = run;
    return done;
}

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
            journal.end(key, done_in(key));
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
            journal.end("k9", done_in("k9"));
        }
        CHECK(Journal(scratch.path, "journal").done().size() == expected + 1);
    }
}

TEST_CASE("a damaged line before others is an error that names it") {
    const Scratch scratch;
    {
        Journal journal(scratch.path, "journal");
        for (const std::string key : {"k1", "k2"}) journal.end(key, done_in(key));
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

TEST_CASE("a run that ended for two settings is an error that names the file and both") {
    const Scratch scratch;
    {
        Journal journal(scratch.path, "journal");
        journal.end("k1", done_in("one"));
        journal.end("k2", done_in("two"));
    }
    CHECK(Journal(scratch.path, "journal").done().size() == 2);
    Journal(scratch.path, "journal").end("k2", done_in("one"));
    CHECK_THROWS_WITH_AS(Journal(scratch.path, "journal"), doctest::Contains("one ended for the keys k1 and k2"),
                         Error);
    CHECK_THROWS_WITH_AS(Journal(scratch.path, "journal"), doctest::Contains("journal: two settings have one run"),
                         Error);
}

TEST_CASE("a right hash makes nothing true: a line that makes no sense is an error that names file and line") {
    Json good{{"event", "end"}, {"time", "2026-01-01T00:00:00Z"}, {"key", "k"}};
    good.update(ended_json(kDone));
    const auto journal_of = [&](const std::filesystem::path& folder, const Json& odd) {
        std::ofstream(folder / "journal", std::ios::binary) << checked_line(good) << checked_line(odd);
    };
    struct {
        const char* field;
        Json value;
        const char* why;
    } const cases[] = {
        {"event", "dawn", "its 'event' is 'dawn', neither begin nor end"},
        {"event", Json(), "its 'event' is null, not a text"},
        {"key", 3, "its 'key' is 3, not a text"},
        {"time", 2.5, "its 'time' is 2.5, not a text"},
        {"run", "../../etc", "its 'run' is '../../etc', no folder of a run"},
        {"run", "tuning/..", "no folder of a run"},
        {"run", "/tmp", "no folder of a run"},
        {"run", "", "no folder of a run"},
        {"run", "a\nb", "no folder of a run"},
        {"wall_seconds", -1e308, "its 'wall_seconds' is -1e+308, below 0"},
        {"to_target", -5, "its 'to_target' is -5, below 0"},
        {"status", "lost", "its 'status' is 'lost'"},
        {"status", true, "its 'status' is true, not a text"},
        {"wall_seconds", "1.5", "not a finite number"},
        {"loss", Json::array(), "its 'loss' is a list, not a finite number"},
    };
    for (const auto& [field, value, why] : cases) {
        const Scratch scratch;
        Json odd = good;
        odd[field] = value;
        journal_of(scratch.path, odd);
        CHECK_THROWS_WITH_AS(Journal(scratch.path, "journal"),
                             doctest::Contains("journal:2: the record makes no sense ("), Error);
        CHECK_THROWS_WITH_AS(Journal(scratch.path, "journal"), doctest::Contains(why), Error);
    }
    const Scratch scratch;
    for (const char* odd : {"3", "[]", "null", "\"end\"", "{}"}) {
        journal_of(scratch.path, json_of(odd));
        CHECK_THROWS_WITH_AS(Journal(scratch.path, "journal"), doctest::Contains("journal:2: "), Error);
    }
    for (const std::string odd : {"{", "[1", "{\"event\":\"begin\",\"event\":\"end\"}", "1e999"}) {
        const std::string line = fmt::format("{:016x} {}\n", content_hash(odd), odd);
        std::ofstream(scratch.path / "journal", std::ios::binary) << line; // the last one, as a torn line is
        CHECK_THROWS_WITH_AS(Journal(scratch.path, "journal"), doctest::Contains("journal:1: "), Error);
        CHECK(text_of(scratch.path / "journal") == line);
    }
    good["run"] = "tuning/a-run";
    journal_of(scratch.path, good);
    CHECK(Journal(scratch.path, "journal").done().at("k").run == "tuning/a-run");
}
