#include "experiments/shared_samples.h"

#include "engine/data/cache_layout.h"
#include "engine/data/sparse_arrays.h"
#include "engine/error.h"
#include "engine/machine/memory_budget.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hogwild {
namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw Error("samples cannot be shared with another process", what + ": " + std::strerror(errno),
                "use smaller data, or a machine with more memory");
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

} // namespace

SharedSamples::SharedSamples(const Dataset& data) {
    const SparseView view = data.sparse();
    const CacheLayout layout(view.rows, view.nonzeros());
    require_memory(layout.file_bytes, fmt::format("a copy of {} for the runs' processes", data.name()),
                   "use smaller data, or a machine with more memory");
    file_ = memfd_create("hogwild-samples", 0);
    if (file_ < 0) refuse("memfd_create");
    try {
        reserve(file_, layout.file_bytes);
        fill(view, layout);
    } catch (...) {
        close(file_);
        throw;
    }
    handle_ = {{"file", file_},     {"name", data.name()},         {"hash", data.content_hash()},
               {"rows", view.rows}, {"nonzeros", view.nonzeros()}, {"columns", view.columns}};
}

void SharedSamples::fill(const SparseView& view, const CacheLayout& layout) const {
    const Mapping mapping(file_, layout.file_bytes, PROT_READ | PROT_WRITE);
    const void* const sections[] = {view.offsets, view.indices, view.values, view.labels};
    for (unsigned s = 0; s < 4; ++s) std::memcpy(mapping.data() + layout.begin[s], sections[s], layout.bytes[s]);
}

SharedSamples::~SharedSamples() { close(file_); }

Dataset mapped_samples(const Json& handle) {
    const CacheLayout layout(handle.at("rows"), handle.at("nonzeros"));
    const auto mapping = std::make_shared<Mapping>(handle.at("file").get<int>(), layout.file_bytes, PROT_READ);
    const std::byte* const data = mapping->data();
    const SparseView view{reinterpret_cast<const std::uint64_t*>(data + layout.begin[0]),
                          reinterpret_cast<const std::uint32_t*>(data + layout.begin[1]),
                          reinterpret_cast<const float*>(data + layout.begin[2]),
                          reinterpret_cast<const float*>(data + layout.begin[3]),
                          handle.at("rows"),
                          handle.at("columns")};
    return {handle.at("name"), handle.at("hash"), view, mapping};
}

Dataset settled(const Dataset& data) {
    const SparseView from = data.sparse();
    auto arrays = std::make_shared<SparseArrays>(from.rows, from.nonzeros(), from.columns);
    std::copy_n(from.offsets, from.rows + 1, arrays->offsets.data());
    std::copy_n(from.indices, from.nonzeros(), arrays->indices.data());
    std::copy_n(from.values, from.nonzeros(), arrays->values.data());
    std::copy_n(from.labels, from.rows, arrays->labels.data());
    const SparseView view = arrays->view();
    return {data.name(), data.content_hash(), view, std::move(arrays)};
}

} // namespace hogwild
