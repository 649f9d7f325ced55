#include "engine/data/graphs/edge_tiles.h"

namespace hogwild {

EdgeTiles::EdgeTiles(const EdgesView& data) : free_(data.free) {
    constexpr std::uint64_t kMostAcross = 1 << 14;
    const std::uint64_t nodes = std::uint64_t{data.free} + data.classes; // an edge may join two terminals
    for (;; ++shift_) {
        across_ = (nodes >> shift_) + 1;
        if (across_ > kMostAcross) continue;
        used_.assign(across_ * across_ / 64 + 1, 0);
        for (std::uint64_t i = 0; i < data.rows; ++i) {
            const std::uint64_t pair = pair_of(data.edges[i]);
            used_[pair / 64] |= std::uint64_t{1} << pair % 64;
        }
        before_.resize(used_.size());
        count_ = 0;
        for (std::size_t word = 0; word < used_.size(); ++word) {
            before_[word] = static_cast<std::uint32_t>(count_);
            count_ += static_cast<std::uint64_t>(std::popcount(used_[word]));
        }
        if (across_ == 1 || count_ * kFewest <= data.rows) return;
    }
}

} // namespace hogwild
