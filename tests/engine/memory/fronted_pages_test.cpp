#include "engine/memory/fronted_pages.h"

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

} // namespace

TEST_CASE("views share every byte behind the front, and have each byte of it for themselves") {
    for (const std::size_t front : {kLine, 5 * kLine, 64 * kLine, 65 * kLine}) { // a page's part, a page, more
        for (const std::size_t size : {std::size_t{1}, front, front + 1, front + 4096, front + 10'000}) {
            CAPTURE(front);
            CAPTURE(size);
            const FrontedPages pages(front, size);
            const FrontedPages::View one = pages.view(), other = pages.view();
            const std::size_t all = std::max(front, size);
            CHECK(std::all_of(bytes(pages.data()), bytes(pages.data()) + all, [](auto byte) { return byte == 0; }));
            for (std::size_t i = 0; i < all; ++i) bytes(pages.data())[i] = 1;
            for (std::size_t i = 0; i < all; ++i) {
                bytes(one.data())[i] = static_cast<unsigned char>(2 + i % 7);
                const unsigned char seen = i < front ? 1 : bytes(one.data())[i];
                CHECK(bytes(pages.data())[i] == seen);
                CHECK(bytes(other.data())[i] == (i < front ? 0 : seen));
            }
        }
    }
}

TEST_CASE("a block and its views begin on cache lines") {
    const FrontedPages pages(3 * kLine, 10'000);
    CHECK(reinterpret_cast<std::uintptr_t>(pages.data()) % kLine == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(pages.view().data()) % kLine == 0);
}

TEST_CASE("a view outlives its block, and a moved block keeps its views") {
    FrontedPages first(kLine, 1'000);
    FrontedPages::View view = first.view();
    FrontedPages second;
    CHECK(second.data() == nullptr);
    second = std::move(first);
    bytes(view.data())[999] = 9;
    CHECK(bytes(second.data())[999] == 9);
    second = FrontedPages();
    CHECK(bytes(view.data())[999] == 9);
}
