// The command as manifests hold it: whole for few runs, in short for many. Each run has a manifest, so a folder of n runs would
// otherwise hold n times n values.
//
// Thread-safe for different folders. Errors: Error (Failure::kDisk).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hogwild {

/// The command as it is, up to 4096 bytes. A longer one has 64 words of 64 bytes at most, and "..." for what is left out.
std::vector<std::string> in_short(const std::vector<std::string>& command);

/// Writes DIR/command.json, the whole command, where a manifest has it in short.
void keep_command(const std::filesystem::path& folder, const std::vector<std::string>& command);

/// Takes it away again.
void drop_command(const std::filesystem::path& folder) noexcept;

} // namespace hogwild
