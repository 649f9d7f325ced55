// How a run ends: one row of properties a status. Nobody else compares with these names.
//
// A status that no row has, as a table of other tools may hold, has no property.
// Thread-safety: constants and pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace hogwild {

struct StatusTraits {
    std::string_view name{};  // in summary.csv, in manifests and in journals
    bool done = false;        // it took all its steps, and losses stayed low: its speed counts
    bool diverged = false;    // losses did not
    bool interrupted = false; // somebody stopped it: another process may go on with it
    bool failed = false;      // an error ended it

    /// Whether it took all its steps, so that nothing is left to go on with.
    constexpr bool ended_by_itself() const { return done || diverged; }

    /// Whether more time could not have brought it to a target.
    constexpr bool is_hopeless() const { return diverged || failed; }
};

inline constexpr StatusTraits kDoneStatus{.name = "done", .done = true};
inline constexpr StatusTraits kDivergedStatus{.name = "diverged", .diverged = true};
inline constexpr StatusTraits kInterruptedStatus{.name = "interrupted", .interrupted = true};
inline constexpr StatusTraits kFailedStatus{.name = "failed", .failed = true};
inline constexpr std::array kStatuses{kDoneStatus, kDivergedStatus, kInterruptedStatus, kFailedStatus};

/// The row of that name.
constexpr StatusTraits status_traits(std::string_view name) {
    const auto row = std::ranges::find(kStatuses, name, &StatusTraits::name);
    return row == kStatuses.end() ? StatusTraits{} : *row;
}

} // namespace hogwild
