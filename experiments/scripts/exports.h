// Results in the formats of other programs, by results/export/export.py, if the machine has a Python with numpy.
//
// Thread-safety: none; starts a child process and waits for it.
#pragma once

#include <filesystem>
#include <string>

namespace hogwild {

struct ExportOptions {
    std::string folder;      // of results
    std::string tensorboard; // where its event files go; empty: nowhere
    std::string mlflow;      // where its file store goes; empty: nowhere
    bool overwrite = false;  // an earlier export makes way
};

/// The child prints the paths written, and what is wrong. Returns its exit code. Errors: Error (Failure::kUsage) where no
/// format is named; those of run_script.
int write_export(const ExportOptions& options);

/// Before runs whose event files will go to `out`. Errors: Error (Failure::kUsage) where something is there that has to stay:
/// all but, with `overwrite`, an earlier export or an empty folder.
void check_event_files(const std::string& out, bool overwrite);

/// The event files of what was just measured. The results stay, whatever happens here: what is wrong is said on standard
/// error, and what to type later. The exit code, for where nothing else went wrong.
int write_event_files(const std::filesystem::path& results, const std::string& out, bool overwrite);

/// Says that they were not written, and what to type later.
void say_no_event_files(const std::filesystem::path& results, const std::string& out, const std::string& why);

} // namespace hogwild
