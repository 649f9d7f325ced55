#include "engine/data/files/named_file.h"

#include "engine/data/files/write_all.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40; // as many as the kernel follows

[[noreturn]] void refuse(const std::string& path, const std::string& why, const std::string& suggestion) {
    throw Error(Failure::kDisk, "cannot write " + path, why, suggestion);
}

[[noreturn]] void refuse_for(const std::string& path, int error, const std::string& suggestion) {
    refuse(path, reason_of(error), remedy_of(error, suggestion));
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

/// N, where the path is /proc/self/fd/N by whatever name.
std::optional<int> own_descriptor(const fs::path& path) {
    std::error_code unknown;
    if (fs::canonical(folder_of(path), unknown) != fmt::format("/proc/{}/fd", getpid()) || unknown) return {};
    const std::string name = path.filename();
    int number = -1;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    if (read.ec != std::errc() || read.ptr != name.data() + name.size() || number < 0) return {};
    return number;
}

/// Where bytes for a name go.
struct Place {
    std::string path;                // no link
    std::optional<int> descriptor{}; // of this process
    bool in_place = false;
    bool is_there = false;
};

/// The place of a regular file, or of none yet.
void check_replaceable(const std::string& named, const struct stat& status) {
    // The kernel says whether it may be written, and whether a link in a folder for all is to be followed.
    const int probe = open(named.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (probe < 0) refuse_for(named, errno, "check its permissions, or name another file");
    close(probe);
    if (status.st_nlink > 1) {
        refuse(named,
               fmt::format("it has {} names (hard links), and the others would keep what is old", status.st_nlink),
               "remove this name first, or name another file");
    }
}

Place place_of(const std::string& named) {
    Place place{.path = named};
    struct stat status {};
    place.is_there = stat(named.c_str(), &status) == 0;
    if (place.is_there && S_ISDIR(status.st_mode)) refuse(named, "it is a folder", "name a file in it");
    place.in_place = place.is_there && !S_ISREG(status.st_mode);
    for (int links = 0;; ++links) {
        place.descriptor = own_descriptor(place.path);
        if (place.descriptor) {
            place.in_place = true;
            if (fcntl(*place.descriptor, F_GETFD) < 0) refuse(named, reason_of(errno), "name a file");
        }
        std::error_code unknown;
        if (place.descriptor || !fs::is_symlink(place.path, unknown)) break;
        const fs::path target = fs::read_symlink(place.path, unknown);
        if (unknown) refuse(named, unknown.message(), "name the file that the link leads to");
        if (links == kMostLinks) refuse(named, reason_of(ELOOP), "name the file itself");
        place.path = folder_of(place.path) / target;
    }
    if (place.is_there && !place.in_place) check_replaceable(named, status);
    return place;
}

} // namespace

NamedFile::NamedFile(const std::string& path) : path_(path) {
    const Place place = place_of(path);
    if (!place.in_place) {
        whole_.emplace(place.path);
        if (place.is_there) whole_->resemble(place.path);
        return;
    }
    in_place_ = place.descriptor ? fcntl(*place.descriptor, F_DUPFD_CLOEXEC, 0)
                                 : open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (in_place_ < 0) fail();
}

NamedFile::~NamedFile() {
    if (in_place_ >= 0) close(in_place_);
}

void NamedFile::write(const void* bytes, std::size_t size) {
    if (whole_) return whole_->write(bytes, size);
    if (!write_all(in_place_, bytes, size)) fail();
}

void NamedFile::commit() {
    if (whole_) return whole_->commit();
    const bool cannot =
        fsync(in_place_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP; // pipes, devices
    if (cannot || close(std::exchange(in_place_, -1)) != 0) fail();
}

void NamedFile::fail() const {
    const int reason = errno;
    refuse_for(path_, reason,
               reason == ENOSPC || reason == EDQUOT ? "free some space or write to another disk"
                                                    : "name another file, or what takes the bytes");
}

void check_named_file(const std::string& path) {
    const Place place = place_of(path);
    if (!place.in_place) const AtomicFile probe(place.path);
}

} // namespace hogwild
