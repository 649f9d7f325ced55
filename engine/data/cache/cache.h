// The binary cache: parsed files as arrays on disk, found by content, mapped by a second run.
//
// `<hash of the source's bytes>.arrays` holds the arrays as they are in memory, labels as they stand in the source:
//
//     header (magic, byte order, version, sizes, checksum) | offsets | indices | values | labels | chunk checksums
//
// Every section is 64-byte aligned. `<hash of the path>.memo` remembers a file's content hash by its stamp (device,
// inode, size, mtime, ctime). So an unchanged file is not read again. Both are written as AtomicFile says, and
// are the user's alone, as the folder is where it is made: the source may be private.
//
// Trust: the header and the chunk checksums are always verified. The arrays (XXH3 of each 4 MiB) are verified when they
// are copied into huge pages, not when they are used as mapped. A right checksum makes nothing true: offsets, indices,
// values and labels are always held against the promises of SparseView. Entries and memos of another user are not taken.
// Whatever does not fit is no cache: the reason is returned and the caller parses the source. Nothing here removes old
// caches; the folder may be deleted at any time.
// Thread-safety: reentrant, across processes too.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/files/mapped_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace hogwild {

struct CacheEntry {
    std::shared_ptr<DatasetStorage> storage; // null: there is no usable entry
    SparseView view;
    std::string refusal; // why an entry that exists is not used
};

class Cache {
public:
    explicit Cache(std::string directory) : directory_(std::move(directory)) {}

    /// `huge_pages`: copy the arrays, verified, into huge pages; otherwise they stay in the file's pages.
    CacheEntry read(std::uint64_t content_hash, bool huge_pages) const;

    /// Creates the directory when needed. Throws Error with Failure::kDisk.
    void write(std::uint64_t content_hash, SparseView view) const;

    /// The remembered content hash of a file that still has this stamp.
    std::optional<std::uint64_t> recall(const std::string& path, const FileStamp& stamp) const;

    /// Throws Error with Failure::kDisk.
    void remember(const std::string& path, const FileStamp& stamp, std::uint64_t content_hash) const;

    std::string arrays_path(std::uint64_t content_hash) const;
    std::string memo_path(const std::string& path) const;

private:
    std::string directory_;
};

} // namespace hogwild
