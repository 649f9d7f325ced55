// A command of many runs as their manifests have it: as long as it is for few runs, and in short for many, since each run has one.
// A folder of n runs would else hold n times n values.
//
// Thread-safe for different folders. Errors: Error (Failure::kDisk).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hogwild {

/// The command as it is up to 4096 bytes; else at most 64 words of at most 64 bytes, with "..." for what is left out.
std::vector<std::string> in_short(const std::vector<std::string>& command);

/// Writes DIR/command.json, the whole command, where a manifest has it in short.
void keep_command(const std::filesystem::path& folder, const std::vector<std::string>& command);

/// Takes it away again.
void drop_command(const std::filesystem::path& folder) noexcept;

} // namespace hogwild
