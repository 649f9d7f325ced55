// Reads one of the kernel's small text files (/proc, /sys). A file that cannot be read is empty text: what the kernel
// does not tell is unknown, not an error.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace hogwild {

inline std::string read_small_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) return {};
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

} // namespace hogwild
