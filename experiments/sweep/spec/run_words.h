// The options of `hogwild run` as a sweep's file names them: without dashes, one value each.
//
// Thread-safe: pure functions. Errors: Error (Failure::kUsage) as the command line's.
#pragma once

#include "experiments/options/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct Setting;

/// Whether a sweep, or a command that makes one of another, decides the option itself: which runs there are, their order, where
/// their results go.
bool is_decided(std::string_view option);

/// What [run] may set, and what may have a list in [axes].
const std::vector<std::string>& run_options();
const std::vector<std::string>& run_axes();

/// What [axes] may list is an axis of a plan, or names the samples.
bool is_plan_axis(const std::string& option);
bool names_data(std::string_view option);

/// The values that texts name for an axis: "1..8" of threads are four. Those of `data` are taken as they are.
std::vector<std::string> values_of(const std::string& option, const std::vector<std::string>& texts);

/// Throws unless the option takes the value, and no list of them.
void check_setting(const Setting& setting);

/// The options of one run; what is not set has its default, a later setting of an option wins.
RunOptions options_of(const std::vector<Setting>& settings);

/// What was typed of a command's options, one setting each, lists and repeated ones joined by commas.
std::vector<Setting> typed_settings(const CommandLine& app);

/// As it would be typed: "hogwild run --data ... --seed 1".
std::vector<std::string> words_of(const std::vector<Setting>& settings);

} // namespace hogwild
