#include "engine/memory/fronted_pages.h"

#include "engine/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hogwild {
namespace {

constexpr int kReadWrite = PROT_READ | PROT_WRITE;

std::size_t whole_pages(std::size_t bytes) {
    static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

[[noreturn]] void refuse(const char* call, std::size_t bytes) {
    throw Error(fmt::format("cannot map {} bytes more than once", bytes),
                fmt::format("{}: {}", call, std::strerror(errno)),
                "use --hot-updates direct, smaller data or a machine with more memory");
}

} // namespace

MappedRange::MappedRange(MappedRange&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

MappedRange& MappedRange::operator=(MappedRange&& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedRange::~MappedRange() {
    if (begin_ != nullptr) munmap(begin_, bytes_);
}

FrontedPages::FrontedPages(std::size_t front, std::size_t bytes)
    : lead_(whole_pages(front) - front),
      front_(whole_pages(front)),
      all_(front_ + (bytes > front ? whole_pages(bytes - front) : 0)) {
    if (all_ == 0) return;
    file_ = memfd_create("hogwild-buffer", MFD_CLOEXEC);
    if (file_ < 0) refuse("memfd_create", all_);
    const bool sized = ftruncate(file_, static_cast<off_t>(all_)) == 0;
    void* const begin = sized ? mmap(nullptr, all_, kReadWrite, MAP_SHARED | MAP_POPULATE, file_, 0) : MAP_FAILED;
    if (begin == MAP_FAILED) {
        const int why = errno;
        close(std::exchange(file_, -1));
        errno = why;
        refuse(sized ? "mmap" : "ftruncate", all_);
    }
    block_ = {begin, all_};
}

FrontedPages::FrontedPages(FrontedPages&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      lead_(other.lead_),
      front_(other.front_),
      all_(std::exchange(other.all_, 0)),
      block_(std::move(other.block_)) {}

FrontedPages& FrontedPages::operator=(FrontedPages&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(lead_, other.lead_);
    std::swap(front_, other.front_);
    std::swap(all_, other.all_);
    block_ = std::move(other.block_);
    return *this;
}

FrontedPages::~FrontedPages() {
    if (file_ >= 0) close(file_);
}

FrontedPages::View FrontedPages::view() const {
    void* const begin = mmap(nullptr, all_, kReadWrite, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) refuse("mmap", all_);
    MappedRange range(begin, all_);
    if (all_ > front_ && mmap(range.begin() + front_, all_ - front_, kReadWrite, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                              file_, static_cast<off_t>(front_)) == MAP_FAILED)
        refuse("mmap", all_);
    return {std::move(range), lead_};
}

} // namespace hogwild
