// Short runs of the built program, for tests that look at it as a user does.
#pragma once

#include "tests/experiments/child.h"
#include "tests/scratch.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace hogwild {

namespace fs = std::filesystem;

inline const std::string kTiny = "synthetic:rows=300,features=40,nonzeros=5";

/// A short run of `more` on tiny data into `folder`/out.
inline Finished run_tiny(const fs::path& folder, const std::vector<std::string>& more, const std::string& data = kTiny,
                         const char* output = nullptr) {
    std::vector<std::string> words{"run", "--data", data, "--no-cache", "--no-plot", "--epochs", "2", "-o", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words, folder, output);
}

inline std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace hogwild
