// The files that samples are read from, whatever a command then makes of them.
//
// Looks at the disk; thread-safe. Errors: none, what is wrong with a file is said by who reads it.
#pragma once

#include <string>
#include <vector>

namespace hogwild {

struct DataOptions;

/// The files that each name means: all files of images, also of labels and of a folder's test, and the questions about a text's
/// words.
/// `test`: as `hogwild run --test` takes it.
std::vector<std::string> input_files(const DataOptions& data, const std::string& test = "");

} // namespace hogwild
