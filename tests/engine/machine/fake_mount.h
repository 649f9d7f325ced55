// A folder that looks like /sys/fs/cgroup, removed at the end.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace hogwild {

class FakeMount {
public:
    FakeMount() {
        std::string name = (std::filesystem::temp_directory_path() / "hogwild-cgroup-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        root_ = name;
    }
    FakeMount(const FakeMount&) = delete;
    FakeMount& operator=(const FakeMount&) = delete;
    ~FakeMount() { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text << '\n';
    }
    const std::filesystem::path& root() const { return root_; }

private:
    std::filesystem::path root_;
};

} // namespace hogwild
