// A device of the test's own that takes no byte, as a full disk does: a fault that replaced it would cost the machine nothing.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace hogwild {

/// folder/full; nothing where no such node can be made or used, which is said.
inline std::optional<std::string> full_device(const std::filesystem::path& folder) {
    constexpr unsigned kMemory = 1, kFull = 7; // the kernel's numbers of /dev/full
    const std::string path = folder / "full";
    const bool made = mknod(path.c_str(), S_IFCHR | 0600, makedev(kMemory, kFull)) == 0;
    const int file = made ? open(path.c_str(), O_WRONLY | O_CLOEXEC) : -1;
    if (file < 0) {
        MESSAGE("skipped: no device of its own can be made in ", folder.string(),
                "; to run it: be root, on a file system that has devices");
        return {};
    }
    close(file);
    return path;
}

} // namespace hogwild
