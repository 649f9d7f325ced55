#include "experiments/results_folder.h"

#include "engine/error.h"
#include "experiments/json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include <sys/stat.h>

namespace hogwild {
namespace {

constexpr const char* kParent = "hogwild-out";

/// A folder that no other process has: mkdir decides.
std::filesystem::path new_folder() {
    const std::filesystem::path parent = kParent;
    make_folder(parent);
    if (!std::filesystem::exists(parent / ".gitignore")) write_file(parent / ".gitignore", "*\n");
    const std::string stamp = fmt::format("{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
    for (unsigned n = 1;; ++n) {
        const auto path = parent / fmt::format("{}-{}", stamp, n);
        if (::mkdir(path.c_str(), 0777) == 0) return path;
        if (errno != EEXIST) {
            throw Error(Failure::kDisk, "cannot create the folder " + path.string(), std::strerror(errno),
                        "choose another folder with -o DIR");
        }
    }
}

bool present(const std::filesystem::path& path) {
    std::error_code error; // what cannot be looked at is as good as absent: making it says why
    return std::filesystem::exists(path, error);
}

void check_free(const std::filesystem::path& path) {
    if (present(path / "summary.csv")) {
        throw Error(Failure::kUsage, path.string() + " already holds results",
                    "its summary.csv is never overwritten or added to", "name another folder with -o DIR");
    }
}

std::filesystem::path existing_folder(const std::filesystem::path& path) {
    make_folder(path);
    check_free(path);
    return path;
}

} // namespace

ResultsFolder::ResultsFolder(const std::string& wanted)
    : made_(wanted.empty() || !present(wanted)), path_(wanted.empty() ? new_folder() : existing_folder(wanted)) {
    summary_.emplace(path_ / "summary.csv");
    summary_->append(summary_header());
}

void ResultsFolder::check(const std::string& wanted) {
    if (!wanted.empty()) check_free(wanted);
    check_folder(wanted.empty() ? kParent : wanted);
}

void ResultsFolder::discard() {
    std::error_code error; // what cannot be taken back stays
    summary_.reset();
    std::filesystem::remove(path_ / "summary.csv", error);
    if (made_) std::filesystem::remove(path_, error);
}

void ResultsFolder::record(const Result& result, const Json& manifest) {
    const auto unfinished = path_ / ("." + result.run + ".unfinished");
    make_folder(unfinished);
    write_file(unfinished / "manifest.json", json_text(manifest, 2) + '\n');
    write_file(unfinished / "trace.csv", trace_text(result.outcome));
    publish(unfinished, path_ / result.run);
    summary_->append(summary_line(result));
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

} // namespace hogwild
