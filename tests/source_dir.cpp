#include "tests/source_dir.h"

namespace hogwild {

std::filesystem::path source_dir() { return HOGWILD_SOURCE_DIR; }

} // namespace hogwild
