// The Python programs of results/: where they lie, which Python has what they import, and how a call of one ends.
//
// Thread-safety: none; starts child processes and waits for them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hogwild {

struct Script {
    std::string name; // below results/: "report/report.py"
    std::vector<std::string>
        modules; // what it imports and a Python may lack; Debian's package of the first brings the others
};

/// That of the source tree for a `hogwild` in its build folder, else the one beside it (../share/hogwild/NAME), else empty.
std::filesystem::path path_of(const Script& script);

/// "results/report/report.py", as a reader of the sources knows it.
std::string known_as(const Script& script);

/// The path of the first Python that has the modules; empty: none has, or none can be asked (no_python). Only the system's
/// interpreter sees a system's packages, and it need not come first in PATH.
const std::string& python_of(const Script& script);

/// "no python3 with matplotlib was found"; where this process may not have the descriptors of one, the limit.
std::string no_python(const Script& script);

/// What then to try: `otherwise`, or to raise the limit.
std::string python_remedy(const std::string& otherwise);

/// "python3-matplotlib", Debian's.
std::string package_of(const Script& script);

enum class Output { kDropped, kShown };

/// Exit code of `program arguments...`, of which standard output may be dropped; -1 if it did not start or died. `program` is a
/// path. Errors: Error where a limit of processes or descriptors was met.
int call(std::vector<std::string> words, Output output);

/// Runs the script with these words, and returns its exit code; it says itself what is wrong. `product`: what it writes, for
/// errors: "report". Errors: Error (Failure::kMissing) without the script or a Python that has the modules, (Failure::kError)
/// when it died.
int run_script(const Script& script, const std::vector<std::string>& words, const std::string& product,
               Output output = Output::kShown);

/// As a shell reads it back.
std::string shell_word(const std::string& text);

/// What a person would type: "/usr/bin/python3 .../plot.py DIR".
std::string shell_line(const Script& script, const std::vector<std::string>& words);

} // namespace hogwild
