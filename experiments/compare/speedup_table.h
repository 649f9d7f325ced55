// speedup.csv: how much sooner than the best serial code each scheme gets to the target, by its number of workers.
//
//   data,problem,scheme,kind,workers,speedup,low,high
//
// speedup = expected time to target of the best serial code / that of the scheme, of runs paired by seed. low and high
// are its 95 % interval (experiments/statistics/ratio_interval.h, as in verdicts.csv). A scheme that never got there
// has 0. Where nothing can be said the cells are empty. `kind` is engine/plan/scheme_traits.h's, sync or async. Rows
// are of CPU threads, and serial code, which is at 1, has none. Where a folder holds a scheme with several update
// policies or guards, each is a scheme here, `hogwild-atomic`, unless a sweep's tuner chose among policies. Where
// something else was varied, the variant with the smallest expected time stands. Speed-ups are within one objective
// (experiments/compare/compare_groups.h). Serial code may have minimised several objectives of one problem on one data
// set. `problem` then says in what they differ: `hinge l2=0.0001`.
// Thread-safe: pure functions but the last.
#pragma once

#include "experiments/compare/compare.h"

#include <string>

namespace hogwild {

/// Whether update policies and guards are schemes of their own, or variants like any other.
enum class Policies { kSchemes, kVariants };

/// The table of a comparison with serial code; empty where fewer than two numbers of workers ran.
std::string speedup_csv(const Compared& compared, Policies policies);

/// Writes it into a folder of results, if these can carry it. They cannot without a target, without serial code, or
/// with one number of workers only. A folder of `hogwild tune` is compared in its finals. Errors: Error
/// (Failure::kDisk).
void write_speedup(const std::string& folder);

} // namespace hogwild
