// The folder that fetched data lie in, and what a name on the command line means there.
//
// Thread-safety: reads the environment and the disk. Errors: Error (Failure::kMissing) for a public set that was not fetched,
// Error (Failure::kUsage) for one that a run cannot read.
#pragma once

#include <string>

namespace hogwild {

/// $XDG_DATA_HOME/hogwild, else $HOME/.local/share/hogwild, else empty.
std::string default_data_folder();

/// `name` itself where it is a path that exists or no public set. Else the fetched file that it means: "real-sim",
/// "rcv1_test.binary". For a set that is read as a folder ("mnist") it is the folder.
std::string data_path(const std::string& name);

} // namespace hogwild
