// Files of one test, in a folder that is removed with everything in it.
#pragma once

#include "tests/scratch.h"

#include <iterator>
#include <string_view>

namespace hogwild {

class ScratchFiles {
public:
    std::string path(const std::string& name) const { return (folder_.path / name).string(); }

    std::string write(const std::string& name, std::string_view content) const {
        std::ofstream(path(name), std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
        return path(name);
    }

    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_.path), {}));
    }

private:
    Scratch folder_;
};

} // namespace hogwild
