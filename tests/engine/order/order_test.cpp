#include "engine/order/order.h"

#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

/// A view of that shape; an order looks at nothing else.
SparseView shape(std::vector<std::uint64_t>& offsets, std::uint64_t rows, std::uint64_t row_size) {
    offsets.clear();
    for (std::uint64_t i = 0; i <= rows; ++i) offsets.push_back(i * row_size);
    SparseView view;
    view.offsets = offsets.data();
    view.rows = rows;
    return view;
}

std::vector<std::uint32_t> epoch_order(const std::string& kind, const SparseView& data, std::uint64_t seed,
                                       std::uint32_t epoch) {
    OrderCursor cursor(kind, data, seed);
    std::vector<std::uint32_t> rows(data.rows);
    fill(cursor, epoch, 0, static_cast<std::uint32_t>(data.rows), rows.data());
    return rows;
}

} // namespace

TEST_CASE("a permutation visits every sample exactly once an epoch, small data and large") { // oracle 5
    std::vector<std::uint64_t> offsets;
    for (const auto& [rows, row_size] : {std::pair{1, 3}, {257, 10}, {5'000, 2}, {20'000, 20}, {16'640, 64}}) {
        const SparseView data = shape(offsets, rows, row_size);
        CHECK(orders_blocks("permutation", data) ==
              (rows >= 16'384 && std::uint64_t(rows) * row_size * 8 > (1u << 20)));
        for (const std::uint32_t epoch : {0u, 5u}) {
            std::vector<std::uint32_t> order = epoch_order("permutation", data, 3, epoch);
            if (rows > 100) CHECK(order != epoch_order("permutation", data, 3, epoch + 1));
            if (rows > 100) CHECK(order != epoch_order("permutation", data, 4, epoch));
            std::ranges::sort(order);
            CHECK(order == epoch_order("stored", data, 3, epoch));
        }
    }
}

TEST_CASE("as stored is as stored") {
    std::vector<std::uint64_t> offsets;
    const std::vector<std::uint32_t> order = epoch_order("stored", shape(offsets, 1'000, 2), 9, 4);
    for (std::uint32_t i = 0; i < 1'000; ++i) CHECK(order[i] == i);
}

TEST_CASE("of things that are no samples a permutation holds each once, new every epoch, and the other orders are as "
          "of samples") {
    constexpr std::uint32_t kCount = 20'000; // of samples so many would go by blocks
    std::vector<std::uint32_t> first(kCount), second(kCount), sorted(kCount);
    OrderCursor cursor(single_order("permutation", kCount, 3));
    fill(cursor, 0, 0, kCount, first.data());
    fill(cursor, 1, 0, kCount, second.data());
    CHECK(first != second);
    sorted = first;
    std::ranges::sort(sorted);
    for (std::uint32_t i = 0; i < kCount; ++i) REQUIRE(sorted[i] == i);
    std::uint32_t neighbours = 0;
    for (std::uint32_t i = 1; i < kCount; ++i) neighbours += first[i] == first[i - 1] + 1;
    CHECK(neighbours < 20); // one is expected, of blocks of 256 nearly all
    OrderCursor stored(single_order("stored", kCount, 3));
    fill(stored, 5, 700, 100, first.data());
    for (std::uint32_t i = 0; i < 100; ++i) CHECK(first[i] == 700 + i);
    CHECK(single_order("replacement", kCount, 3).kind == OrderKind::kReplacement);
}

TEST_CASE("with replacement an epoch leaves out the share 1/e") {
    std::vector<std::uint64_t> offsets;
    const std::vector<std::uint32_t> order = epoch_order("replacement", shape(offsets, 100'000, 2), 1, 0);
    const std::set<std::uint32_t> distinct(order.begin(), order.end());
    CHECK(*distinct.rbegin() < 100'000);
    CHECK(order != epoch_order("replacement", shape(offsets, 100'000, 2), 1, 1)); // another epoch draws others
    // Mean 63,212, standard deviation 160 (Poisson occupancy): five of them.
    CHECK(std::abs(static_cast<double>(distinct.size()) - 63'212) < 800);
}

TEST_CASE("a worker's strided share is its part of the whole order") {
    std::vector<std::uint64_t> offsets;
    for (const char* kind : {"permutation", "replacement", "stored"}) {
        for (const std::uint64_t row_size : {2u, 20u}) { // by rows, and by blocks
            const SparseView data = shape(offsets, 20'000, row_size);
            const std::vector<std::uint32_t> whole = epoch_order(kind, data, 2, 1);
            OrderCursor cursor(kind, data, 2);
            for (const std::uint32_t first : {0u, 512u, 19'968u}) {
                std::uint32_t share[10];
                cursor.fill(1, first + 2, 3, 10, share);
                for (std::uint32_t i = 0; i < 10; ++i) CHECK(share[i] == whole[first + 2 + 3 * i]);
            }
        }
    }
}

TEST_CASE("any stretch of an epoch is its part of the whole order") {
    std::vector<std::uint64_t> offsets;
    const SparseView data = shape(offsets, 20'000, 20);
    const std::vector<std::uint32_t> whole = epoch_order("permutation", data, 2, 1);
    OrderCursor cursor("permutation", data, 2);
    for (const std::uint32_t first : {1u, 255u, 700u, 19'100u}) {
        std::vector<std::uint32_t> stretch(900);
        fill(cursor, 1, first, 900, stretch.data());
        CHECK(std::equal(stretch.begin(), stretch.end(), whole.begin() + first));
    }
}

TEST_CASE("blocks are not always begun at the same row of theirs") {
    std::vector<std::uint64_t> offsets;
    const std::vector<std::uint32_t> order = epoch_order("permutation", shape(offsets, 20'000, 20), 2, 1);
    std::set<std::uint32_t> begins;
    for (std::uint32_t block = 0; block < 78; ++block) begins.insert(order[256 * block] % 256);
    // 78 draws from 256 are 67 different ones on average, standard deviation 3: five of them.
    CHECK(begins.size() > 52);
}

TEST_CASE("edges keep thousands of neighbours together for threads, and 256 where streams step") {
    EdgesView data;
    data.rows = 200'100; // an incomplete last block
    const auto rows = static_cast<std::uint32_t>(data.rows);
    REQUIRE(EdgesView::together(rows) == 2'048);
    for (const bool streams : {false, true}) {
        OrderCursor cursor("permutation", AnyView(data), 3, streams);
        const std::uint32_t block = streams ? 256 : 2'048;
        std::vector<std::uint32_t> order(rows);
        fill(cursor, 1, 0, rows, order.data());
        std::uint32_t apart = 0, elsewhere = 0;
        for (std::uint32_t i = 0; i < rows; ++i) {
            apart += order[i] / block != order[i / block * block] / block;
            elsewhere += i % block == 0 && i > 0 && order[i] / block != order[i - 1] / block + 1;
        }
        CHECK(apart == 0);
        CHECK(elsewhere > rows / block * 9 / 10);
        CHECK(cursor.together_end(1, 700) == 700 / block * block + block);
        std::ranges::sort(order);
        for (std::uint32_t i = 0; i < rows; ++i) apart += order[i] != i;
        CHECK(apart == 0);
    }
}

TEST_CASE(
    "tiles come one after the other, `side` of them without a row or a column in common, each sample once") { // oracle 5
    TestNumbers numbers(3);
    constexpr std::uint32_t kSide = 8;
    std::vector<std::uint32_t> begins{0};
    for (std::uint32_t tile = 0; tile < kSide * kSide; ++tile)
        begins.push_back(begins.back() + (tile % 13 == 0 ? 0 : numbers.bits() % 3'000)); // some are empty
    RatingsView data;
    data.rows = begins.back();
    data.tiles = {begins.data(), kSide};
    OrderCursor cursor("permutation", AnyView(data), 3);
    const auto rows = static_cast<std::uint32_t>(data.rows);
    std::set<std::vector<std::uint32_t>> sequences;
    for (const std::uint32_t epoch : {0u, 1u, 2u}) {
        std::vector<std::uint32_t> order(rows), sequence;
        fill(cursor, epoch, 0, rows, order.data());
        for (std::uint32_t first = 0; first < rows;) {
            const TiledEpoch::Tile tile = cursor.tile(epoch, first);
            const std::uint32_t number = tile.row * kSide + tile.column;
            sequence.push_back(number);
            CHECK(tile.first == first);
            CHECK(tile.count == begins[number + 1] - begins[number]);
            CHECK(cursor.together_end(epoch, first + tile.count / 2) == tile.end());
            for (std::uint32_t i = first; i < tile.end(); ++i) {
                CHECK(order[i] >= begins[number]);
                CHECK(order[i] < begins[number + 1]);
                if (i > first) CHECK((order[i] == order[i - 1] + 1 || order[i] == begins[number]));
            }
            first = tile.end();
        }
        sequences.insert(sequence);
        // Empty tiles leave gaps in a diagonal: of any four in a row no two share a row or a column.
        std::uint32_t shared = 0;
        for (std::size_t i = 0; i + 1 < sequence.size(); ++i)
            shared += sequence[i] / kSide == sequence[i + 1] / kSide || sequence[i] % kSide == sequence[i + 1] % kSide;
        CHECK(shared < kSide); // where a diagonal ends at most
        std::ranges::sort(order);
        for (std::uint32_t i = 0; i < rows; ++i) REQUIRE(order[i] == i);
    }
    CHECK(sequences.size() == 3);
}
