// Options about samples that mean nothing for those that there are, each with the reason. What was asked for and has no
// effect is said, as for the axes (experiments/inputs/announce.h).
//
// Thread-safety: pure functions. Errors: none.
#pragma once

#include "experiments/options/options.h"
#include "kernels/views/any_view.h"

#include <string>
#include <vector>

namespace hogwild {

/// Lines on options about labels.
std::vector<std::string> idle_label_lines(const DataOptions& options, const AnyView& samples);

/// Lines on options about labels, about texts and about the image that is saved.
std::vector<std::string> idle_data_lines(const RunOptions& options, const AnyView& samples);

} // namespace hogwild
