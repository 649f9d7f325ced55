#include "experiments/session/shared_samples.h"

#include "engine/data/borrowed_arrays.h"
#include "engine/error.h"
#include "engine/machine/limits/limits.h"
#include "engine/machine/memory_budget.h"

#include <cerrno>
#include <cstring>
#include <type_traits>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hogwild {
namespace {

[[noreturn]] void refuse(const std::string& what) {
    const int error = errno;
    throw Error("samples cannot be shared with another process", what + ": " + reason_of(error),
                remedy_of(error, "use smaller data, or a machine with more memory"));
}

/// A mapping of a whole file in memory.
class Mapping : public DatasetStorage {
public:
    Mapping(int file, std::uint64_t bytes, int protection) : bytes_(bytes) {
        memory_ = mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
        if (memory_ == MAP_FAILED) refuse("mmap");
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() override { munmap(memory_, bytes_); }

    std::byte* data() const { return static_cast<std::byte*>(memory_); }

private:
    void* memory_;
    std::uint64_t bytes_;
};

/// Takes the pages now: one that is missing when it is written ends the process.
void reserve(int file, std::uint64_t bytes) {
    int error = 0;
    do {
        error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
    } while (error == EINTR); // an interrupt waits until the run can be told
    if (error == 0) return;
    errno = error;
    refuse("posix_fallocate");
}

/// Where arrays lie in the file, each on a cache line of its own, and behind them its end.
std::vector<std::uint64_t> places_of(const std::vector<BorrowedArray>& arrays) {
    constexpr std::uint64_t kLine = 64;
    std::vector<std::uint64_t> places{0};
    for (const BorrowedArray& array : arrays)
        places.push_back((places.back() + array.bytes + kLine - 1) / kLine * kLine);
    return places;
}

/// A view as it lies in memory, for another process of this same program.
std::vector<std::uint8_t> bytes_of(const AnyView& view) {
    static_assert(std::is_trivially_copyable_v<AnyView>);
    std::vector<std::uint8_t> bytes(sizeof view);
    std::memcpy(bytes.data(), &view, sizeof view);
    return bytes;
}

AnyView view_of(const std::vector<std::uint8_t>& bytes) {
    AnyView view;
    std::memcpy(&view, bytes.data(), sizeof view);
    return view;
}

} // namespace

SharedSamples::SharedSamples(const Dataset& data) {
    const std::vector<BorrowedArray> arrays = borrowed_arrays(data.view());
    const std::vector<std::uint64_t> places = places_of(arrays);
    const std::uint64_t bytes = places.back() + 1; // a mapping is never empty
    require_memory(bytes, fmt::format("a copy of {} for the runs' processes", data.name()),
                   "use smaller data, or a machine with more memory");
    file_ = memfd_create("hogwild-samples", 0);
    if (file_ < 0) refuse("memfd_create");
    try {
        reserve(file_, bytes);
        const Mapping mapping(file_, bytes, PROT_READ | PROT_WRITE);
        for (std::size_t k = 0; k < arrays.size(); ++k) {
            if (arrays[k].bytes > 0) std::memcpy(mapping.data() + places[k], arrays[k].data, arrays[k].bytes);
        }
    } catch (...) {
        close(file_);
        throw;
    }
    handle_ = {{"file", file_},
               {"bytes", bytes},
               {"name", data.name()},
               {"hash", data.content_hash()},
               {"view", bytes_of(data.view())},
               {"places", places}};
}

SharedSamples::~SharedSamples() { close(file_); }

Dataset mapped_samples(const Json& handle) {
    const auto mapping =
        std::make_shared<Mapping>(handle.at("file").get<int>(), handle.at("bytes").get<std::uint64_t>(), PROT_READ);
    std::vector<const void*> places;
    for (const Json& place : handle.at("places")) places.push_back(mapping->data() + place.get<std::uint64_t>());
    const auto view = view_of(handle.at("view").get<std::vector<std::uint8_t>>());
    return {handle.at("name"), handle.at("hash"), moved(view, places), mapping};
}

} // namespace hogwild
