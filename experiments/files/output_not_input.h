// An output that is one of a command's inputs would take away what the command reads.
//
// Looks at the disk alone; thread-safe. Errors: Error (Failure::kUsage).
#pragma once

#include <string>
#include <vector>

namespace hogwild {

/// Refuses an output that is one of these files, by whatever name: the same device and inode. `option` names the output in
/// the error.
void check_apart(const std::string& option, const std::string& output, const std::vector<std::string>& inputs);

} // namespace hogwild
