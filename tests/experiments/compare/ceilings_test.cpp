#include "experiments/compare/ceilings.h"

#include "experiments/text/json.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace hogwild;

namespace {

const Json kMeasured = json_of(R"({
  "bandwidth": [{"workers": 1, "read_bytes_per_second": 8e9}, {"workers": 8, "read_bytes_per_second": 32e9}],
  "increments": [{"update": "racy", "workers": 1, "floats": 1024, "per_second": 5e8},
                 {"update": "racy", "workers": 8, "floats": 1024, "per_second": 7e8},
                 {"update": "racy", "workers": 8, "floats": 1048576, "per_second": 9e9},
                 {"update": "atomic", "workers": 8, "floats": 1024, "per_second": 1e8}]})");

void write(const std::filesystem::path& path, const Json& json) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << json_text(json);
}

} // namespace

TEST_CASE("a ceiling is the lower of bandwidth and increments, at the nearest workers and size") {
    CHECK(ceiling(kMeasured, "", 1, 1000) == 1e9); // bandwidth alone
    CHECK(ceiling(kMeasured, "", 7, 1000) == 4e9);
    CHECK(ceiling(kMeasured, "racy", 1, 1000) == 5e8);
    CHECK(ceiling(kMeasured, "racy", 6, 900) == 7e8);
    CHECK(ceiling(kMeasured, "racy", 8, 4e6) == 4e9); // increments could do more than bandwidth brings
    CHECK(ceiling(kMeasured, "atomic", 1, 1e6) == 1e8);
}

TEST_CASE("what is no measurement gives no ceiling") {
    for (const char* text : {"{}", "[]", "null", "3", R"({"bandwidth": []})", R"({"bandwidth": [{"workers": "a"}]})",
                             R"({"bandwidth": [{"workers": 1, "read_bytes_per_second": 0}]})"})
        CHECK_FALSE(ceiling(json_of(text), "racy", 1, 1000));
}

TEST_CASE(
    "a row of sparse rows has the share of its own machine's ceiling, a GPU's, an unknown machine's and others' none") {
    const Scratch scratch;
    const Json here = {{"cpu", "ours"}, {"cores", 8}}, there = {{"cpu", "other"}, {"cores", 8}};
    write(scratch.path / "ceilings-1-of-2.json",
          {{"machine", there}, {"measured", {{"bandwidth", {{{"workers", 1}, {"read_bytes_per_second", 8}}}}}}});
    write(scratch.path / "ceilings-2-of-2.json", {{"machine", here}, {"measured", kMeasured}});
    const auto row = [](const char* run, const char* device, const char* problem = "hinge") {
        return SummaryRow{"",
                          {{"run", run},
                           {"problem", problem},
                           {"device", device},
                           {"update", "racy"},
                           {"threads", "8"},
                           {"nonzeros_per_second", "3.5e8"}}};
    };
    write(scratch.path / "a" / "manifest.json", {{"machine", here}, {"data", {{"columns", 1024}}}});
    write(scratch.path / "b" / "manifest.json",
          {{"machine", {{"cpu", "third"}, {"cores", 8}}}, {"data", {{"columns", 1024}}}});
    write(scratch.path / "c" / "manifest.json", {{"data", 7}});
    Summary summary{scratch.path,
                    {row("a", "cpu"), row("a", "gpu"), row("b", "cpu"), row("c", "cpu"), row("d", "cpu"),
                     row("a", "cpu", "factorization"), row("a", "cpu", "cut"), row("a", "cpu", "skipgram")},
                    ""};
    add_ceiling_shares(summary);
    CHECK(summary.rows[0].number("ceiling_share") == 0.5);
    for (std::size_t i = 1; i < summary.rows.size(); ++i) CHECK(summary.rows[i].text("ceiling_share").empty());
}
