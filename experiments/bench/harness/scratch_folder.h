// A temporary folder, removed with all that is in it.
#pragma once

#include "engine/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace hogwild {

class ScratchFolder {
public:
    ScratchFolder() : path_((std::filesystem::temp_directory_path() / "hogwild-bench-XXXXXX").string()) {
        if (mkdtemp(path_.data()) == nullptr) {
            throw Error(Failure::kDisk, "no temporary folder could be made at " + path_, std::strerror(errno),
                        "set TMPDIR to a folder with space");
        }
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

} // namespace hogwild
