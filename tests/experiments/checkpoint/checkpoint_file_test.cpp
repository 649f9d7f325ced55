#include "engine/plan/plan.h"
#include "experiments/checkpoint/checkpoint_file.h"

#include "engine/data/synthetic/synthetic.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "experiments/files/checked_line.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {
namespace {

Dataset tiny(std::uint32_t rows) {
    const std::string name = "synthetic:rows=" + std::to_string(rows) + ",features=7,nonzeros=3";
    return generate(parse_synthetic(name, 1), name);
}

Json part(unsigned number) { return {{"number", number}, {"cpu", "a \"b\""}}; }

struct Written {
    Scratch scratch;
    std::filesystem::path path = scratch.path / "checkpoint";
    Dataset train = tiny(50);
    Plan plan;

    /// A file of so many snapshots; how long it was after each of them, the first line counted as none.
    std::vector<std::size_t> sizes(std::size_t count) const {
        CheckpointFile file(path, plan, train, part(1));
        std::vector<std::size_t> sizes{std::filesystem::file_size(path)};
        for (std::size_t i = 0; i < count; ++i) {
            file.append(snapshot(i), losses(i));
            sizes.push_back(std::filesystem::file_size(path));
        }
        return sizes;
    }

    Snapshot snapshot(std::size_t i) const {
        for (std::size_t j = 0; j < values_.size(); ++j)
            values_[j] = static_cast<float>(i + 1) / static_cast<float>(j + 3);
        if (i == 1) values_[2] = std::numeric_limits<float>::quiet_NaN();
        return {.number = i,
                .taken = true,
                .seconds = 0.1 * static_cast<double>(i),
                .copy_seconds = 1e-6,
                .tries = 2,
                .updates = 17 * i,
                .consumed = i,
                .scale = 1 / 3.0,
                .values = values_.data()};
    }

    static std::vector<double> losses(std::size_t i) {
        return {1.0, 0.1, std::numeric_limits<double>::infinity(), 1 / static_cast<double>(i + 7)};
    }

    std::optional<Checkpoint> read() const { return read_checkpoint(path, plan, train); }

private:
    mutable std::vector<float> values_ = std::vector<float>(7);
};

void check_snapshot(const Written& written, const Checkpoint& read, std::size_t i) {
    const Snapshot wanted = written.snapshot(i), &is = read.snapshots[i];
    CHECK(is.number == wanted.number);
    CHECK(is.taken);
    CHECK(is.seconds == wanted.seconds);
    CHECK(is.ended == wanted.ended);
    CHECK(is.copy_seconds == wanted.copy_seconds);
    CHECK(is.tries == wanted.tries);
    CHECK(is.updates == wanted.updates);
    CHECK(is.consumed == wanted.consumed);
    CHECK(is.scale == wanted.scale);
    CHECK(std::memcmp(is.values, wanted.values, 7 * sizeof(float)) == 0);
}

TEST_CASE("what is appended is read back to the bit, of every part") {
    const Written written;
    CHECK_FALSE(written.read().has_value());
    written.sizes(0);
    CHECK_FALSE(written.read().has_value());
    written.sizes(2);
    {
        CheckpointFile file(written.path, part(2), written.train.view().coordinates());
        file.append(written.snapshot(2), written.losses(2));
    }
    const auto read = written.read();
    REQUIRE(read.has_value());
    REQUIRE(read->snapshots.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) check_snapshot(written, *read, i);
    CHECK(read->parts == std::vector<Json>{part(1), part(1), part(2)});
    CHECK(read->losses == written.losses(2));
}

TEST_CASE("a file torn at any byte holds what was whole, and goes on there") {
    const Written written;
    const std::vector<std::size_t> sizes = written.sizes(3);
    const std::string whole = text_of(written.path);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        std::ofstream(written.path, std::ios::binary) << whole.substr(0, size);
        const auto left = static_cast<std::size_t>(std::ranges::upper_bound(sizes, size) - sizes.begin());
        const std::size_t count = left == 0 ? 0 : left - 1;
        const auto read = written.read();
        REQUIRE((read ? read->snapshots.size() : 0) == count);
        if (count == 0) continue;
        CHECK(std::filesystem::file_size(written.path) == sizes[count]);
        CheckpointFile(written.path, part(2), 7).append(written.snapshot(count), {});
        CHECK(written.read()->snapshots.size() == count + 1);
    }
}

TEST_CASE("a byte that a disk changed is an error, and nothing is cut; in the last snapshot it is as good as torn") {
    const Written written;
    const std::vector<std::size_t> sizes = written.sizes(3);
    const std::string whole = text_of(written.path);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        std::ofstream(written.path, std::ios::binary) << changed;
        CAPTURE(at);
        if (at >= sizes[2]) {
            CHECK(written.read()->snapshots.size() == 2);
            continue;
        }
        const char* after = at < sizes[0] ? "after 0" : at < sizes[1] ? "after 0" : "after 1";
        CHECK_THROWS_WITH_AS(written.read(), doctest::Contains(after), Error);
        CHECK(text_of(written.path) == changed);
    }
}

