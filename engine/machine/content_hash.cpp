#include "engine/machine/content_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hogwild {

std::uint64_t content_hash(const void* bytes, std::size_t size) { return XXH3_64bits(bytes, size); }

std::uint64_t content_hash(std::string_view text, const std::function<void(std::string_view)>& done) {
    constexpr std::size_t kPiece = std::size_t{4} << 20;
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    while (!text.empty()) {
        const std::string_view piece = text.substr(0, kPiece);
        XXH3_64bits_update(&state, piece.data(), piece.size());
        done(piece);
        text.remove_prefix(piece.size());
    }
    return XXH3_64bits_digest(&state);
}

} // namespace hogwild
