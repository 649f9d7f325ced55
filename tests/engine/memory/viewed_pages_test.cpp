#include "engine/memory/viewed_pages.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::size_t kLine = 64;

unsigned char* bytes(void* data) { return static_cast<unsigned char*>(data); }

/// Every byte is the view's or everybody's, as `own` says.
void check_views(const std::vector<ViewedPages::Range>& own, std::size_t size) {
    const ViewedPages pages(own, size);
    const ViewedPages::View one = pages.view(), other = pages.view();
    const std::size_t all = std::max(own.back().end, size);
    CHECK(std::all_of(bytes(pages.data()), bytes(pages.data()) + all, [](auto byte) { return byte == 0; }));
    for (std::size_t i = 0; i < all; ++i) bytes(pages.data())[i] = 1;
    for (std::size_t i = 0; i < all; ++i) {
        const bool owned =
            std::ranges::any_of(own, [&](const auto& range) { return range.begin <= i && i < range.end; });
        bytes(one.data())[i] = static_cast<unsigned char>(2 + i % 7);
        const unsigned char seen = owned ? 1 : bytes(one.data())[i];
        CHECK(bytes(pages.data())[i] == seen);
        CHECK(bytes(other.data())[i] == (owned ? 0 : seen));
    }
}

} // namespace

TEST_CASE("views share every byte behind the front, and have each byte of it for themselves") {
    for (const std::size_t front : {kLine, 5 * kLine, 64 * kLine, 65 * kLine}) { // a page's part, a page, more
        for (const std::size_t size : {std::size_t{1}, front, front + 1, front + 4096, front + 10'000}) {
            CAPTURE(front);
            CAPTURE(size);
            check_views({{0, front}}, size);
        }
    }
}

TEST_CASE("views have any pages for themselves, and share those before, between and behind") {
    const std::size_t page = page_size();
    const std::vector<std::vector<ViewedPages::Range>> sets{
        {{page, 2 * page}},
        {{0, page}, {2 * page, 4 * page}},
        {{page, 2 * page}, {3 * page, 4 * page}, {5 * page, 6 * page}},
        {{3 * page, 3 * page + 2 * kLine}}, // to the block's end
    };
    for (const auto& own : sets) {
        for (const std::size_t behind : {std::size_t{0}, kLine, page, 3 * page}) {
            if (own.back().end % page != 0 && behind > 0) continue;
            CAPTURE(behind);
            check_views(own, own.back().end + behind);
        }
    }
}

TEST_CASE("a block and its views begin on cache lines") {
    const ViewedPages pages({{0, 3 * kLine}}, 10'000);
    CHECK(reinterpret_cast<std::uintptr_t>(pages.data()) % kLine == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(pages.view().data()) % kLine == 0);
}

TEST_CASE("a view outlives its block, and a moved block keeps its views") {
    ViewedPages first({{0, kLine}}, 1'000);
    ViewedPages::View view = first.view();
    ViewedPages second;
    CHECK(second.data() == nullptr);
    second = std::move(first);
    bytes(view.data())[999] = 9;
    CHECK(bytes(second.data())[999] == 9);
    second = ViewedPages();
    CHECK(bytes(view.data())[999] == 9);
}
