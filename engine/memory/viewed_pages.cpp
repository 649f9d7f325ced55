#include "engine/memory/viewed_pages.h"

#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hogwild {
namespace {

constexpr int kReadWrite = PROT_READ | PROT_WRITE;

std::size_t whole_pages(std::size_t bytes) { return (bytes + page_size() - 1) / page_size() * page_size(); }

[[noreturn]] void refuse(const char* call, std::size_t bytes) {
    const int reason = errno;
    throw Error(fmt::format("cannot map {} bytes more than once", bytes),
                fmt::format("{}: {}", call, reason_of(reason)),
                remedy_of(reason, "use --hot-updates direct, smaller data or a machine with more memory"));
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

std::size_t page_size() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

ViewedPages::ViewedPages(const std::vector<Range>& own, std::size_t bytes) {
    if (!own.empty() && own.front().begin == 0) lead_ = whole_pages(own.front().end) - own.front().end;
    all_ = whole_pages(lead_ + std::max(bytes, own.empty() ? 0 : own.back().end));
    std::size_t through = 0;
    for (const Range& range : own) {
        const std::size_t first = range.begin == 0 ? 0 : lead_ + range.begin;
        if (first > through) shared_.push_back({through, first});
        through = whole_pages(lead_ + range.end);
    }
    if (through < all_) shared_.push_back({through, all_});
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

ViewedPages::ViewedPages(ViewedPages&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      lead_(other.lead_),
      all_(std::exchange(other.all_, 0)),
      shared_(std::move(other.shared_)),
      block_(std::move(other.block_)) {}

ViewedPages& ViewedPages::operator=(ViewedPages&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(lead_, other.lead_);
    std::swap(all_, other.all_);
    std::swap(shared_, other.shared_);
    block_ = std::move(other.block_);
    return *this;
}

ViewedPages::~ViewedPages() {
    if (file_ >= 0) close(file_);
}

ViewedPages::View ViewedPages::view() const {
    void* const begin = mmap(nullptr, all_, kReadWrite, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) refuse("mmap", all_);
    MappedRange range(begin, all_);
    for (const Range& shared : shared_) {
        if (mmap(range.begin() + shared.begin, shared.end - shared.begin, kReadWrite,
                 MAP_SHARED | MAP_FIXED | MAP_POPULATE, file_, static_cast<off_t>(shared.begin)) == MAP_FAILED)
            refuse("mmap", all_);
    }
    return {std::move(range), lead_};
}

} // namespace hogwild
