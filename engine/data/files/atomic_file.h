// A file that appears whole or not at all: written beside its place under another name, synced, then renamed.
//
// The name itself is replaced, a link too: engine/data/files/named_file.h follows it. What is written may be read by the user
// alone where that is asked for.
//
// Not thread-safe; several processes may write the same path at once, and the last rename wins. Errors: Error with
// Failure::kDisk (no space, no permission, no folder). Without commit() the destructor removes what was written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hogwild {

class AtomicFile {
public:
    enum class Readers { kAsUsual, kUserAlone }; // by the process's umask; mode 0600

    explicit AtomicFile(std::string path, Readers readers = Readers::kAsUsual);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    void write(const void* bytes, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }

    /// Gives it the permissions of the file `path`, and its owner and group as far as this user may.
    void resemble(const std::string& path);

    /// Syncs the bytes to the disk, gives them their name, and syncs the folder.
    void commit();

private:
    [[noreturn]] void fail() const;

    std::string path_;
    std::string temporary_;
    int file_ = -1;
};

} // namespace hogwild
