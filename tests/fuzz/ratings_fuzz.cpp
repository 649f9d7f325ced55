// The reader of ratings on arbitrary bytes: an Error, or ratings whose ids are below the numbers of users and items.
// Ratings survive being written and read again.
#include "engine/data/ratings/ratings.h"
#include "tests/fuzz/laws.h"

#include <fmt/format.h>

#include <cmath>

namespace {

/// Ids from 1, and users and items up to the last.
std::string written(const hogwild::RatingsView& view) {
    std::string text =
        fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", view.users, view.items, view.rows);
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        const hogwild::Rating& rating = view.ratings[i];
        text += fmt::format("{} {} {}\n", std::uint64_t{rating.user} + 1, std::uint64_t{rating.item} + 1, rating.value);
    }
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz(bytes, size, [](std::string_view file, const TextLimits& limits) {
        const RatingsData data = read_ratings(file, "fuzz", limits);
        const RatingsView view = data.array->view();
        demand(view.rows > 0, "a file without ratings is refused");
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            demand(view.ratings[i].user < view.users && view.ratings[i].item < view.items, "ids below their number");
            demand(std::isfinite(view.ratings[i].value), "ratings are finite");
        }
        const RatingsData again = read_ratings(written(view), "again", {});
        demand(written(again.array->view()) == written(view), "written and read again");
    });
}
