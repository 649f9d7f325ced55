// Loaded before the C library (LD_PRELOAD): the process takes the machine for one of HOGWILD_PROCESSORS processors, all of which it may use.
// What hangs on their number can be seen on any machine. Threads that are bound to a processor are not.
#include <cstdlib>
#include <cstring>

#include <pthread.h>
#include <sched.h>

extern "C" {

int sched_getaffinity(pid_t, size_t bytes, cpu_set_t* set) {
    const char* cores = std::getenv("HOGWILD_PROCESSORS");
    std::memset(set, 0, bytes);
    for (int i = 0; i < (cores == nullptr ? 1 : std::atoi(cores)); ++i) CPU_SET_S(i, bytes, set);
    return 0;
}

int sched_setaffinity(pid_t, size_t, const cpu_set_t*) { return 0; }
int pthread_setaffinity_np(pthread_t, size_t, const cpu_set_t*) { return 0; }

} // extern "C"
