#include "experiments/folder/apart_from_results.h"

#include "engine/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 12> kNames{"summary.csv",  "summary.csv.gz", "choices.csv", "verdicts.csv",
                                                  "speedup.csv",  "ceilings.json",  "journal",     "sweep.toml",
                                                  "command.json", "checkpoint",     "lock",        "report.html"};
constexpr std::array<std::string_view, 2> kImages{".png", ".svg"};
constexpr std::array<std::string_view, 3> kFolders{"tuning", "optima", "figures"};

/// "summary-2of4.csv" is a shard's summary.csv.
std::string without_shard(std::string name) {
    const auto dash = name.find('-');
    if (dash == std::string::npos || dash + 1 == name.size()) return name;
    const auto end = name.find_first_not_of("0123456789of", dash + 1);
    return end == dash + 1 ? name : name.erase(dash, end == std::string::npos ? end : end - dash);
}

/// What the program or its scripts call a file at the top, also before it is whole: ".report.html.partial".
bool is_our_name(const fs::path& path) {
    const std::string name = path.filename();
    return name.starts_with('.') || std::ranges::count(kNames, without_shard(name)) > 0 ||
           std::ranges::count(kImages, path.extension().string()) > 0;
}

bool is_our_folder(const fs::path& path) {
    std::error_code unseen; // what cannot be looked at is no folder of ours, and nothing can be written there
    const std::string name = path.filename();
    if (std::ranges::count(kFolders, name) > 0) return true; // also one that is not there yet
    return fs::is_directory(path, unseen) && (name.starts_with('.') || fs::exists(path / "manifest.json", unseen));
}

/// Whether the output itself, or a folder on the way up to `folder`, is ours.
bool lies_in_one(fs::path output, const fs::path& folder) {
    bool found = false;
    for (; output != folder; output = output.parent_path()) {
        if (output == output.parent_path()) return false; // it does not lie below
        found = found || is_our_folder(output);
    }
    return found;
}

/// The file of ours that the output is by another name, a link of the folder to it among them; empty: none.
fs::path same_file(const fs::path& output, const fs::path& folder, std::string_view replaced) {
    std::error_code unseen; // what cannot be looked at is said by who reads it
    if (!fs::is_regular_file(output, unseen)) return {};
    for (fs::recursive_directory_iterator entry(folder, unseen), end; !unseen && entry != end;
         entry.increment(unseen)) {
        const fs::path& path = entry->path();
        std::error_code other; // a link that leads nowhere
        if (entry.depth() == 0 && (!is_our_name(path) || path.filename() == replaced)) {
            if (entry->is_directory(other) && !is_our_folder(path)) entry.disable_recursion_pending();
            continue;
        }
        if (fs::equivalent(output, path, other)) return path;
    }
    return {};
}

} // namespace

void check_apart_from_results(const std::string& option, const std::string& output, const std::string& folder,
                              std::string_view replaced) {
    std::error_code unseen;
    const fs::path home = fs::weakly_canonical(fs::absolute(folder, unseen), unseen);
    if (unseen || output.empty() || folder.empty()) return;
    const fs::path place = fs::weakly_canonical(fs::absolute(output, unseen), unseen);
    const bool is_ours = place.parent_path() == home && is_our_name(place) && place.filename() != replaced;
    const fs::path same = is_ours ? place : same_file(output, folder, replaced);
    if (!same.empty()) {
        throw Error(Failure::kUsage, fmt::format("{} cannot be {}", option, output),
                    fmt::format("it is {}, a file of the results in {}", same.filename().string(), folder),
                    "name another file");
    }
    if (!lies_in_one(place, home)) return;
    throw Error(Failure::kUsage, fmt::format("{} cannot be {}", option, output),
                fmt::format("it lies among the files of a run in {}", folder), "name another folder");
}

} // namespace hogwild
