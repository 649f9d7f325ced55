// A file's bytes, mapped read-only.
//
// Thread-safety: any number of threads may read. A page that another program cuts off while the file is mapped ends this
// process (SIGBUS); engine/data/files/mapped_ranges.h says whose it was. Hogwild replaces files by rename, which leaves
// the old bytes in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hogwild {

/// What tells one state of a file from another without reading it.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0; // mtime
    std::int64_t changed_ns = 0;  // ctime, which no program can set back

    bool operator==(const FileStamp&) const = default;
};

/// That of the file which has this path now; nothing where there is none.
std::optional<FileStamp> stamp_of(const std::string& path);

class MappedFile {
public:
    /// Throws Error with Failure::kMissing when `path` is absent, unreadable or no regular file.
    explicit MappedFile(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    const std::byte* data() const { return data_; }
    std::uint64_t size() const { return stamp_.size; }
    std::string_view text() const {
        return {reinterpret_cast<const char*>(data_), static_cast<std::size_t>(stamp_.size)};
    }

    /// Takes the whole pages of a part that has been read out of this process. They stay in the system's cache, and
    /// come back when they are read again. Any thread.
    void done(std::string_view part) const;

    const FileStamp& stamp() const { return stamp_; } // taken when the file was opened

    /// Whether the file is of the user that this process acts for.
    bool is_own() const { return own_; }

private:
    const std::byte* data_ = nullptr; // null for an empty file
    FileStamp stamp_;
    bool own_ = false;
};

} // namespace hogwild
