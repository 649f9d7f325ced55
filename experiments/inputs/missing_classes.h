// Classes of images that no image has: a label's byte that was damaged makes a network with outputs for all up to it.
//
// Thread-safe: a pure function; it reads all labels once.
#pragma once

#include "kernels/views/any_view.h"

#include <string>

namespace hogwild {

/// "warning: 245 of 256 classes have no image, from 10 to 254 (...); ..."; empty where each has one, and of other samples.
std::string missing_classes_line(const AnyView& samples);

} // namespace hogwild
