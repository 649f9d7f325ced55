// What `hogwild run` takes where --hot-updates is not given, once for all of a command's runs:
//
//   direct  where no run of hogwild has several threads on sparse rows or ratings
//   direct  where some of these can have no replicas, for what was asked for (--guard locked): runs differ by that alone
//   direct  of a run that another process may go on with, which would measure anew (--checkpoint, --resume)
//   auto    else (experiments/plans/hot_choice.h)
//
// Plans of the library, of sweeps and of tuning, which are made again, are direct unless they say otherwise.
// Thread-safe: pure functions. Errors: those of product.
#pragma once

#include "experiments/options/axes.h"
#include "experiments/plans/hot_choice.h"
#include "kernels/views/any_view.h"

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

struct HotDefault {
    std::string updates; // direct or auto; empty: --hot-updates was given
    std::string why; // it is direct, of several threads there: "overridden by --guard locked: ..."; empty: it is not
};

/// The default for the axes' product. `parts`: the option by which another process may go on with the run; empty: none
// may.
HotDefault hot_default(const Axes& axes, std::string_view parts, const AnyView& samples);

/// Whether auto may make replicas of a plan's hot coordinates: hogwild's, of more than one worker, and nothing keeps them from it.
bool has_hot_choice(const Plan& plan, const Axes& axes = {});

/// What was taken, why, and how to have increments in place as in 2011. It is one line, and none where no run has
/// several threads on sparse rows or ratings. `reasons`: those of the plans that auto made.
std::vector<std::string> lines_of(const HotDefault& taken, const HotReasons& reasons, const std::vector<Plan>& plans);

/// The command line, and where auto was taken and made one thing of all plans, that by name: another moment may choose otherwise.
std::vector<std::string> named(std::vector<std::string> command, const HotDefault& taken, const Axes& axes,
                               const std::vector<Plan>& plans);

} // namespace hogwild
