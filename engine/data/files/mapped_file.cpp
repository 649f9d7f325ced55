#include "engine/data/files/mapped_file.h"

#include "engine/data/files/mapped_ranges.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {
namespace {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

FileStamp stamp_of(const struct stat& status) {
    return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
            static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

[[noreturn]] void refuse(const std::string& path, const std::string& why, const std::string& suggestion) {
    throw Error(Failure::kMissing, "cannot read " + path, why, suggestion);
}

} // namespace

std::optional<FileStamp> stamp_of(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return {};
    return stamp_of(status);
}

MappedFile::MappedFile(const std::string& path) {
    // Non-blocking, so that a named pipe without a writer is refused below and not waited for.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number() < 0) {
        const int reason = errno;
        const bool absent = reason == ENOENT || reason == ENOTDIR;
        refuse(path, reason_of(reason),
               remedy_of(reason, absent ? "check the path" : "check the permissions of the file and its folders"));
    }
    struct stat status {};
    if (fstat(file.number(), &status) != 0) refuse(path, reason_of(errno), "check the file system");
    if (S_ISDIR(status.st_mode)) refuse(path, "it is a folder", "name a file inside it");
    if (!S_ISREG(status.st_mode)) refuse(path, "it is no regular file", "save its content to a file first");
    stamp_ = stamp_of(status);
    own_ = status.st_uid == geteuid();
    if (stamp_.size == 0) return;
    void* const bytes = mmap(nullptr, stamp_.size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (bytes == MAP_FAILED) refuse(path, reason_of(errno), "copy it to a local disk");
    madvise(bytes, stamp_.size, MADV_WILLNEED); // advice: a refusal costs speed only
    data_ = static_cast<const std::byte*>(bytes);
    note_mapped(bytes, stamp_.size, path.c_str());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), stamp_(std::exchange(other.stamp_, {})), own_(other.own_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(stamp_, other.stamp_);
    std::swap(own_, other.own_);
    return *this;
}

void MappedFile::done(std::string_view part) const {
    constexpr std::uintptr_t kPage = 4096;
    const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
    const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage, end = (begin + part.size()) / kPage * kPage;
    if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED); // advice: memory alone
}

MappedFile::~MappedFile() {
    if (data_ == nullptr) return;
    forget_mapped(data_);
    munmap(const_cast<std::byte*>(data_), stamp_.size);
}

} // namespace hogwild