TEST_CASE("a file of another run is refused, and says what differs") {
    Written written;
    written.sizes(1);
    const auto refused = [&](const char* why) { CHECK_THROWS_WITH_AS(written.read(), doctest::Contains(why), Error); };
    written.plan.epochs = 21;
    refused("it is of another run: epochs was 10 and is 21");
    written.plan.epochs = 10;
    written.train = tiny(51);
    refused("its samples were others");
    written.train = tiny(50);
    std::string whole = text_of(written.path);
    const std::size_t end = whole.find('\n') + 1;
    Json first = *checked_record(whole.substr(0, end));
    first["columns"] = 0;
    std::ofstream(written.path, std::ios::binary) << checked_line(first) + whole.substr(end);
    refused("its snapshots hold 0 weights, and the model has 7");
}

/// A record whose hash fits.
void put(const Written& written, Json record) {
    written.sizes(2);
    const std::string whole = text_of(written.path);
    const std::vector<float> values(7);
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), 7 * sizeof(float));
    record["values"] = fmt::format("{:016x}", content_hash(bytes));
    std::ofstream(written.path, std::ios::binary) << whole << checked_line(record) << bytes << '\n';
}

TEST_CASE("a right hash makes nothing true: what no run of the plan leaves is refused, with its file and snapshot") {
    const Written written; // 50 samples, 10 epochs, 10 observations in each
    const Json good{{"observation", 2}, {"part", part(1)},
                    {"updates", 34},    {"consumed", 2},
                    {"scale", 0.5},     {"seconds", 0.2},
                    {"ended", 0.2},     {"copy_seconds", 1e-6},
                    {"tries", 1},       {"losses", Json::array({"1", "nan"})}};
    put(written, good);
    CHECK(written.read()->snapshots.size() == 3);
    struct {
        const char* field;
        Json value;
        const char* why;
    } const cases[] = {
        {"observation", 100, "it is observation 100, the run takes 100 before its last"},
        {"observation", 1ULL << 60, "it is observation 1152921504606846976"},
        {"observation", -1, "its 'observation' is -1, not a whole number"},
        {"observation", 1, "observation 1 came before"},
        {"observation", 2.5, "its 'observation' is 2.5"},
        {"observation", Json(), "its 'observation' is null"},
        {"updates", 501, "it comes after 501 samples"},
        {"updates", ~0ULL, "the run has 500"},
        {"updates", "34", "its 'updates' is \"34\", not a whole number"},
        {"consumed", 501, "501 of them during its copy"},
        {"scale", 0, "its scale is 0, not above 0"},
        {"scale", -1.5, "its scale is -1.5"},
        {"seconds", -1, "one of its times is below 0"},
        {"ended", Json::array(), "its 'ended' is a list"},
        {"tries", -1, "its 'tries' is -1"},
        {"part", "one", "its 'part' is \"one\", not an object"},
        {"part", {{"number", 7}}, "it is of part 7, and comes after part 1"},
        {"part", Json::object(), "it has no 'number'"},
        {"losses", Json::array({"1", "x"}), "loss 2 is no number"},
        {"losses", Json::array({1.0}), "loss 1 is no number"},
        {"losses", Json(std::vector<std::string>(11, "1")), "its steps were decided 11 times in 10 epochs"},
    };
    for (const auto& each : cases) {
        CAPTURE(each.field);
        Json record = good;
        record[each.field] = each.value;
        put(written, record);
        const std::string before = text_of(written.path);
        CHECK_THROWS_WITH_AS(written.read(), doctest::Contains("checkpoint: its snapshot 3 cannot be of this run"),
                             Error);
        CHECK_THROWS_WITH_AS(written.read(), doctest::Contains(each.why), Error);
        CHECK(text_of(written.path) == before);
    }
    for (const auto& [name, value] : good.items()) {
        Json record = good;
        record.erase(name);
        put(written, record);
        CHECK_THROWS_WITH_AS(written.read(), doctest::Contains(fmt::format("it has no '{}'", name).c_str()), Error);
    }
}

TEST_CASE("steps that are decided on the way need a decision for each epoch that is over") {
    Written written;
    written.plan.step.kind = "backoff";
    Json record{
        {"observation", 2}, {"part", part(1)}, {"updates", 120},       {"consumed", 2}, {"scale", 0.5},
        {"seconds", 0.2},   {"ended", 0.2},    {"copy_seconds", 1e-6}, {"tries", 1},    {"losses", Json::array({"1"})}};
    put(written, record);
    CHECK_THROWS_WITH_AS(written.read(), doctest::Contains("its steps were decided 1 times in 2 whole epochs"), Error);
    record["losses"] = Json::array({"1", "0.5"});
    put(written, record);
    CHECK(written.read()->snapshots.size() == 3);
}

TEST_CASE("a first line that is whole and makes no sense is refused") {
    const Written written;
    for (const char* text : {"3", "[]", R"({"checkpoint": 2})", R"({"checkpoint": 2, "plan": 1})"}) {
        std::ofstream(written.path, std::ios::binary) << checked_line(json_of(text));
        CHECK_THROWS_WITH_AS(written.read(), doctest::Contains("checkpoint: its first line cannot be of this run"),
                             Error);
    }
    std::ofstream(written.path, std::ios::binary) << checked_line(json_of(R"({"checkpoint": "two"})"));
    CHECK_THROWS_WITH_AS(written.read(), doctest::Contains("it has version \"two\""), Error);
}

} // namespace
} // namespace hogwild
