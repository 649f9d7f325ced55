// All axes (engine/plan/axis.h), in the order of summary.csv's columns.
//
// Thread-safety: constants and pure functions.
#pragma once

#include "engine/plan/axis.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// The rows, each part of a plan in a file of its own (engine/plan/axes/). Parameters of models stand between kObjective and kNetwork.
extern const std::span<const Axis> kWhatAxes, kGpuAxes, kMachineAxes, kStepAxes, kExchangeAxes, kObjectiveAxes,
    kNetworkAxes;

/// All of them, those before and those behind the parameters of models.
std::span<const Axis* const> axes();
std::span<const Axis* const> axes_before_parameters();
std::span<const Axis* const> axes_behind_parameters();

/// That of the name; null: there is none.
const Axis* find_axis(std::string_view name);

/// That of an option, "exchange-doublings"; null: there is none.
const Axis* axis_of_option(std::string_view option);

/// Precondition: one has the name.
const Axis& axis(std::string_view name);

/// What an old spelling of values is today, "host-int8" of a memory; none where it is no such.
Spelling respelled(std::string_view axis, std::string_view value);

/// As options: "--memory host --numbers int8".
std::string options_text(const Spelling& spelling);

/// Whether the axis of the name means something for the plan. Preconditions: those of `axis`; the plan's names are known.
bool applies(const Plan& plan, std::string_view axis);

/// What it is, in words. Defaults and names of schemes stand in their places there.
std::string meaning_of(const Axis& axis);

/// Why it has no effect where it does not apply, with the names of schemes; empty: it always applies.
std::string idle_note_of(const Axis& axis);

/// What the help says of it: that, and its default where that is one value and not said there.
std::string help_of(const Axis& axis);

/// The plan with the default in every axis that means nothing for it, so that equal runs are equal plans. What a problem or
/// scheme is refused for stays. Precondition: the plan's names are known.
Plan collapsed(Plan plan);

/// A run in a line: "hinge hogwild racy, 4 threads, decay step 0.5 x 0.9". `said`: a network that need not be named again.
std::string describe(const Plan& plan, std::string_view said = {});

} // namespace hogwild
