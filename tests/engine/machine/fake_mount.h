// A folder that looks like /sys/fs/cgroup.
#pragma once

#include "tests/scratch.h"

namespace hogwild {

class FakeMount {
public:
    void write(const std::string& file, const std::string& text) const {
        std::filesystem::create_directories((root() / file).parent_path());
        std::ofstream(root() / file) << text << '\n';
    }
    const std::filesystem::path& root() const { return folder_.path; }

private:
    Scratch folder_;
};

} // namespace hogwild
