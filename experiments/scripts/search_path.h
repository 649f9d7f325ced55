// Lists of folders such as PATH and PYTHONPATH, without those that depend on where one stands. An empty or relative part is the
// current folder or below it, and nothing is run from there.
//
// Thread-safety: none, as of the environment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// "/a:/b" of ".:/a::b/c:/b".
std::string absolute_parts(std::string_view list);

/// The program's path in the first folder of `list` that has it; empty where none has.
std::string program_in(std::string_view list, std::string_view name);

/// The environment for a Python, "NAME=VALUE" each: ours, with absolute parts of PATH and PYTHONPATH alone.
std::vector<std::string> python_environment();

} // namespace hogwild
