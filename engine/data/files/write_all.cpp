#include "engine/data/files/write_all.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace hogwild {

namespace {

/// Waits for a pipe or a terminal that somebody else has told not to block.
bool wait_until_it_takes_more(int file) {
    pollfd ready{file, POLLOUT, 0};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

} // namespace

bool write_all(int file, const void* bytes, std::size_t size) {
    constexpr std::size_t kLargestWrite = std::size_t{1} << 30; // one call of the kernel takes at most 2 GiB
    const auto* next = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = ::write(file, next, std::min(size, kLargestWrite));
        if (written < 0 && (errno == EINTR || (errno == EAGAIN && wait_until_it_takes_more(file)))) continue;
        if (written == 0) errno = ENOSPC;
        if (written <= 0) return false;
        next += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

} // namespace hogwild
