// Runs another program and takes what it prints.
//
// Thread-safety: reentrant. Errors: throws Error; Failure::kMissing when there is no such program, kError when it fails.
#pragma once

#include <string>
#include <vector>

namespace hogwild {

/// Standard output of command[0], found in PATH unless it names a folder, with the other words as its arguments. Its standard
/// error stays ours, its standard input is empty.
std::string output_of(const std::vector<std::string>& command);

} // namespace hogwild
