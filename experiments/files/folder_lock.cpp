#include "experiments/files/folder_lock.h"

#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace hogwild {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : file_(::open((folder / kFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
    if (file_ < 0) {
        const int error = errno;
        throw Error(Failure::kDisk, "cannot create " + (folder / kFile).string(), reason_of(error),
                    remedy_of(error, "choose another folder with -o DIR"));
    }
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    const int error = errno;
    ::close(file_);
    if (error == EWOULDBLOCK) {
        throw Error(Failure::kUsage, folder.string() + " is being worked on", "another `hogwild` has locked it",
                    "wait for it, or name another folder with -o DIR");
    }
    throw Error(Failure::kDisk, "cannot lock " + folder.string(), reason_of(error),
                "choose a folder on a disk that has locks");
}

FolderLock::~FolderLock() { ::close(file_); }

} // namespace hogwild
