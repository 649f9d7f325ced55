// A folder for readers that take a path: in memory where the system has such a place, and gone when the program ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace hogwild {

class ScratchFolder {
public:
    ScratchFolder() {
        const std::filesystem::path memory = "/dev/shm";
        const bool there = std::filesystem::is_directory(memory);
        std::string name = (there ? memory : std::filesystem::temp_directory_path()) / "hogwild-fuzz-XXXXXX";
        if (mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    ~ScratchFolder() { std::filesystem::remove_all(path_); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace hogwild
