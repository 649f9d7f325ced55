#include "engine/memory/pages.h"

#include "engine/error.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

using namespace hogwild;

namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20;

bool aligned(const void* data, std::size_t unit) { return reinterpret_cast<std::uintptr_t>(data) % unit == 0; }

bool all_bytes(const Pages& pages, char value) {
    const char* bytes = static_cast<const char*>(pages.data());
    return std::all_of(bytes, bytes + pages.bytes(), [&](char byte) { return byte == value; });
}

} // namespace

TEST_CASE("pages start as zeros, aligned, and every byte of them can be written") {
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{4'096}, std::size_t{4'097}, kHuge - 1, kHuge, kHuge + 1, 2 * kHuge}) {
        const Pages pages(bytes);
        CHECK(pages.bytes() == bytes);
        CHECK(aligned(pages.data(), bytes >= kHuge ? kHuge : 64));
        CHECK(all_bytes(pages, 0));
        std::memset(pages.data(), 7, bytes);
        CHECK(all_bytes(pages, 7));
        CHECK(pages.huge_bytes() <= (bytes + kHuge - 1) / kHuge * kHuge);
    }
}

TEST_CASE("two blocks share no byte") {
    const Pages first(3 * kHuge / 2), second(3 * kHuge / 2);
    std::memset(first.data(), 1, first.bytes());
    CHECK(all_bytes(second, 0));
}

TEST_CASE("no pages are no memory") {
    const Pages none, empty(0);
    CHECK(none.data() == nullptr);
    CHECK(empty.data() == nullptr);
    CHECK(empty.bytes() == 0);
}

TEST_CASE("pages move without copying and leave nothing behind") {
    Pages source(100);
    void* const data = source.data();
    std::memset(data, 5, 100);
    Pages target(std::move(source));
    CHECK(target.data() == data);
    CHECK(target.bytes() == 100);
    CHECK(source.data() == nullptr); // NOLINT(bugprone-use-after-move): the law is about the source
    CHECK(source.bytes() == 0);
    Pages assigned(kHuge);
    assigned = std::move(target);
    CHECK(assigned.data() == data);
    CHECK(assigned.bytes() == 100);
    CHECK(all_bytes(assigned, 5));
}

TEST_CASE("a block cut in two is two blocks with the bytes that it had, and no third of either") {
    for (const std::size_t bytes : {std::size_t{5'000}, kHuge, 3 * kHuge - 12, 3 * kHuge}) {
        for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{4'096}, bytes - 1, bytes}) {
            CAPTURE(bytes);
            CAPTURE(at);
            const std::uint64_t before = Pages::held();
            Pages::watch();
            Pages front(bytes);
            std::memset(front.data(), 1, at);
            std::memset(static_cast<char*>(front.data()) + at, 2, bytes - at);
            {
                const Pages rest = front.split_off(at);
                CHECK(front.bytes() == at);
                CHECK(rest.bytes() == bytes - at);
                CHECK(aligned(rest.data(), 64));
                CHECK(all_bytes(front, 1));
                CHECK(all_bytes(rest, 2));
                CHECK(Pages::held() == before + bytes);
                if (bytes >= kHuge && at > 0) CHECK(Pages::most_held() == before + bytes);
            }
            CHECK(all_bytes(front, 1));
            CHECK(Pages::held() == before + at);
        }
    }
    PageArray<int> numbers(1'000'000);
    for (int i = 0; i < 1'000'000; ++i) numbers[static_cast<std::size_t>(i)] = i;
    const PageArray<int> rest = numbers.split_off(600'001);
    CHECK(numbers.span().back() == 600'000);
    CHECK(rest.size() == 399'999);
    CHECK(rest.span().front() == 600'001);
    CHECK(rest.span().back() == 999'999);
}

TEST_CASE("what is held is counted as it is filled, the most of it kept, and given back with the block") {
    const std::uint64_t before = Pages::held();
    Pages::watch();
    {
        Pages first(1'000);
        Pages second = Pages::unfilled(kHuge);
        CHECK(Pages::held() == before + 1'000);
        second.hold(500);
        second.hold(300); // is held already
        Pages third(std::move(second));
        CHECK(Pages::held() == before + 1'500);
        first = Pages(100);
        CHECK(Pages::held() == before + 600);
    }
    CHECK(Pages::held() == before);
    CHECK(Pages::most_held() == before + 1'600);
    Pages::watch();
    CHECK(Pages::most_held() == before);
}

TEST_CASE("more memory than there is, is refused with the size") {
    CHECK_THROWS_WITH_AS(Pages(std::size_t{1} << 60), doctest::Contains("1152921504606846976 bytes"), Error);
}

TEST_CASE("an array spans its elements") {
    const PageArray<double> array(1'000);
    CHECK(array.size() == 1'000);
    CHECK(array.pages().bytes() == 8'000);
    array[999] = 2.5;
    CHECK(array.span().back() == 2.5);
    CHECK(array.span().front() == 0.0);
    CHECK(array.span().data() == array.data());
}
