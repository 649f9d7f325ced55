// What becomes of increments of the hottest coordinates: a choice of hogwild's CPU threads. Which ones are hot says engine/order/hot_ranges.h.
//
//   direct      they are written as all others are
//   delayed     a worker collects them, and adds them to the shared coordinates every k samples
//               (kernels/exchange/collected.h). Meanwhile it reads what these were when it last did so, plus what it
//               has collected since
//   thinned     of sparse rows: one in k is written, k times as large (kernels/steps/thinned.h)
//   replicated  a worker has a replica of the hot coordinates alone, which it exchanges with the shared ones every k
//               samples. Increments of several workers come together as in async-local-sgd
//               (engine/schemes/replicas/shared_model.h)
//
// Those of all other coordinates are written to the shared buffer, under the plan's update policy. k is the plan's `exchange`; of
// delayed and replicated 0 stands for once an epoch.
// Thread-safety: pure functions. Source: Recht, Re, Wright, Niu, "HOGWILD!", NIPS 2011, section 7: do not update highly contended
// variables each time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hogwild {

struct Plan; // engine/plan/plan.h

/// What goes against a plan's; empty: nothing does.
std::string why_not_hot_updates(const Plan& plan);

/// Whether workers have hot coordinates of their own.
bool owns_hot(const Plan& plan);

/// How many of so many coordinates are hot. They are as many as the plan says, and what lies in one cache line with the
/// last of them. For other problems than linear ones it is what lies in one page with that. 0 where all are written
/// directly.
std::uint32_t hot_coordinates(const Plan& plan, std::uint32_t coordinates);

} // namespace hogwild
