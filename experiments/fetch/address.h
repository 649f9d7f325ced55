// Addresses as they may be told and kept: without the name and password that some of them hold.
//
// Thread-safe: pure function. Errors: none.
#pragma once

#include <string>

namespace hogwild {

/// "https://host/folder" of "https://user:password@host/folder"; of what has neither, the same text.
std::string without_login(const std::string& address);

} // namespace hogwild
