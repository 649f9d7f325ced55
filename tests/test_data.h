// Real data sets for tests: found beside the checkout, never inside it.
//
//     const auto file = test_data("sparse/heart_scale");
//     if (!file) return;
//
// The folder is $HOGWILD_TEST_DATA, else ../shared/data relative to the source tree. Call it on the thread that runs the
// test case: an absent file is announced through doctest, and ./tests/run repeats it at its end.
#pragma once

#include "tests/source_dir.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace hogwild {

/// The path of `name` below the data folder; when there is no such file, says so and returns nothing.
inline std::optional<std::string> test_data(const std::string& name) {
    const char* const folder = std::getenv("HOGWILD_TEST_DATA");
    const auto root = folder ? std::filesystem::path(folder) : source_dir() / "../shared/data";
    const std::string path = (root / name).lexically_normal().string();
    std::error_code absent;
    if (std::filesystem::exists(path, absent)) return path;
    MESSAGE("skipped: no " << path << "; to run it: set HOGWILD_TEST_DATA to the folder that holds " << name);
    return std::nullopt;
}

} // namespace hogwild
