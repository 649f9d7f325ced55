// The built program with the n-th of its calls that change files failing, or ending it (tests/crash/faults.cpp).
#pragma once

#include "tests/experiments/child.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace hogwild {

/// Whether this build has none, which it says.
inline bool no_faults() {
    if (std::getenv("HOGWILD_FAULTS") != nullptr) return false;
    MESSAGE("skipped: no library of faults in this build, as a sanitizer has to be loaded first; to run it: "
            "./tests/run release");
    return true;
}

/// As `call`, with a fault such as "kill:7".
inline Finished call_with(const std::string& fault, const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder) {
    std::vector<std::string> words{"/usr/bin/env", "LD_PRELOAD=" + std::string(std::getenv("HOGWILD_FAULTS")),
                                   "HOGWILD_FAULT=" + fault, program()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Child child(std::move(words), folder);
    const int code = child.finish();
    return {code, child.out, child.error};
}

} // namespace hogwild
