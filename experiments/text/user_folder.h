// The user's folders for this program, after the XDG base directory specification.
//
// Thread-safety: reads the environment. Errors: none.
#pragma once

#include <string>

namespace hogwild {

/// $`variable`/hogwild, else $HOME/`below_home`/hogwild, else empty.
std::string user_folder(const char* variable, const char* below_home);

} // namespace hogwild
