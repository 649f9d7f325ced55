#include "engine/data/split.h"

#include "engine/data/content_hash.h"
#include "engine/data/gather.h"
#include "engine/data/ratings.h"
#include "engine/error.h"
#include "kernels/random.h"

#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// What both parts take from the training part.
void share_facts(SparseView&, SparseView&) {}
void share_facts(EdgesView&, EdgesView&) {}
void share_facts(ImagesView&, ImagesView&) {} // size and classes are those of all
void share_facts(RatingsView& train, RatingsView& test) {
    train.model.mean = test.model.mean = mean_rating(std::span(train.ratings, train.rows));
}

template <class View>
std::pair<OwnedSamples, OwnedSamples> parted(const View& all, double share, std::uint64_t seed) {
    constexpr std::uint32_t kStream = 0x73706C74; // sets these words apart from those of other uses of a seed
    const auto limit = static_cast<std::uint64_t>(share * 0x1p32);
    std::vector<std::uint32_t> train, test;
    train.reserve(all.rows);
    for (std::uint32_t i = 0; i < all.rows; ++i)
        (philox({i, kStream, 0, 0}, philox_key(seed))[0] < limit ? test : train).push_back(i);
    const auto part = [&](const std::vector<std::uint32_t>& numbers) {
        return gathered(all, static_cast<std::uint32_t>(numbers.size()), [&](std::uint32_t i) { return numbers[i]; });
    };
    std::pair parts{part(train), part(test)};
    View own = parts.first.view.template as<View>(), other = parts.second.view.template as<View>();
    share_facts(own, other);
    parts.first.view = own;
    parts.second.view = other;
    return parts;
}

} // namespace

TrainTest held_out(const Dataset& all, double share, std::uint64_t seed) {
    if (!all.view().movable()) {
        throw Error(Failure::kUsage, fmt::format("{} cannot be split", all.name()),
                    "each of its samples reaches to its neighbours", "leave out the test");
    }
    auto parts = all.view().visit([&]<class View>(const View& view) {
        if constexpr (View::kMovable)
            return parted(view, share, seed);
        else
            return std::pair<OwnedSamples, OwnedSamples>{};
    });
    if (parts.first.view.rows() == 0 || parts.second.view.rows() == 0) {
        throw Error(Failure::kUsage, fmt::format("{} cannot be split", all.name()),
                    fmt::format("a share of {} of its {} samples, or the rest, is none", share, all.view().rows()),
                    "take another share, or no test");
    }
    const auto named = [&](const char* role, OwnedSamples& part) {
        const std::string what = fmt::format("{:016x} {} {} {}", all.content_hash(), role, share, seed);
        return Dataset(all.name(), content_hash(what), part.view, std::move(part.storage));
    };
    return {named("train", parts.first), named("test", parts.second)};
}

} // namespace hogwild
