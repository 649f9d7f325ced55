#include "experiments/folder/results_folder.h"

#include "engine/data/files/atomic_file.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"
#include "experiments/folder/long_command.h"
#include "experiments/folder/result.h"
#include "experiments/folder/run_files.h"
#include "experiments/text/json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cerrno>
#include <ctime>
#include <fstream>

#include <sys/stat.h>

namespace hogwild {
namespace {

constexpr const char* kParent = "hogwild-out";

/// A folder that no other process has: mkdir decides.
std::filesystem::path new_folder() {
    const std::filesystem::path parent = kParent;
    make_folder(parent);
    if (!std::filesystem::exists(std::filesystem::symlink_status(parent / ".gitignore"))) {
        AtomicFile ignored((parent / ".gitignore").string());
        ignored.write("*\n");
        ignored.commit();
    }
    const std::string stamp = fmt::format("{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr)));
    for (unsigned n = 1;; ++n) {
        const auto path = parent / fmt::format("{}-{}", stamp, n);
        if (::mkdir(path.c_str(), 0700) == 0) return path;
        if (errno != EEXIST) {
            const int error = errno;
            throw Error(Failure::kDisk, "cannot create the folder " + path.string(), reason_of(error),
                        remedy_of(error, "choose another folder with -o DIR"));
        }
    }
}

bool present(const std::filesystem::path& path) {
    std::error_code error; // what cannot be looked at is as good as absent: making it says why
    return std::filesystem::exists(path, error);
}

/// Whether there is anything of that name, a link that leads nowhere too.
bool lies_there(const std::filesystem::path& path) {
    std::error_code error; // as in `present`
    return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

void check_free(const std::filesystem::path& path) {
    if (present(path / "sweep.toml")) {
        throw Error(Failure::kUsage, path.string() + " is a sweep's", "there is a sweep.toml",
                    "name another folder with -o DIR");
    }
    if (lies_there(path / "summary.csv") || lies_there(path / "summary.csv.gz")) {
        throw Error(Failure::kUsage, path.string() + " already holds results",
                    "its summary.csv is never overwritten or added to", "name another folder with -o DIR");
    }
}

std::filesystem::path folder_of(const std::string& wanted, ResultsFolder::Start start) {
    if (wanted.empty()) return new_folder();
    make_folder(wanted);
    if (start == ResultsFolder::Start::kNew || present(std::filesystem::path(wanted) / "sweep.toml"))
        check_free(wanted);
    return wanted;
}

} // namespace

ResultsFolder::ResultsFolder(const std::string& wanted, Start start)
    : made_(wanted.empty() || !present(wanted)), path_(folder_of(wanted, start)) {
    if (start == Start::kGoesOn) return;
    summary_.emplace(path_ / "summary.csv");
    summary_->append(summary_header());
}

bool ResultsFolder::holds_results(const std::filesystem::path& path) {
    const std::filesystem::path file = path / "summary.csv";
    if (lies_there(path / "summary.csv.gz"))
        throw Error(Failure::kUsage, path.string() + " holds compressed results", "there is a summary.csv.gz",
                    "name another folder with -o DIR");
    if (!lies_there(file)) return false;
    std::error_code unseen; // a pipe is not waited for
    if (!std::filesystem::is_regular_file(file, unseen))
        throw Error(Failure::kDisk, "cannot read " + file.string(), "it is no regular file",
                    "name another folder with -o DIR");
    std::ifstream summary(file);
    std::string row;
    return std::getline(summary, row) && std::getline(summary, row);
}

void ResultsFolder::check(const std::string& wanted) {
    if (!wanted.empty()) check_free(wanted);
    check_folder(wanted.empty() ? kParent : wanted);
}

void ResultsFolder::discard() {
    if (!summary_) return;
    std::error_code error; // what cannot be taken back stays
    summary_.reset();
    std::filesystem::remove(path_ / "summary.csv", error);
    drop_command(path_);
    if (made_) std::filesystem::remove(path_, error);
}

void ResultsFolder::record(const Result& result, const Json& manifest) {
    const auto unfinished = path_ / ("." + result.run + ".unfinished");
    make_empty_folder(unfinished);
    write_run_files(unfinished, result, manifest);
    if (!summary_) remove_folder(path_ / result.run); // the checkpoint holds all that was in it
    publish(unfinished, path_ / result.run);
    if (summary_) return summary_->append(summary_line(result));
    replace_file(path_ / "summary.csv", summary_header() + summary_line(result));
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

} // namespace hogwild
