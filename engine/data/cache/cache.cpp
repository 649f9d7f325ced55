#include "engine/data/cache/cache.h"

#include "engine/data/cache/cache_layout.h"
#include "engine/data/files/atomic_file.h"
#include "engine/data/files/own_folder.h"
#include "engine/data/sparse/promises.h"
#include "engine/data/sparse/sparse_arrays.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/limits/limits.h"
#include "engine/machine/parallel.h"

#include <atomic>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace hogwild {
namespace {

struct MappedArrays final : DatasetStorage {
    explicit MappedArrays(MappedFile mapped) : file(std::move(mapped)) {}
    MappedFile file;
};

/// The whole of a memo file.
struct Memo {
    std::array<char, 8> magic = {'H', 'O', 'G', 'W', 'I', 'L', 'D', 'M'};
    FileStamp stamp;
    std::uint64_t path_hash = 0;
    std::uint64_t content_hash = 0;
    std::uint64_t memo_hash = 0; // XXH3 of everything before
};
static_assert(sizeof(Memo) == 72);

std::string absolute(const std::string& path) {
    std::error_code unknown;
    const std::filesystem::path resolved = std::filesystem::canonical(path, unknown);
    return unknown ? path : resolved.string();
}

SparseView view_of(const std::byte* data, const CacheLayout& layout, const CacheHeader& header) {
    return {reinterpret_cast<const std::uint64_t*>(data + layout.begin[0]),
            reinterpret_cast<const std::uint32_t*>(data + layout.begin[1]),
            reinterpret_cast<const float*>(data + layout.begin[2]),
            reinterpret_cast<const float*>(data + layout.begin[3]),
            header.rows,
            static_cast<std::uint32_t>(header.columns)};
}

std::uint64_t checksum_at(const std::byte* data, const CacheLayout& layout, std::uint64_t chunk) {
    std::uint64_t checksum;
    std::memcpy(&checksum, data + layout.checksums_begin + 8 * chunk, sizeof checksum);
    return checksum;
}

/// Null when a chunk does not match its checksum.
std::shared_ptr<SparseArrays> copy_verified(const std::byte* data, const CacheLayout& layout,
                                            const CacheHeader& header) {
    auto arrays =
        std::make_shared<SparseArrays>(header.rows, header.nonzeros, static_cast<std::uint32_t>(header.columns));
    const std::array<void*, 4> targets = {arrays->offsets.data(), arrays->indices.data(), arrays->values.data(),
                                          arrays->labels.data()};
    std::atomic<bool> intact{true};
    parallel_for(layout.chunks.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const CacheChunk& chunk = layout.chunks[i];
            std::byte* const target = static_cast<std::byte*>(targets[chunk.section]) + chunk.within;
            std::memcpy(target, data + chunk.offset, chunk.bytes);
            if (content_hash(target, chunk.bytes) != checksum_at(data, layout, i))
                intact.store(false, std::memory_order_relaxed);
        }
    });
    return intact.load(std::memory_order_relaxed) ? arrays : nullptr;
}

void create_directory(const std::string& directory) {
    if (const std::error_code failure = make_own_folder(directory)) {
        throw Error(Failure::kDisk, "cannot create " + directory, reason_of(failure.value()),
                    remedy_of(failure.value(), "name a folder that may be written"));
    }
}

} // namespace

std::string Cache::arrays_path(std::uint64_t content_hash) const {
    return fmt::format("{}/{:016x}.arrays", directory_, content_hash);
}

std::string Cache::memo_path(const std::string& path) const {
    return fmt::format("{}/{:016x}.memo", directory_, content_hash(absolute(path)));
}

