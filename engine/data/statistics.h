// What a dataset looks like, and how much its samples collide (Recht et al. 2011, section 2.1).
//
//   Omega = max_e |e|                                  the largest number of nonzeros in a sample
//   Delta = max_v |{e : v in e}| / |E|                 the largest share of samples that share one coordinate
//   rho   = max_e |{f : f meets e}| / |E|              the largest share of samples that one sample collides with
//
// A stored entry counts as a nonzero whatever its value. Omega and Delta are exact. rho is a maximum over pairs of
// samples, found by branch and bound. It is exact when that fits the budget. Otherwise `rho.lower` is attained by a
// sample, `rho.upper` is proved, and `rho.exact` is false. Results do not depend on the number of threads.
#pragma once

#include "engine/data/group_counts.h"
#include "kernels/views/any_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

struct Quantiles {
    double mean = 0, min = 0, p10 = 0, median = 0, p90 = 0, p99 = 0, max = 0;
};

struct Popularity {
    std::uint32_t column = 0; // 0-based
    double share = 0;         // of the samples
};

/// Bounds of Recht's rho; they coincide when `exact`.
struct CollisionShare {
    double lower = 0;
    double upper = 0;
    bool exact = false;
};

struct Statistics {
    std::uint64_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t used_columns = 0; // that occur in at least one sample
    std::uint64_t nonzeros = 0;
    std::uint64_t empty_rows = 0;
    Quantiles row_nonzeros;
    Quantiles row_norms;       // Euclidean
    double positive_share = 0; // of the labels above zero
    Quantiles labels;
    std::uint32_t omega = 0;
    double delta = 0;
    CollisionShare rho;
    std::vector<Popularity> hottest; // by falling share, then rising column
};

struct StatisticsOptions {
    std::uint32_t hottest = 10;                              // coordinates to list
    std::uint64_t rho_budget = std::uint64_t{2'000'000'000}; // index comparisons that the search for rho may spend
};

Statistics describe(SparseView view, const StatisticsOptions& options = {});

/// Samples that touch each group of coordinates, of sparse rows each column; data.groups() entries. Who needs not all of them takes
/// GroupCounts.
std::vector<std::uint64_t> group_counts(const AnyView& data);

/// Recht's rho alone; `counts` as from group_counts.
CollisionShare collision_share(SparseView view, const std::vector<std::uint64_t>& counts, std::uint64_t budget);

/// The same of samples of any kind, by the groups that they have in common. `budget`: groups of samples that the search may look at.
/// Precondition: there are samples.
CollisionShare group_collision_share(const AnyView& data, const GroupCounts& counts, std::uint64_t budget);

} // namespace hogwild
