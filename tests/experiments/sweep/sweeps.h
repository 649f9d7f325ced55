// Tiny sweeps by the built program, and what their files say.
#pragma once

#include "experiments/files/checked_line.h"
#include "experiments/files/csv_reader.h"
#include "experiments/text/json.h"
#include "tests/experiments/child.h"
#include "tests/scratch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace hogwild {

/// Deterministic schemes alone, and a target that nobody reaches, so that any two sweeps choose and give the same.
inline constexpr const char* kSpec = R"(
[run]
data = "synthetic:rows=300,features=40,nonzeros=5"
no-cache = true
epochs = 2
observe = 1
[axes]
scheme = ["serial", "minibatch"]
threads = [1]
[seeds]
final = "1..2"
tuning = "11"
[targets]
target = 1e-6
[tuning]
step-scale = [0.5, 2]
)";

/// A sweep whose one run a seed takes minutes.
inline constexpr const char* kLong = R"(
[run]
data = "synthetic:rows=20000,features=400,nonzeros=20"
no-cache = true
epochs = 4000
scheme = "serial"
)";

/// By run: what does not depend on the clock.
inline std::map<std::string, std::string> losses(const std::filesystem::path& summary) {
    const std::vector<CsvRecord> records = read_csv(text_of(summary), summary.string()).records;
    std::map<std::string, std::string> losses;
    for (std::size_t row = 1; row < records.size(); ++row) {
        for (std::size_t i = 0; i < records[row].fields.size(); ++i) {
            const std::string& name = records[0].fields[i];
            if (name == "status" || name == "train_loss" || name == "updates" || name == "step_size")
                losses[records[row].fields[0]] += name + '=' + records[row].fields[i] + ' ';
        }
    }
    return losses;
}

/// Those columns of each row, as text.
inline std::vector<std::vector<std::string>> columns(const std::filesystem::path& table,
                                                     const std::vector<std::string>& names) {
    const std::vector<CsvRecord> records = read_csv(text_of(table), table.string()).records;
    const std::vector<std::string>& header = records.at(0).fields;
    std::vector<std::vector<std::string>> rows;
    for (std::size_t row = 1; row < records.size(); ++row) {
        rows.emplace_back();
        for (const std::string& name : names) {
            const auto column = std::ranges::find(header, name) - header.begin();
            rows.back().push_back(records[row].fields.at(static_cast<std::size_t>(column)));
        }
    }
    return rows;
}

struct SpecFile {
    Scratch scratch;
    std::filesystem::path file = scratch.path / "spec.toml";

    explicit SpecFile(const std::string& text = kSpec) { std::ofstream(file) << text; }

    std::vector<std::string> words(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"sweep", file.string(), "-o", "out", "--no-report"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    Finished run(const std::vector<std::string>& more = {}) const { return call(words(more), scratch.path); }

    Child start(const std::vector<std::string>& more = {}, Child::ErrorStream error = Child::ErrorStream::kPipe) const {
        std::vector<std::string> line{program()};
        for (const std::string& word : words(more)) line.push_back(word);
        return Child(std::move(line), scratch.path, nullptr, error);
    }

    std::filesystem::path out() const { return scratch.path / "out"; }
};

/// How often a journal says of each key that it ended, or began.
inline std::map<std::string, int> ends(const std::filesystem::path& journal, const std::string& event = "end") {
    std::istringstream text(text_of(journal));
    std::map<std::string, int> count;
    for (std::string line; std::getline(text, line);) {
        const auto record = checked_record(line + '\n');
        REQUIRE(record);
        if (record->at("event") == event) ++count[record->at("key")];
    }
    return count;
}

/// The folder of the first run of the summary.
inline std::string first_run(const SpecFile& spec) { return losses(spec.out() / "summary.csv").begin()->first; }

/// losses() of a sweep, uninterrupted.
inline const std::map<std::string, std::string>& expected(const std::string& text = kSpec) {
    static std::map<std::string, std::map<std::string, std::string>> uninterrupted;
    if (const auto known = uninterrupted.find(text); known != uninterrupted.end()) return known->second;
    const SpecFile spec(text);
    REQUIRE(spec.run().code == 0);
    return uninterrupted.emplace(text, losses(spec.out() / "summary.csv")).first->second;
}

/// That a sweep was done to its end, each run once; kSpec has 4 trials and 4 final runs.
inline void check_whole(const SpecFile& spec, const std::string& text = kSpec, std::size_t runs = 8) {
    CHECK(losses(spec.out() / "summary.csv") == expected(text));
    for (const auto& end : ends(spec.out() / "journal")) CHECK_MESSAGE(end.second == 1, end.first);
    CHECK(ends(spec.out() / "journal").size() == runs);
}

} // namespace hogwild
