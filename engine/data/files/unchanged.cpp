#include "engine/data/files/unchanged.h"

#include "engine/error.h"
#include "engine/machine/content_hash.h"

#include <algorithm>
#include <ctime>
#include <string_view>

#include <fmt/format.h>

namespace hogwild {

bool settled(const FileStamp& stamp) {
    constexpr std::int64_t kGrain = 2'000'000'000;
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    const std::int64_t now_ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    return now_ns - std::max(stamp.modified_ns, stamp.changed_ns) > kGrain;
}

bool check_unchanged(const std::string& path, const MappedFile& file, std::uint64_t hash) {
    const std::optional<FileStamp> now = stamp_of(path);
    if (now == file.stamp() && settled(*now)) return true;
    const bool same_file = now && now->device == file.stamp().device && now->inode == file.stamp().inode;
    const bool shorter = same_file && now->size < file.size(); // pages beyond its end cannot be looked at
    if (!shorter && content_hash(file.text(), [&](std::string_view part) { file.done(part); }) == hash)
        return now == file.stamp();
    throw Error(Failure::kDisk, path + " changed while it was read",
                shorter ? fmt::format("it had {} bytes and has {}", file.size(), now->size)
                        : "its bytes are not those that were hashed",
                "try again when nobody writes to it");
}

} // namespace hogwild
