// Brings the bytes of one address into a PartFile.
//
// http and https; at most 10 redirects, never from https to http. A part of the same address goes on where it ends
// (Range), if the server still has the same file (If-Range). Where the server has another by now, or no ranges, it
// starts over. What came is whole when it has the bytes that the server said. More than those, or than are known, is not
// taken. An answer that ends too early is taken up again as long as each brings more than there was. Where several in a
// row bring little the pauses between them double, and at last it is given up. What arrived stays in the part, whatever
// ends the download; what is too long does not. A name and password in the address are sent, and neither told nor kept.
//
// Not thread-safe. Errors: Error (Failure::kMissing) when the address cannot be had: no connection, an answer of 400
// and above, too many redirects, cut for good. Error for more bytes than the file has. Error (Failure::kDisk) from the part.
#pragma once

#include "experiments/fetch/part_file.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace hogwild {

/// Called now and then with the bytes that are there and those of the whole (0: not known).
using WatchDownload = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// False: `interrupt` came first. `known`: the bytes of the file; 0: not known.
bool download(const std::string& address, std::uint64_t known, PartFile& part, const std::atomic<bool>& interrupt,
              const WatchDownload& watch);

} // namespace hogwild
