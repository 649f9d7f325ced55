#include "engine/order/tiled_epoch.h"

#include "kernels/numbers/permutation.h"
#include "kernels/numbers/random.h"

#include <algorithm>

namespace hogwild {

TiledEpoch::TiledEpoch(const SampleOrder& order, std::uint32_t epoch) : order_(order), epoch_(epoch) {
    const std::uint32_t side = order.tiles.side;
    // Numbers of epochs from the end: no other permutation of the seed takes them.
    const auto permuted = [&](std::uint32_t which) {
        const Permutation permutation(side, order.seed, ~(3 * epoch + which));
        std::vector<std::uint32_t> numbers(side);
        for (std::uint32_t i = 0; i < side; ++i) numbers[i] = permutation(i);
        return numbers;
    };
    const std::vector<std::uint32_t> rows = permuted(0), columns = permuted(1), diagonals = permuted(2);
    tiles_.reserve(std::size_t{side} * side);
    firsts_.reserve(tiles_.capacity() + 1);
    std::uint32_t first = 0;
    for (std::uint32_t d = 0; d < side; ++d) {
        for (std::uint32_t i = 0; i < side; ++i) {
            const std::uint32_t tile = rows[i] * side + columns[(i + diagonals[d]) % side];
            tiles_.push_back(tile);
            firsts_.push_back(first);
            first += order.tiles.begins[tile + 1] - order.tiles.begins[tile];
        }
    }
    firsts_.push_back(first);
}

TiledEpoch::Tile TiledEpoch::at(std::uint32_t position) const {
    constexpr std::uint32_t kStream = 0x74696C65; // sets these words apart from those of other uses of the seed
    const auto next = std::ranges::upper_bound(firsts_, position);
    const std::uint32_t number = tiles_[static_cast<std::size_t>(next - firsts_.begin()) - 1], side = order_.tiles.side;
    Tile tile{number / side, number % side, *(next - 1), *next - *(next - 1), order_.tiles.begins[number], 0};
    const PhiloxCounter words = philox({number, epoch_, kStream, 0}, philox_key(order_.seed));
    tile.turn = static_cast<std::uint32_t>(below(tile.count, (std::uint64_t{words[0]} << 32) | words[1]));
    return tile;
}

void TiledEpoch::fill(std::uint32_t first, std::uint32_t stride, std::uint32_t count, std::uint32_t* out) const {
    Tile tile;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t position = first + i * stride;
        if (position >= tile.end()) tile = at(position);
        out[i] = tile.sample(position);
    }
}

} // namespace hogwild
