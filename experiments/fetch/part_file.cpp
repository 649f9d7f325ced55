#include "experiments/fetch/part_file.h"

#include "engine/data/files/atomic_file.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"
#include "engine/numbers.h"
#include "experiments/files/durable.h"
#include "experiments/text/stored_text.h"

#include <fmt/format.h>

#include <cerrno>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {
namespace {

/// What the note says; nothing where there is none or it is torn: then its bytes are of nothing known.
PartOf read_note(const std::filesystem::path& path) {
    std::istringstream file(stored_text(path).value_or(""));
    PartOf of;
    std::string total;
    if (!std::getline(file, of.address) || !std::getline(file, of.version) || !std::getline(file, total)) return {};
    const auto bytes = parse_count(total);
    if (!bytes) return {};
    of.total = *bytes;
    return of;
}

bool is_same_file(int handle, const std::filesystem::path& path) {
    struct stat opened {
    }, named{};
    return ::fstat(handle, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

} // namespace

PartFile::PartFile(const std::filesystem::path& file)
    : file_(file), part_(file.string() + ".part"), note_(part_.string() + ".of") {
    open_locked();
    struct stat now {};
    if (::fstat(handle_, &now) != 0) refuse("cannot read the size of", errno);
    size_ = static_cast<std::uint64_t>(now.st_size);
    of_ = read_note(note_);
}

PartFile::~PartFile() {
    if (handle_ < 0) return;
    if (size_ == 0)
        discard(); // nothing to go on with
    else
        ::close(handle_);
}

void PartFile::open_locked() {
    do { // whoever had it may have given it its name between our open and our lock
        if (handle_ >= 0) ::close(handle_);
        handle_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (handle_ < 0 && (errno == ELOOP || errno == ENXIO)) refuse_planted();
        if (handle_ < 0) refuse("cannot create", errno);
        struct stat status {};
        if (::fstat(handle_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) {
            ::close(std::exchange(handle_, -1));
            refuse_planted();
        }
        if (::flock(handle_, LOCK_EX | LOCK_NB) != 0) {
            ::close(std::exchange(handle_, -1));
            throw Error(file_.string() + " is being fetched already", "another process writes " + part_.string(),
                        "wait until it has ended");
        }
    } while (!is_same_file(handle_, part_));
}

void PartFile::refuse_planted() const {
    throw Error(Failure::kDisk, "cannot write " + part_.string(),
                "it is a link, has another name or is no regular file",
                "delete it, or choose another folder with -o DIR");
}

void PartFile::restart(const PartOf& of) {
    if (::ftruncate(handle_, 0) != 0) refuse("cannot empty", errno);
    size_ = 0;
    AtomicFile note(note_.string(), AtomicFile::Readers::kUserAlone);
    note.write(fmt::format("{}\n{}\n{}\n", of.address, of.version, of.total));
    note.commit();
    of_ = of;
}

void PartFile::append(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(handle_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) refuse("cannot write", written < 0 ? errno : ENOSPC);
        size_ += static_cast<std::uint64_t>(written);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void PartFile::publish() {
    if (::fsync(handle_) != 0) refuse("cannot flush", errno);
    hogwild::publish(part_, file_);
    ::unlink(note_.c_str());
    ::close(std::exchange(handle_, -1));
}

void PartFile::discard() {
    ::unlink(part_.c_str());
    ::unlink(note_.c_str());
    ::close(std::exchange(handle_, -1));
}

void PartFile::refuse(const char* what, int error) const {
    const bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    throw Error(
        Failure::kDisk, fmt::format("{} {}", what, part_.string()), reason_of(error),
        is_full ? fmt::format("free some space and run the command again, which goes on after {} bytes", grouped(size_))
                : remedy_of(error, "choose another folder with -o DIR"));
}

} // namespace hogwild
