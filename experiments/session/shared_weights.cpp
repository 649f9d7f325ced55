#include "experiments/session/shared_weights.h"

#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <cerrno>
#include <tuple>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hogwild {
namespace {

/// pread or pwrite of all bytes; false when it does not go on.
template <class Call, class Byte>
bool transfer(const Call& call, int file, Byte* bytes, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
        const ssize_t moved = call(file, bytes + done, size - done, static_cast<off_t>(done));
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) return false;
        done += static_cast<std::size_t>(moved);
    }
    return true;
}

} // namespace

SharedWeights::SharedWeights() : file_(memfd_create("hogwild-weights", 0)) {
    if (file_ >= 0) return;
    const int error = errno;
    throw Error("weights cannot be shared with another process", reason_of(error), remedy_of(error, "free memory"));
}

SharedWeights::~SharedWeights() { close(file_); }

std::vector<float> SharedWeights::take() const {
    struct stat now {};
    if (fstat(file_, &now) != 0) return {};
    std::vector<float> weights(static_cast<std::size_t>(now.st_size) / sizeof(float));
    const bool whole = transfer(pread, file_, reinterpret_cast<char*>(weights.data()), weights.size() * sizeof(float));
    std::ignore = ftruncate(file_, 0);
    return whole ? weights : std::vector<float>{};
}

void SharedWeights::write(int handle, std::span<const float> weights) {
    const bool whole = transfer(pwrite, handle, reinterpret_cast<const char*>(weights.data()), weights.size_bytes());
    if (!whole) std::ignore = ftruncate(handle, 0);
}

} // namespace hogwild
