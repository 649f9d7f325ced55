// A sweep's folder:
//
//   sweep.toml        the file, as it was last run
//   journal...        what was begun and done (experiments/sweep/folder/journal.h)
//   ceilings.json     what its machine was measured to be able to do (`hogwild info --json`)
//   optima/           F* of each problem, L2 and dataset: targets stay what they were (engine/optimum/optimum_cache.h)
//   RUN/              each final run: manifest.json, trace.csv, row.csv (its row of summary.csv, with the header)
//   tuning/RUN/       each trial, with the files of a final run
//   summary.csv, tuning/summary.csv, choices.csv, verdicts.csv, report.html   at the end
//
// One runner at a time: the folder is locked until this is destroyed or its process ends, however it ends.
// After a crash at any moment what was recorded is readable: a run's folder appears whole, by a rename.
// Errors: Error (Failure::kDisk); Error (Failure::kUsage) for a folder that another runner has, or that holds other results.
#pragma once

#include "experiments/files/folder_lock.h"
#include "experiments/text/json_fwd.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct Result; // experiments/folder/result.h

/// What the file of a smoke run ends with.
inline constexpr std::string_view kSmokeMark = "\n# --smoke\n";

/// What the folder of a sweep's run lacks; nothing: it is there, whole.
std::string lacks_of_sweep_run(const std::filesystem::path& folder);

class SweepFolder {
public:
    explicit SweepFolder(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }

    /// Keeps the sweep's file; true when there was another one. Errors: Error (Failure::kUsage), nothing changed, where a
    /// smoke run would replace a real sweep's tables or the other way round.
    bool keep_spec(const std::string& text) const;

    /// The run is on disk when this returns. `run`: "NAME" or "tuning/NAME"; what had that name is replaced.
    void record(const std::string& run, const Result& result, const Json& manifest) const;

    /// What a run's folder lacks: "it is gone", "trace.csv is missing". Nothing: it is there, whole.
    std::string lacks(const std::string& run) const { return lacks_of_sweep_run(path_ / run); }

    bool has(const std::string& run) const { return lacks(run).empty(); }

    /// The manifest of a run whose folder is there, whole; else null.
    Json manifest(const std::string& run) const;

    /// Writes the rows of these runs to `file`, below the folder.
    void write_summary(const std::string& file, const std::vector<std::string>& runs) const;

private:
    std::filesystem::path path_;
    std::optional<FolderLock> lock_;
};

} // namespace hogwild
