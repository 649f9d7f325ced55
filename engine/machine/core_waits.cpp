#include "engine/machine/core_waits.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace hogwild {

double core_wait_seconds() {
    double nanoseconds = 0;
    std::error_code refused;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", refused)) {
        std::ifstream file(task.path() / "schedstat"); // of a thread that has just ended it is empty
        double running = 0, waiting = 0;
        if (file >> running >> waiting) nanoseconds += waiting;
    }
    return nanoseconds * 1e-9;
}

} // namespace hogwild
