// The text of a file in a folder of results, or of a sweep. What lies there may be anything by now: only a regular file is read, so that a
// pipe is not waited for.
//
// Thread-safe.
#pragma once

#include "engine/error.h"

#include <filesystem>
#include <optional>
#include <string>

namespace hogwild {

/// Nothing for what is absent, cannot be read or is no regular file; errno says why (EINVAL: no regular file).
std::optional<std::string> stored_text(const std::filesystem::path& path);

/// The same of a file that is needed. Errors: Error of this kind, "cannot read PATH", with its reason and `suggestion`.
std::string needed_text(const std::filesystem::path& path, Failure failure, const std::string& suggestion);

/// What may be read in parts by a stream, which waits for pipes. Errors: as above.
void need_regular_file(const std::filesystem::path& path, Failure failure, const std::string& suggestion);

} // namespace hogwild
