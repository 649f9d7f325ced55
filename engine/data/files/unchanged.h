// What was hashed is what was parsed.
//
// Another program may write to a file while it is read. Then the hash of the old bytes would stand for samples of the new ones,
// in caches and in results.
// Thread-safety: reentrant.
#pragma once

#include "engine/data/files/mapped_file.h"

#include <cstdint>
#include <string>

namespace hogwild {

/// Whether a change after this stamp's would show: clocks of files have a grain, and two changes within it have one stamp.
bool settled(const FileStamp& stamp);

/// After the last look at `file`, which lies at `path` and had this hash at first. Throws Error (Failure::kDisk) where its bytes
/// have become others. Whether what was read may be kept under the hash: not where the path is another file's by now, or
/// this one was touched.
bool check_unchanged(const std::string& path, const MappedFile& file, std::uint64_t hash);

} // namespace hogwild
