// A file on its way: FILE.part grows until it is whole, then gets its name. What it is a part of stands beside it, in
// FILE.part.of, so that another process can go on.
//
// Only a regular file with no other name is taken up: no link is followed, no pipe waited for. What it is a part of is the
// user's alone to read.
//
// One process has it at a time: a lock that the kernel releases. Not thread-safe. Errors: Error (Failure::kDisk) that names
// the file and the system's reason; Error when another process has it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace hogwild {

/// Which bytes a part holds.
struct PartOf {
    std::string address;
    std::string version;     // the server's word for them (ETag or Last-Modified); empty: it gave none
    std::uint64_t total = 0; // bytes of the whole; 0: not known

    friend bool operator==(const PartOf&, const PartOf&) = default;
};

class PartFile {
public:
    /// Takes up FILE.part, or makes an empty one.
    explicit PartFile(const std::filesystem::path& file);
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    ~PartFile();

    const std::filesystem::path& path() const { return part_; } // FILE.part
    std::uint64_t size() const { return size_; }
    const PartOf& of() const { return of_; }

    /// Empties it: from now on it holds bytes of this.
    void restart(const PartOf& of);

    void append(std::string_view bytes);

    /// Flushes it to disk and gives it its name.
    void publish();

    /// Removes it.
    void discard();

private:
    void open_locked();
    [[noreturn]] void refuse_planted() const;
    [[noreturn]] void refuse(const char* what, int error) const;

    std::filesystem::path file_, part_, note_;
    int handle_ = -1;
    std::uint64_t size_ = 0;
    PartOf of_;
};

} // namespace hogwild
