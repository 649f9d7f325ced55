// Loaded into `hogwild sweep` or `hogwild run` before the C library (LD_PRELOAD). It lets the n-th call that changes
// files fail, or ends the process there, as kill -9 or a power cut would. Calls are counted that write, flush, rename
// or make something on disk; not those to terminals and pipes. Only the process with that command is touched, not the
// trials that it starts.
//
//   HOGWILD_FAULT=kill:N    the process is killed in place of call N
//   HOGWILD_FAULT=after:N   the process is killed N milliseconds after it began
//   HOGWILD_FAULT=fail:N    call N says that the disk is full, and so does every call after it
//   HOGWILD_FAULT=every:N   every N-th call says that the disk is full, and no other
//   HOGWILD_FAULT=short:N   every N-th call that writes does half of it
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::atomic<long> calls{0};
char mode[16] = {}; // empty: no faults
long number = 0;

bool is_meant() {
    char words[4096] = {};
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, words, sizeof words - 1);
    if (file >= 0) close(file);
    if (size <= 0) return false;
    const std::string_view command = words + std::strlen(words) + 1;
    return command == "sweep" || command == "run";
}

bool is(std::string_view name) { return name == mode; }

[[gnu::constructor]] void arm() {
    const char* fault = std::getenv("HOGWILD_FAULT");
    if (fault == nullptr || !is_meant()) return;
    if (std::sscanf(fault, "%15[a-z]:%ld", mode, &number) != 2 || number < 1) std::abort();
    if (!is("after")) return;
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    timer_t timer{};
    itimerspec once{};
    once.it_value = {number / 1000, number % 1000 * 1'000'000};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &once, nullptr) != 0)
        std::abort();
}

/// Whether this call fails.
bool faulty() {
    const long call = ++calls;
    if (is("kill") && call == number) raise(SIGKILL);
    if (!(is("fail") && call >= number) && !(is("every") && call % number == 0)) return false;
    errno = ENOSPC;
    return true;
}

bool is_file(int file) {
    struct stat status {};
    return fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
    static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
    if (!is_file(file)) return real(file, bytes, size);
    if (faulty()) return -1;
    return real(file, bytes, is("short") && calls % number == 0 ? (size + 1) / 2 : size);
}

int fsync(int file) {
    static auto* const real = next<int(int)>("fsync");
    return is_file(file) && faulty() ? -1 : real(file);
}

int rename(const char* from, const char* to) {
    static auto* const real = next<int(const char*, const char*)>("rename");
    return faulty() ? -1 : real(from, to);
}

int mkdir(const char* path, mode_t mode) {
    static auto* const real = next<int(const char*, mode_t)>("mkdir");
    return faulty() ? -1 : real(path, mode);
}
}
