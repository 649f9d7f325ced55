// An output that lies among the files of a results folder would take away what was measured, or what a command reads.
//
// Ours are the files that docs/reference/result-files.md lists, and all of the folders of runs, of trials, of optima and of
// figures. Other names at the top of the folder are the user's. Looks at the disk alone; thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace hogwild {

/// Refuses a file or folder that is one of ours in `folder`, by whatever name, or that would lie in one of its folders. `option`
/// names the output in the error. `replaced`: the file at the top that this command is there to write. Errors: Error
/// (Failure::kUsage).
void check_apart_from_results(const std::string& option, const std::string& output, const std::string& folder,
                              std::string_view replaced = {});

} // namespace hogwild
