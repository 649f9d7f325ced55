// The folder of this source tree. One source is compiled with it (tests/source_dir.cpp), so that what the compiler cache has of the others
// serves every clone.
#pragma once

#include <filesystem>

namespace hogwild {

std::filesystem::path source_dir();

} // namespace hogwild
