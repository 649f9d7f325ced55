// How long threads of this process were ready to run and had no core: what other programs, or too many threads, took from it.
//
// Thread-safety: any thread. Errors: none; 0 where the system does not tell (Linux: /proc/self/task/*/schedstat).
#pragma once

namespace hogwild {

/// Seconds, summed over the threads that live now, each since it began.
double core_wait_seconds();

} // namespace hogwild
