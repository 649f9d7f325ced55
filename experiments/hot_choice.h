// --hot-updates auto: how many coordinates are too hot to be written directly, and what becomes of their increments.
//
// A cache line that many workers write comes from another core at nearly every write, t seconds each. If a share p of all samples
// writes it, no number of workers steps through more than 1 / (p t) samples a second; M workers, each of which alone needs s seconds a
// sample, would step through M / s. So a line is contended where
//
//   p > s / (M t)
//
// Lines are those of coordinates packed by how often they occur, p as if the columns of a line occurred independently: 1 - product of
// (1 - p_j). The coordinates of contended lines are replicated (engine/hot_updates.h); where there are none all are written directly.
// s is predicted (experiments/sweep/estimate.h), t is what `hogwild info` measures as line transfer: another machine, or another
// moment, may choose otherwise. A plan and its manifest hold what was chosen, never `auto`.
//
// Thread-safety: pure functions, but for measuring.
#pragma once

#include "engine/plan.h"
#include "kernels/any_view.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

struct HotChoice {
    std::string updates = "direct"; // one of kHotUpdates
    std::uint32_t hot = 0;          // coordinates
    std::string why;
};

class HotChooser {
public:
    /// Chooses direct, of no samples.
    HotChooser() = default;

    /// `touched`: of each column the share of samples that hold it. `sample`: seconds, s. `transfer`: likewise, t; none where there
    /// is only one core.
    HotChooser(std::vector<float> touched, double sample, std::optional<double> transfer);

    /// So many workers'.
    HotChoice of(unsigned workers) const;

private:
    std::vector<double> lines_; // p, falling
    std::uint32_t columns_ = 0;
    double sample_ = 0;
    std::optional<double> transfer_;
};

/// Of samples, on this machine, which is measured for some milliseconds where auto is asked for and rows are sparse.
HotChooser hot_chooser(const std::vector<std::string>& asked, const AnyView& samples);

/// What auto, where it is asked for, chose for these plans, by their workers; and a line for each.
std::map<unsigned, HotChoice> chosen(const std::vector<std::string>& asked, const HotChooser& hot,
                                     const std::vector<Plan>& plans);
std::vector<std::string> lines_of(const std::map<unsigned, HotChoice>& choices);

/// Whether the plan may have anything but direct, in the usual placement.
bool may_choose_hot(Plan plan);

} // namespace hogwild
