// Whether what an earlier process left can be of this run at all: its numbers index arrays and end loops.
//
// Thread-safety: pure functions.
#pragma once

#include "engine/record/snapshot.h"

#include <cstdint>
#include <span>
#include <string>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// Why a snapshot is none that a run of `plan` on so many samples takes before its end; an empty string: it may be one.
std::string why_not_taken(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot);

/// Why steps up to a snapshot cannot have been decided on these losses; an empty string: they can.
std::string why_not_decided(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot,
                            std::span<const double> losses);

} // namespace hogwild
