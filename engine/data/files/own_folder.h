// Folders that the program makes are the user's alone (mode 0700). Those that are there stay as they are.
//
// Thread-safe, across processes too.
#pragma once

#include <filesystem>
#include <system_error>

namespace hogwild {

/// mkdir -p. The first thing that went wrong; nothing where the folder is there now.
std::error_code make_own_folder(const std::filesystem::path& path);

} // namespace hogwild
