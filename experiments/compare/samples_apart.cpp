#include "experiments/compare/samples_apart.h"

#include "experiments/text/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace hogwild {
namespace {

struct Samples {
    const char* key;  // in a manifest
    const char* word; // of what their hash is, for people
};

constexpr std::array<Samples, 2> kSamples{Samples{"data", "content"}, Samples{"test", "test samples"}};

using Hashes = std::array<std::string, kSamples.size()>; // empty: unknown, or no such samples

/// Those of a manifest that is there and cannot be read are "unknown", which no other run's are; its path goes to `damaged`.
Hashes hashes_of(const Summary& summary, const SummaryRow& row, std::vector<std::string>& damaged) {
    Hashes hashes;
    const auto path = std::filesystem::path(summary.folder) / row.text("run") / "manifest.json";
    const Json manifest = json_at(path);
    if (!manifest.is_object()) {
        std::error_code unseen;
        if (!std::filesystem::exists(path, unseen)) return hashes;
        damaged.push_back(path.string());
        hashes.front() = "unknown";
        return hashes;
    }
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        const Json samples = manifest.value(kSamples[i].key, Json());
        const Json hash = samples.is_object() ? samples.value("hash", Json()) : Json();
        if (hash.is_string()) hashes[i] = hash.get<std::string>();
    }
    return hashes;
}

struct OfRow {
    SummaryRow* row;
    Hashes hashes;
};

/// Adds hashes to the cells of runs on one name, where those that have one differ.
std::vector<std::string> told_apart(const std::string& name, const std::vector<OfRow>& rows) {
    std::vector<std::string> notes;
    std::array<std::set<std::string>, kSamples.size()> known;
    for (const OfRow& each : rows) {
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (!each.hashes[i].empty()) known[i].insert(each.hashes[i]);
        }
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i].size() < 2) continue;
        notes.push_back(fmt::format("the {} of {} changed between runs (hashes {}); only runs on the same are compared",
                                    kSamples[i].word, name, fmt::join(known[i], ", ")));
    }
    for (const OfRow& each : rows) {
        std::vector<std::string> words;
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (known[i].size() > 1 && !each.hashes[i].empty())
                words.push_back(fmt::format("{} {}", kSamples[i].word, each.hashes[i]));
        }
        if (!words.empty()) each.row->cells["data"] = fmt::format("{} ({})", name, fmt::join(words, ", "));
    }
    return notes;
}

} // namespace

std::vector<std::string> tell_samples_apart(std::span<Summary* const> summaries) {
    std::map<std::string, std::vector<OfRow>> by_name;
    std::vector<std::string> damaged, notes;
    for (Summary* summary : summaries) {
        for (SummaryRow& row : summary->rows)
            by_name[row.text("data")].push_back({&row, hashes_of(*summary, row, damaged)});
    }
    if (!damaged.empty()) {
        notes.push_back(
            fmt::format("{} of the runs' manifests cannot be read (the first: {}); their runs are compared with no "
                        "run whose samples are known",
                        damaged.size(), damaged.front()));
    }
    for (const auto& [name, rows] : by_name) {
        for (std::string& note : told_apart(name, rows)) notes.push_back(std::move(note));
    }
    return notes;
}

} // namespace hogwild
