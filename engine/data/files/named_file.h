// A file that a user named as an output, written where it lies or refused.
//
// Links are followed, also to a file that is not there yet. A regular file, or none, is written as AtomicFile does: whole or
// not at all, with the permissions that the file had. Pipes and devices are written in place, byte after byte. /dev/stdout and
// /dev/fd/N are descriptors of this process, and go on where they stand.
//
// Not thread-safe. Errors: those of AtomicFile; Error (Failure::kDisk) for a folder and for a file that may not be written. A file
// with several names is refused too, since a rename would leave the others old. Opening a pipe waits for its reader.
#pragma once

#include "engine/data/files/atomic_file.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hogwild {

class NamedFile {
public:
    explicit NamedFile(const std::string& path);
    NamedFile(const NamedFile&) = delete;
    NamedFile& operator=(const NamedFile&) = delete;
    ~NamedFile();

    void write(const void* bytes, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }

    /// As AtomicFile; what is written in place is closed.
    void commit();

private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::optional<AtomicFile> whole_;
    int in_place_ = -1;
};

/// Throws early what NamedFile would; leaves nothing behind, and opens no pipe.
void check_named_file(const std::string& path);

} // namespace hogwild
