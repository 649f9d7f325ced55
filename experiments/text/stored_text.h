// The text of a file in a folder of results. What lies there may be anything by now: only a regular file is read, so that a
// pipe is not waited for.
//
// Thread-safe.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hogwild {

/// Nothing for what is absent, cannot be read or is no regular file; errno says why (EINVAL: no regular file).
std::optional<std::string> stored_text(const std::filesystem::path& path);

} // namespace hogwild
