// The files that samples are read from, whatever a command then makes of them.
//
// Looks at the disk; thread-safe. Errors: none, what is wrong with a file is said by who reads it.
#pragma once

#include <string>
#include <vector>

namespace hogwild {

struct DataOptions;

/// The file that each name means. Of images all files, also of labels and of a folder's test; of a text the questions about
/// its words too.
/// `test`: as `hogwild run --test` takes it.
std::vector<std::string> input_files(const DataOptions& data, const std::string& test = "");

} // namespace hogwild
