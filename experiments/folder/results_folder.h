// Where one command's results lie: summary.csv, and a folder for each run with its files (experiments/folder/run_files.h).
//
// After a crash at any moment everything recorded so far is readable. A run's folder appears whole, by a rename; its
// row in summary.csv is one flushed write. Errors: Error (Failure::kDisk); Error (Failure::kUsage) for a folder that
// already holds results.
#pragma once

#include "experiments/files/durable.h"
#include "experiments/text/json_fwd.h"

#include <filesystem>
#include <optional>
#include <string>

namespace hogwild {

struct Result; // experiments/folder/result.h

class ResultsFolder {
public:
    enum class Start { kNew, kGoesOn };

    /// `wanted` is made if need be. Empty: a new folder hogwild-out/<date-time>-<n> below the current one, which git ignores.
    /// kGoesOn: a run goes on where an earlier process stopped, and what it records replaces what that process recorded.
    explicit ResultsFolder(const std::string& wanted, Start start = Start::kNew);

    /// Whether a run was recorded there. Throws where summary.csv is something that cannot be read or was compressed: results of
    /// which nothing is known are not replaced.
    static bool holds_results(const std::filesystem::path& path);

    /// Throws early what the constructor would; leaves nothing behind.
    static void check(const std::string& wanted);

    const std::filesystem::path& path() const { return path_; }

    /// The run is on disk when this returns.
    void record(const Result& result, const Json& manifest);

    /// Takes back what the constructor made. Nothing was recorded, and nothing will be.
    void discard();

private:
    bool made_; // path_ was not there before
    std::filesystem::path path_;
    std::optional<AppendFile> summary_; // kGoesOn: none, its one row is written anew
};

/// Now, "2026-11-21T12:40:02Z".
std::string utc_now();

} // namespace hogwild
