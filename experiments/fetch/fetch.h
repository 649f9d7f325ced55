// A public file that is here, whole and verified.
//
// What is known of it (size, SHA-256) is compared before it gets its name. Its SHA-256 is recorded beside it in
// FILE.sha256, as sha256sum writes it, and compared whenever it is fetched again. A file that is there already is
// verified alike.
//
// Not thread-safe; processes that fetch the same file exclude each other. Errors: Error for a file that is not what is known,
// which is not kept; those of download() and PartFile.
#pragma once

#include "experiments/fetch/download.h"
#include "experiments/fetch/public_data.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

namespace hogwild {

struct Fetched {
    std::filesystem::path path;
    std::string sha256;
    bool was_there = false;
    bool was_known = false; // its SHA-256, from the table or an earlier record
};

/// Nothing: `interrupt` came first. `address` is that of the file itself; `folder` exists.
std::optional<Fetched> fetch(const PublicFile& file, const std::string& address, const std::filesystem::path& folder,
                             const std::atomic<bool>& interrupt, const WatchDownload& watch);

} // namespace hogwild
