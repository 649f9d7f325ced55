#include "engine/data/files/atomic_file.h"

#include "engine/data/files/write_all.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {

AtomicFile::AtomicFile(std::string path, Readers readers) : path_(std::move(path)) {
    const mode_t mode = readers == Readers::kUserAlone ? 0600 : 0666;
    static std::atomic<unsigned> serial{0};
    do { // a name that nobody else uses, not even a process of this number that died
        temporary_ = path_ + "." + std::to_string(getpid()) + "-" +
                     std::to_string(serial.fetch_add(1, std::memory_order_relaxed));
        file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (file_ < 0 && errno == EEXIST);
    if (file_ < 0) fail();
}

AtomicFile::~AtomicFile() {
    if (file_ < 0) return;
    close(file_);
    unlink(temporary_.c_str());
}

void AtomicFile::write(const void* bytes, std::size_t size) {
    if (!write_all(file_, bytes, size)) fail();
}

void AtomicFile::resemble(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) fail();
    std::ignore = fchown(file_, static_cast<uid_t>(-1), status.st_gid); // of another user's file: as far as it may
    std::ignore = fchown(file_, status.st_uid, static_cast<gid_t>(-1));
    if (fchmod(file_, status.st_mode & 07777) != 0) fail();
}

void AtomicFile::commit() {
    if (fsync(file_) != 0) fail();
    if (rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    close(std::exchange(file_, -1));
    const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
    const int directory = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return; // the file is there; only its survival of a power cut is in doubt
    fsync(directory);
    close(directory);
}

void AtomicFile::fail() const {
    const int reason = errno;
    throw Error(Failure::kDisk, "cannot write " + path_, reason_of(reason),
                remedy_of(reason, reason == ENOSPC || reason == EDQUOT
                                      ? "free some space or write to another disk"
                                      : "check that the folder exists and may be written"));
}

} // namespace hogwild
