#include "engine/data/split.h"

#include "engine/data/gather.h"
#include "engine/data/graphs/distribute.h"
#include "engine/data/ratings/ratings.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/parallel.h"
#include "kernels/numbers/random.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

using Parts = std::pair<OwnedSamples, OwnedSamples>; // for training, for the test

/// Which samples are held out.
class Held {
public:
    Held(std::uint64_t rows, double share, std::uint64_t seed) : bits_(rows / 64 + 1) {
        constexpr std::uint32_t kStream = 0x73706C74; // sets these words apart from those of other uses of a seed
        constexpr std::uint64_t kWords = 1024;
        const auto limit = static_cast<std::uint64_t>(share * 0x1p32);
        const PhiloxKey key = philox_key(seed);
        const auto counts =
            parallel_map<std::uint64_t>(bits_.size(), kWords, [&](std::uint64_t begin, std::uint64_t end) {
                std::uint64_t count = 0;
                for (std::uint64_t i = begin * 64; i < std::min(end * 64, rows); ++i) {
                    const bool held = philox({static_cast<std::uint32_t>(i), kStream, 0, 0}, key)[0] < limit;
                    bits_[i / 64] |= std::uint64_t{held} << (i % 64);
                    count += held;
                }
                return count;
            });
        count_ = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    }

    bool operator()(std::uint64_t i) const { return (bits_[i / 64] >> (i % 64) & 1) != 0; }
    std::uint64_t count() const { return count_; }

private:
    std::vector<std::uint64_t> bits_;
    std::uint64_t count_ = 0;
};

template <class View>
Parts parted(const View& all, const Held& held) {
    std::vector<std::uint32_t> train, test;
    train.reserve(all.rows - held.count());
    for (std::uint32_t i = 0; i < all.rows; ++i) (held(i) ? test : train).push_back(i);
    const auto part = [&](const std::vector<std::uint32_t>& numbers) {
        return gathered(all, static_cast<std::uint32_t>(numbers.size()), [&](std::uint32_t i) { return numbers[i]; });
    };
    return {part(train), part(test)};
}

/// In place: the test's are brought behind the others, and cut off.
Parts parted_ratings(Dataset all, const Held& held) {
    std::shared_ptr<RatingsArray> train = own_ratings(std::move(all)), test = std::make_shared<RatingsArray>();
    const std::uint64_t rows = train->ratings.size(), kept = rows - held.count();
    distribute(train->ratings.span(), std::span<const std::uint64_t>(std::array{std::uint64_t{0}, kept, rows}),
               [&](const Rating&, std::uint64_t i) { return held(i) ? 1 : 0; });
    test->ratings = train->ratings.split_off(kept);
    test->users = train->users;
    test->items = train->items;
    train->mean = test->mean = mean_rating(train->ratings.span());
    train->count();
    test->count();
    const RatingsView of_train = train->view(), of_test = test->view();
    return {{of_train, std::move(train)}, {of_test, std::move(test)}};
}

} // namespace

TrainTest held_out(Dataset all, double share, std::uint64_t seed) {
    const std::string name = all.name();
    const std::uint64_t hash = all.content_hash(), rows = all.view().rows();
    if (!all.view().movable()) {
        throw Error(Failure::kUsage, fmt::format("{} cannot be split", name),
                    "each of its samples reaches to its neighbours", "leave out the test");
    }
    const Held held(rows, share, seed);
    if (held.count() == 0 || held.count() == rows) {
        throw Error(Failure::kUsage, fmt::format("{} cannot be split", name),
                    fmt::format("a share of {} of its {} samples, or the rest, is none", share, rows),
                    "take another share, or no test");
    }
    Parts parts = all.view().visit([&]<class View>(const View& view) {
        if constexpr (std::is_same_v<View, RatingsView>)
            return parted_ratings(std::move(all), held);
        else if constexpr (View::kMovable)
            return parted(view, held);
        else
            return Parts{};
    });
    const auto named = [&](const char* role, OwnedSamples& part) {
        const std::string what = fmt::format("{:016x} {} {} {}", hash, role, share, seed);
        return Dataset(name, content_hash(what), part.view, std::move(part.storage));
    };
    return {named("train", parts.first), named("test", parts.second)};
}

} // namespace hogwild
