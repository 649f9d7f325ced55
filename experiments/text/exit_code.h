// Exit codes, and which one is said when several are true.
//
//   0 done   1 error   2 usage   3 a run diverged   4 a run missed the target   5 compare: slower than allowed
//   69 something needed is missing: a file or folder that was named, under every command, a GPU, a program   74 disk
//   130 interrupted
#pragma once

#include "engine/record/status.h"

namespace hogwild {

inline constexpr int kExitDone = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitDiverged = 3;
inline constexpr int kExitMissedTarget = 4;
inline constexpr int kExitSlower = 5;
inline constexpr int kExitMissing = 69;
inline constexpr int kExitDisk = 74;
inline constexpr int kExitInterrupted = 130;

/// What happened during the runs of one command.
struct Verdict {
    bool interrupted = false;
    bool disk_failed = false;
    bool output_failed = false; // standard output took not all
    bool run_failed = false;
    bool diverged = false;
    bool missed_target = false;

    /// One of the runs has ended so.
    void add(const StatusTraits& ended) {
        interrupted |= ended.interrupted;
        run_failed |= ended.failed;
        diverged |= ended.diverged;
    }

    int exit_code() const {
        if (interrupted) return kExitInterrupted;
        if (disk_failed || output_failed) return kExitDisk;
        if (run_failed) return kExitError;
        if (diverged) return kExitDiverged;
        if (missed_target) return kExitMissedTarget;
        return kExitDone;
    }
};

} // namespace hogwild
