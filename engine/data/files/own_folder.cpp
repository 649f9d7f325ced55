#include "engine/data/files/own_folder.h"

#include <cerrno>

#include <sys/stat.h>

namespace hogwild {

std::error_code make_own_folder(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    std::error_code unseen; // what cannot be looked at is said by mkdir
    fs::path made;
    for (const fs::path& part : path) {
        made /= part;
        if (fs::is_directory(made, unseen) || mkdir(made.c_str(), 0700) == 0) continue;
        const int error = errno == EEXIST ? ENOTDIR : errno;
        if (error != ENOTDIR || !fs::is_directory(made, unseen)) return {error, std::generic_category()};
    }
    return {};
}

} // namespace hogwild
