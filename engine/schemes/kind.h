// What kind a scheme is: serial; sync, where workers wait for each other's steps or averages; async, where nobody waits.
//
// Thread-safe: a pure function.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace hogwild {

inline constexpr std::array<std::string_view, 3> kKinds{"serial", "sync", "async"};

/// Every other scheme, but serial, is asynchronous.
inline constexpr auto kSynchronous = std::to_array<std::string_view>({
    "round-robin", "conflict-free", "cyclades", "minibatch", "backup-workers", "local-sgd",
    "svrg", // at each anchor
});

constexpr std::string_view kind_of(std::string_view scheme) {
    if (scheme == "serial") return "serial";
    return std::ranges::find(kSynchronous, scheme) != kSynchronous.end() ? "sync" : "async";
}

} // namespace hogwild
