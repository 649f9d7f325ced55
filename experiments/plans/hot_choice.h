// --hot-updates auto: whether some coordinates are too hot to be written directly, how many, and why.
//
// A cache line that M workers write comes from another core, in t seconds, whenever another worker wrote it last. Among
// equal workers that is (M - 1) / M of the times. A sample writes line l with probability p_l, and many lines one after
// another. A worker, which alone takes s seconds a sample, waits for all of them. Each line is in one place at a time,
// so M workers cannot pass a sample each in less than its journeys take:
//
//   w = max( t (M - 1) / M  sum over hot lines l of p_l,   t M max over l of p_l )        seconds of a sample
//
// Increments of hot lines are replicated (engine/plan/hot_updates.h) where w > s, where a worker would wait longer than it steps; else all
// are written directly. A line is hot where
//
//   p_l > j / k
//
// k is the samples of a worker between two exchanges of its replica (suit_exchange of experiments/plans/defaults.h;
// rare lines have longer ones). j = 4 is what an exchange costs in journeys: of its lock, of the line to be read and
// then written, and the work between. A line that is written less often travels less where it is written directly.
//
// For sparse rows and ratings p_l is counted (experiments/plans/hot_lines.h). For sparse rows as many coordinates are
// hot as hot lines hold. For ratings as many are as the pages hold that have a hot line (engine/order/hot_ranges.h says
// which pages). For texts and graphs all are written directly: DECISIONS.md says why. Where several ranks were asked
// for, lines are those of the largest. s is predicted (experiments/cost/estimate.h), t is what `hogwild info` measures
// as line transfer: another machine, or another moment, may choose otherwise. w is the most that journeys can take. It
// leaves out that a sample's journeys overlap, and that a line is first read and then claimed. DECISIONS.md has what w
// was held against. A plan holds what was chosen, never `auto`; its manifest says why.
//
// Thread-safety: pure functions, but for measuring. Source: the two bounds are counts of journeys; that the hottest coordinates bound
// workers is Recht, Re, Wright, Niu, "HOGWILD!", NIPS 2011, section 7.
#pragma once

#include "experiments/options/axes.h"
#include "experiments/plans/hot_lines.h"
#include "kernels/views/any_view.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

struct HotChoice {
    std::string updates = "direct"; // one of kHotUpdateTraits
    std::uint32_t hot = 0;          // coordinates
    std::string why;
};

class HotChooser {
public:
    /// Chooses direct, of no samples.
    HotChooser() = default;

    /// `sample`: seconds, s. `transfer`: seconds, t; none where there is only one core.
    HotChooser(HotLines lines, double sample, std::optional<double> transfer);

    /// So many workers', who would exchange replicas every `period` samples.
    HotChoice of(unsigned workers, std::uint64_t period) const;

private:
    HotLines lines_;
    double sample_ = 0;
    std::optional<double> transfer_;
};

/// Whether these are sparse rows or ratings, whose columns, users and items are counted. Ratings with ids_far_apart, which no run
/// takes, are not.
bool have_hot_lines(const AnyView& samples);

/// A chooser for these samples on this machine. The machine is measured for some milliseconds where the axes ask for
// auto and samples have hot lines.
HotChooser hot_chooser(const Axes& axes, const AnyView& samples);

/// Why a plan whose `threads`, device, memory, update, guard and telemetry are set cannot have replicas of hot
/// coordinates. These settings, or a placement or number of hot coordinates that was given, allow nothing but direct.
/// Empty: it can.
std::string why_no_replicas(const Plan& plan, const Axes& axes);

/// What auto means for such a plan: direct, with the reason, where it cannot have replicas.
HotChoice choose_hot(const Plan& plan, const Axes& axes, const HotChooser& hot);

/// Why a plan that auto made is as it is, what overrode it first.
std::string why_hot(const Plan& plan, const Axes& axes, const HotChooser& hot);

/// By hashes of plans.
using HotReasons = std::map<std::uint64_t, std::string>;

/// What runs by auto, and why: a line for each reason.
std::vector<std::string> lines_of(const HotReasons& reasons, const std::vector<Plan>& plans);

} // namespace hogwild
