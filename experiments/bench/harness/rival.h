// Somebody else's program, measured beside ours: `--rival NAME=PROGRAM`.
//
// The protocol. PROGRAM is an executable, called as
//
//     PROGRAM SUBJECT REPEATS
//
// where SUBJECT and REPEATS are what the benchmark program's --help says (for training: a LIBSVM file and the number of
// epochs).
// The last line that it prints holds two numbers, the rest is ignored:
//
//     SECONDS RATE
//
// the seconds that the work itself took, reading and evaluating left out, and the rate in the benchmark's unit (for training:
// nonzeros per second). Rivals are neither built nor installed here: a wrapper of a few lines makes a program one.
//
// Thread-safety: one rival at a time, or they measure each other.
#pragma once

#include <string>
#include <string_view>

namespace hogwild {

struct Rival {
    std::string name;
    std::string program;
};

/// From "NAME=PROGRAM". Throws Error (Failure::kUsage) when it is not that, kMissing when PROGRAM is not executable.
Rival parse_rival(const std::string& text);

struct RivalSpeed {
    double seconds = 0;
    double rate = 0;
};

/// Runs it once. Throws Error when it fails or says no speed.
RivalSpeed run_rival(const Rival& rival, const std::string& subject, const std::string& repeats);

/// The two positive numbers of the last line that is not blank; throws Error in the name of `rival`.
RivalSpeed parse_rival_speed(const Rival& rival, std::string_view output);

} // namespace hogwild
