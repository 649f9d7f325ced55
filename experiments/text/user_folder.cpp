#include "experiments/text/user_folder.h"

#include <cstdlib>

namespace hogwild {

std::string user_folder(const char* variable, const char* below_home) {
    const char* named = std::getenv(variable);
    if (named != nullptr && *named == '/') return std::string(named) + "/hogwild"; // a relative one is to be ignored
    const char* home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? std::string(home) + "/" + below_home + "/hogwild" : "";
}

} // namespace hogwild
