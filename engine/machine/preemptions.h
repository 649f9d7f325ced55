// How often the system took a core from a thread of this process that wanted to go on: involuntary context switches.
//
// On a machine of one's own there are a few a second; where other programs want the cores there are hundreds.
// Thread-safety: any thread. Errors: none; 0 where the system does not count.
#pragma once

#include <cstdint>

namespace hogwild {

/// Of all threads, ended ones too, since the process began.
std::uint64_t preemptions();

} // namespace hogwild
