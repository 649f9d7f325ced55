// The reader of ratings on arbitrary bytes: an Error in the grammar `what (why); try`, or ratings whose ids are below the numbers
// of users and items, and which survive being written and read again.
//
// The first byte chooses the block size, so that lines meet block boundaries; the rest is the file.
#include "engine/data/ratings.h"
#include "engine/error.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void demand(bool holds, const std::string& law) {
    if (holds) return;
    std::fprintf(stderr, "broken law: %s\n", law.c_str());
    std::abort();
}

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
    if (size == 0) return 0;
    TextLimits limits;
    limits.block_bytes = bytes[0];
    limits.max_text_bytes = 1 << 22;
    limits.max_line_bytes = 1 << 20;
    const std::string_view stored(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    try {
        const RatingsData data = read_ratings(stored, "fuzz", limits);
        const RatingsView view = data.array->view();
        demand(view.rows > 0, "a file without ratings is refused");
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            demand(view.ratings[i].user < view.users && view.ratings[i].item < view.items, "ids below their number");
            demand(std::isfinite(view.ratings[i].value), "ratings are finite");
        }
        const RatingsData again = read_ratings(written(view), "again", {});
        demand(written(again.array->view()) == written(view), "written and read again");
    } catch (const Error& error) {
        const std::string_view message = error.what();
        demand(message.starts_with("fuzz"), "the message names the file: " + std::string(message));
        demand(message.find(" (") != std::string_view::npos && message.find("); ") != std::string_view::npos,
               "the grammar of a message");
        demand(message.size() < 400, "a message is short");
    }
    return 0;
}
