#include "experiments/fetch/fetch.h"

#include "engine/data/files/atomic_file.h"
#include "engine/error.h"
#include "engine/numbers.h"
#include "experiments/fetch/digest.h"
#include "experiments/text/stored_text.h"

#include <fmt/format.h>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

fs::path record_of(const fs::path& path) { return path.string() + ".sha256"; }

/// The first word of the record, or nothing.
std::string recorded(const fs::path& path) {
    const std::string text = stored_text(record_of(path)).value_or("");
    return text.substr(0, text.find_first_of(" \t\n"));
}

void record(const fs::path& path, const std::string& sha256) {
    if (recorded(path) == sha256) return;
    AtomicFile file(record_of(path).string());
    file.write(fmt::format("{}  {}\n", sha256, path.filename().string()));
    file.commit();
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why, const std::string& suggestion) {
    throw Error(path.string() + " is not the file that is known", why, suggestion);
}

/// Its SHA-256 if it is what is known, nothing where an interrupt came first; else an Error that ends with `suggestion`.
std::optional<std::string> verified(const fs::path& path, const PublicFile& file, const fs::path& final_path,
                                    const std::string& suggestion, const std::atomic<bool>& interrupt) {
    std::error_code unseen; // what cannot be looked at is said by the read below
    const std::uint64_t size = fs::file_size(path, unseen);
    if (!unseen && file.bytes != 0 && size != file.bytes)
        refuse(final_path, fmt::format("it has {} bytes, not {}", grouped(size), grouped(file.bytes)), suggestion);
    const auto sha256 = digest_of(path, Digest::sha256(), interrupt);
    if (!sha256) return {};
    if (!file.sha256.empty() && *sha256 != file.sha256)
        refuse(final_path, fmt::format("its SHA-256 is {}, not {}", *sha256, file.sha256), suggestion);
    if (!file.md5.empty()) {
        const auto md5 = digest_of(path, Digest::md5(), interrupt);
        if (!md5) return {};
        if (*md5 != file.md5) refuse(final_path, fmt::format("its MD5 is {}, not {}", *md5, file.md5), suggestion);
    }
    const std::string before = recorded(final_path);
    if (!before.empty() && *sha256 != before) {
        throw Error(final_path.string() + " is not what it was when it was first fetched",
                    fmt::format("its SHA-256 is {}, {} says {}", *sha256, record_of(final_path).string(), before),
                    suggestion + "; if its publisher has changed it, delete " + record_of(final_path).string());
    }
    return sha256;
}

} // namespace

std::optional<Fetched> fetch(const PublicFile& file, const std::string& address, const fs::path& folder,
                             const std::atomic<bool>& interrupt, const WatchDownload& watch) {
    Fetched fetched;
    fetched.path = folder / file.name;
    fetched.was_known = file.is_known() || !recorded(fetched.path).empty();
    if (fs::exists(fetched.path)) {
        fetched.was_there = true;
        const auto sha256 = verified(fetched.path, file, fetched.path, "delete it and fetch it again", interrupt);
        if (!sha256) return {};
        fetched.sha256 = *sha256;
        record(fetched.path, fetched.sha256);
        return fetched;
    }
    PartFile part(fetched.path);
    if (!download(address, file.bytes, part, interrupt, watch)) return {};
    try {
        const auto sha256 =
            verified(part.path(), file, fetched.path,
                     "what arrived was not kept; try again, or another mirror with --from URL", interrupt);
        if (!sha256) return {}; // its part stays, and is verified next time
        fetched.sha256 = *sha256;
    } catch (...) {
        part.discard();
        throw;
    }
    record(fetched.path, fetched.sha256);
    part.publish();
    return fetched;
}

} // namespace hogwild