CacheEntry Cache::read(std::uint64_t content_hash, bool huge_pages) const {
    const std::string path = arrays_path(content_hash);
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) return {};
    CacheEntry entry;
    try {
        MappedFile file(path);
        entry.refusal = file.is_own() ? cache_refusal(file.data(), file.size(), content_hash) : "it is another user's";
        if (entry.refusal.empty()) {
            CacheHeader header;
            std::memcpy(&header, file.data(), sizeof header);
            const CacheLayout layout(header.rows, header.nonzeros);
            if (huge_pages) {
                auto arrays = copy_verified(file.data(), layout, header);
                if (arrays)
                    entry.refusal = broken_promise(arrays->view(), header.nonzeros);
                else
                    entry.refusal = "its arrays are damaged";
                if (arrays) entry.view = arrays->view();
                entry.storage = std::move(arrays);
            } else {
                entry.view = view_of(file.data(), layout, header);
                entry.refusal = broken_promise(entry.view, header.nonzeros);
                entry.storage = std::make_shared<MappedArrays>(std::move(file));
            }
        }
    } catch (const Error& unreadable) {
        if (unreadable.failure() != Failure::kMissing) throw; // out of memory is not the cache's fault
        entry.refusal = unreadable.what();
    }
    if (entry.refusal.empty()) return entry;
    return {{}, {}, fmt::format("the cache {} is ignored: {}", path, entry.refusal)};
}

void Cache::write(std::uint64_t source_hash, SparseView view) const {
    const CacheLayout layout(view.rows, view.nonzeros());
    const std::array<const void*, 4> sections = {view.offsets, view.indices, view.values, view.labels};
    std::vector<std::uint64_t> checksums(layout.chunks.size());
    parallel_for(checksums.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const CacheChunk& chunk = layout.chunks[i];
            checksums[i] =
                content_hash(static_cast<const std::byte*>(sections[chunk.section]) + chunk.within, chunk.bytes);
        }
    });
    CacheHeader header;
    header.content_hash = source_hash;
    header.rows = view.rows;
    header.nonzeros = view.nonzeros();
    header.columns = view.columns;
    header.checksums_hash = content_hash(checksums.data(), 8 * checksums.size());
    header.header_hash = content_hash(&header, offsetof(CacheHeader, header_hash));

    create_directory(directory_);
    AtomicFile file(arrays_path(source_hash), AtomicFile::Readers::kUserAlone);
    file.write(&header, sizeof header);
    std::uint64_t position = sizeof header;
    const std::array<std::byte, CacheLayout::kAlignment> padding{};
    for (unsigned section = 0; section < 4; ++section) {
        file.write(padding.data(), layout.begin[section] - position);
        file.write(sections[section], layout.bytes[section]);
        position = layout.begin[section] + layout.bytes[section];
    }
    file.write(padding.data(), layout.checksums_begin - position);
    file.write(checksums.data(), 8 * checksums.size());
    file.commit();
}

std::optional<std::uint64_t> Cache::recall(const std::string& path, const FileStamp& stamp) const {
    const std::string where = memo_path(path);
    std::error_code unknown;
    if (!std::filesystem::exists(where, unknown)) return std::nullopt;
    try {
        const MappedFile file(where);
        Memo memo;
        if (file.size() != sizeof memo || !file.is_own()) return std::nullopt;
        const std::array<char, 8> magic = memo.magic;
        std::memcpy(&memo, file.data(), sizeof memo);
        const bool intact = memo.magic == magic && memo.memo_hash == content_hash(&memo, offsetof(Memo, memo_hash));
        if (!intact || memo.stamp != stamp || memo.path_hash != content_hash(absolute(path))) return std::nullopt;
        return memo.content_hash;
    } catch (const Error&) { // an unreadable memo only costs reading the file
        return std::nullopt;
    }
}

void Cache::remember(const std::string& path, const FileStamp& stamp, std::uint64_t source_hash) const {
    create_directory(directory_);
    Memo memo;
    memo.stamp = stamp;
    memo.path_hash = content_hash(absolute(path));
    memo.content_hash = source_hash;
    memo.memo_hash = content_hash(&memo, offsetof(Memo, memo_hash));
    AtomicFile file(memo_path(path), AtomicFile::Readers::kUserAlone);
    file.write(&memo, sizeof memo);
    file.commit();
}

} // namespace hogwild
