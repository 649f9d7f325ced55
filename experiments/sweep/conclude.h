// What a sweep that ran to its end writes beside its tables, from its files alone. It is verdicts (on the time to the
// target, where there is one, and on updates per second), the report, and event files.
//
// What this machine or these runs cannot have (no matplotlib, no serial runs to compare with) is said. It is no
// failure: the results are there. What fails for another reason is said too, and the exit code tells.
// Thread-safety: none; starts child processes and waits for them.
// Errors: Error (Failure::kDisk) where verdicts cannot be kept.
#pragma once

#include <filesystem>
#include <string>

namespace hogwild {

struct Conclusion {
    bool report = true;
    std::string tensorboard; // a folder for event files; empty: none
    bool quiet = false;
};

/// The exit code: 74 where the disk took no report or event files, 1 where their program failed otherwise.
int conclude(const std::filesystem::path& folder, const Conclusion& wanted);

} // namespace hogwild
