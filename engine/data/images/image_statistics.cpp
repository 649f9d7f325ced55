#include "engine/data/images/image_statistics.h"

#include "engine/machine/parallel.h"

#include <array>
#include <cmath>

namespace hogwild {

ImageStatistics describe(const ImagesView& view) {
    constexpr std::uint64_t kGrain = 1 << 20;
    using Counts = std::array<std::uint64_t, 256>; // of each value of a byte
    const std::uint64_t bytes = view.rows * view.shape.size();
    const auto blocks = parallel_map<Counts>(bytes, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        Counts counts{};
        for (std::uint64_t k = begin; k < end; ++k) ++counts[view.pixels[k]];
        return counts;
    });
    Counts counts{};
    for (const Counts& block : blocks) {
        for (std::size_t value = 0; value < counts.size(); ++value) counts[value] += block[value];
    }
    const auto all = static_cast<double>(bytes);
    ImageStatistics facts;
    facts.zero_share = static_cast<double>(counts[0]) / all;
    double squares = 0;
    for (std::size_t value = 0; value < counts.size(); ++value) {
        const double read = static_cast<double>(value) / 255, share = static_cast<double>(counts[value]) / all;
        facts.mean += share * read;
        squares += share * read * read;
    }
    facts.deviation = std::sqrt(std::fmax(0, squares - facts.mean * facts.mean));
    facts.images.resize(view.classes);
    for (std::uint64_t i = 0; i < view.rows; ++i) ++facts.images[view.labels[i]];
    return facts;
}

} // namespace hogwild
