// One process at a time works on a folder: DIR/lock, held until this is destroyed or its process ends, however it ends.
//
// Errors: Error (Failure::kUsage) where another process holds it; Error (Failure::kDisk) where there can be no lock.
#pragma once

#include <filesystem>

namespace hogwild {

class FolderLock {
public:
    static constexpr const char* kFile = "lock";

    /// `folder` is there.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int file_;
};

} // namespace hogwild
