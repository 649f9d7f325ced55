// Samples that all have one label: whatever a model does, it learns nothing that would tell one from another.
//
// Thread-safe: pure functions. They stop at the first label that differs.
#pragma once

#include "kernels/views/any_view.h"

#include <string>

namespace hogwild {

/// For sparse rows and images, two or more. Other samples have no labels.
bool has_one_label(const AnyView& samples);

/// "warning: all 60,000 samples have one label (...); ..."; empty where they have not.
std::string one_label_line(const AnyView& samples);

} // namespace hogwild
