// Loaded into a command before the C library (LD_PRELOAD). It changes a file at the n-th of the command's calls of madvise and
// inflateInit2. The first is called while a mapped file is hashed or parsed, the second when a compressed one begins to be parsed.
//
//   HOGWILD_CHANGE=rewrite:N   the bytes of HOGWILD_CHANGED become those of HOGWILD_BYTES, in place
//   HOGWILD_CHANGE=cut:N       it has half its bytes from there on
//   HOGWILD_CHANGE=grow:N      the bytes of HOGWILD_BYTES come behind its own
//   HOGWILD_CHANGE=replace:N   its name is that of HOGWILD_BYTES from there on
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::string bytes_of(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool write_at(const char* path, off_t place, const std::string& bytes) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(place);
    file << bytes;
    return file.flush().good();
}

off_t size_of(const char* path) {
    struct stat status {};
    return stat(path, &status) == 0 ? status.st_size : 0;
}

bool change(std::string_view how) {
    const char *const path = std::getenv("HOGWILD_CHANGED"), *const other = std::getenv("HOGWILD_BYTES");
    if (how == "rewrite") return write_at(path, 0, bytes_of(other)) && truncate(path, size_of(other)) == 0;
    if (how == "cut") return truncate(path, size_of(path) / 2) == 0;
    if (how == "grow") return write_at(path, size_of(path), bytes_of(other));
    return std::rename(other, path) == 0;
}

void count() {
    static std::atomic<long> calls{0};
    static const char* const wanted = std::getenv("HOGWILD_CHANGE");
    char how[16] = {};
    long number = 0;
    if (wanted != nullptr && std::sscanf(wanted, "%15[a-z]:%ld", how, &number) == 2 && ++calls == number &&
        !change(how))
        std::abort();
}

} // namespace

extern "C" {

int madvise(void* address, size_t size, int advice) noexcept {
    count();
    return static_cast<int>(syscall(SYS_madvise, address, size, advice));
}

int inflateInit2_(void* stream, int bits, const char* version, int size) {
    static auto* const real =
        reinterpret_cast<int (*)(void*, int, const char*, int)>(dlsym(RTLD_NEXT, "inflateInit2_"));
    count();
    return real(stream, bits, version, size);
}
}
