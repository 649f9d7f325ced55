// Brings the bytes of one address into a PartFile.
//
// http and https; at most 10 redirects, never from https to http. A part of the same address goes on where it ends
// (Range), if the server still has the same file (If-Range). Where the server has another by now, or no ranges, it
// starts over. A connection that is cut is taken up again as long as each attempt brings more than there was. What
// arrived stays in the part, whatever ends the download.
//
// Not thread-safe. Errors: Error (Failure::kMissing) when the address cannot be had: no connection, an answer of 400
// and above, too many redirects, cut for good. Error (Failure::kDisk) from the part.
#pragma once

#include "experiments/fetch/part_file.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace hogwild {

/// Called now and then with the bytes that are there and those of the whole (0: not known).
using WatchDownload = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// False: `interrupt` came first.
bool download(const std::string& address, PartFile& part, const std::atomic<bool>& interrupt,
              const WatchDownload& watch);

} // namespace hogwild
