#include "experiments/text/stored_text.h"

#include "engine/machine/limits/limits.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {
namespace {

/// All bytes of an open file; the error, or 0.
int read_all(int file, std::string& text) {
    struct stat status {};
    if (::fstat(file, &status) != 0) return errno;
    if (S_ISDIR(status.st_mode)) return EISDIR;
    if (!S_ISREG(status.st_mode)) return EINVAL;
    text.resize(static_cast<std::size_t>(status.st_size) + 1); // one more, so that the end is seen
    std::size_t size = 0;
    for (;;) {
        const ssize_t got = ::read(file, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) break;
        size += static_cast<std::size_t>(got);
        if (size == text.size()) text.resize(2 * size);
    }
    text.resize(size);
    return 0;
}

std::string why_unread(int error) {
    if (error == EISDIR) return "it is a folder";
    return error == EINVAL ? "it is no regular file" : reason_of(error);
}

[[noreturn]] void refuse(const std::filesystem::path& path, Failure failure, int error, const std::string& suggestion) {
    throw Error(failure, "cannot read " + path.string(), why_unread(error), remedy_of(error, suggestion));
}

} // namespace

std::optional<std::string> stored_text(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return {};
    std::string text;
    const int error = read_all(file, text);
    ::close(file);
    errno = error;
    if (error != 0) return {};
    return text;
}

std::string needed_text(const std::filesystem::path& path, Failure failure, const std::string& suggestion) {
    std::optional<std::string> text = stored_text(path);
    if (!text) refuse(path, failure, errno, suggestion);
    return std::move(*text);
}

void need_regular_file(const std::filesystem::path& path, Failure failure, const std::string& suggestion) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) refuse(path, failure, errno, suggestion);
    if (S_ISDIR(status.st_mode)) refuse(path, failure, EISDIR, suggestion);
    if (!S_ISREG(status.st_mode)) refuse(path, failure, EINVAL, suggestion);
}

} // namespace hogwild
