#include "engine/data/content_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hogwild {

std::uint64_t content_hash(const void* bytes, std::size_t size) { return XXH3_64bits(bytes, size); }

} // namespace hogwild
