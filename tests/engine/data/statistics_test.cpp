#include "engine/data/sparse/sparse_arrays.h"
#include "engine/data/statistics.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/machine/parallel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace hogwild {
namespace {

SparseArrays pack(const std::vector<std::set<std::uint32_t>>& samples, std::uint32_t columns) {
    std::uint64_t nonzeros = 0;
    for (const auto& sample : samples) nonzeros += sample.size();
    SparseArrays arrays(samples.size(), nonzeros, columns);
    std::uint64_t k = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        for (const std::uint32_t column : samples[i]) {
            arrays.indices[k] = column;
            arrays.values[k++] = 1.0F;
        }
        arrays.offsets[i + 1] = k;
        arrays.labels[i] = i % 4 == 0 ? 1.0F : -1.0F;
    }
    return arrays;
}

struct BruteForce {
    std::uint32_t omega = 0;
    double delta = 0;
    double rho = 0;
};

BruteForce by_definition(SparseView view) {
    BruteForce brute;
    const auto rows = static_cast<double>(view.rows);
    for (std::uint32_t column = 0; column < view.columns; ++column) {
        double holders = 0;
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            const SparseRow row = view.row(i);
            if (std::find(row.index, row.index + row.size, column) != row.index + row.size) ++holders;
        }
        brute.delta = std::max(brute.delta, holders / rows);
    }
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        const SparseRow a = view.row(i);
        brute.omega = std::max(brute.omega, a.size);
        double met = 0;
        for (std::uint64_t j = 0; j < view.rows; ++j) {
            const SparseRow b = view.row(j);
            met += std::find_first_of(a.index, a.index + a.size, b.index, b.index + b.size) != a.index + a.size ? 1 : 0;
        }
        brute.rho = std::max(brute.rho, met / rows);
    }
    return brute;
}

TEST_CASE("Omega, Delta and rho are those of their definitions") { // oracle 24
    std::mt19937 random(7);
    for (int trial = 0; trial < 300; ++trial) {
        const std::uint32_t columns = 1 + random() % 60;
        const std::uint32_t longest = 1 + random() % 8;
        const bool skewed = trial % 2 == 0;
        std::vector<std::set<std::uint32_t>> samples(1 + random() % 120);
        for (auto& sample : samples) {
            for (std::uint32_t k = random() % (longest + 1); k > 0; --k) {
                const std::uint32_t draw = random() % columns;
                sample.insert(skewed ? random() % (draw + 1) : draw);
            }
        }
        const SparseArrays arrays = pack(samples, columns);
        const BruteForce brute = by_definition(arrays.view());
        const Statistics statistics = describe(arrays.view());
        CHECK(statistics.omega == brute.omega);
        CHECK(statistics.delta == brute.delta);
        CHECK(statistics.rho.exact);
        CHECK(statistics.rho.lower == brute.rho);
        CHECK(statistics.rho.upper == brute.rho);
        // Whatever the budget, the truth lies between the bounds.
        for (const std::uint64_t budget : {0, 10, 100, 1000, 10000}) {
            const CollisionShare share = collision_share(arrays.view(), group_counts(arrays.view()), budget);
            CHECK(share.lower <= brute.rho);
            CHECK(share.upper >= brute.rho);
            if (share.exact) CHECK(share.lower == share.upper);
        }
    }
}

TEST_CASE("statistics do not depend on the number of threads, even when the budget for rho runs out") {
    const Dataset data = generate(parse_synthetic("synthetic:rows=3000,features=400,nonzeros=12,zipf=0", 1), "s");
    const unsigned threads = parallelism();
    for (const std::uint64_t budget : {std::uint64_t{100000}, std::uint64_t{2000000000}}) {
        StatisticsOptions options;
        options.rho_budget = budget;
        set_parallelism(1);
        const Statistics one = describe(data.sparse(), options);
        set_parallelism(4);
        const Statistics four = describe(data.sparse(), options);
        CHECK(one.rho.lower == four.rho.lower);
        CHECK(one.rho.upper == four.rho.upper);
        CHECK(one.row_norms.mean == four.row_norms.mean);
        CHECK(one.rho.exact == (budget > 1000000));
        CHECK(group_counts(data.view()).size() == 400);
    }
    set_parallelism(threads);
}

TEST_CASE("the description counts rows, columns, lengths, norms and labels") {
    SparseArrays arrays = pack({{0, 2}, {}, {2}, {2, 3, 4}, {4}}, 7);
    arrays.values[0] = 3;
    arrays.values[1] = 4; // norm 5
    const Statistics statistics = describe(arrays.view());
    CHECK(statistics.rows == 5);
    CHECK(statistics.columns == 7);
    CHECK(statistics.used_columns == 4);
    CHECK(statistics.nonzeros == 7);
    CHECK(statistics.empty_rows == 1);
    CHECK(statistics.row_nonzeros.mean == 1.4);
    CHECK(statistics.row_nonzeros.min == 0);
    CHECK(statistics.row_nonzeros.median == 1);
    CHECK(statistics.row_nonzeros.p90 == 3);
    CHECK(statistics.row_nonzeros.max == 3);
    CHECK(statistics.row_norms.max == 5);
    CHECK(statistics.row_norms.min == 0);
    CHECK(statistics.positive_share == 0.4);
    CHECK(statistics.labels.min == -1);
    REQUIRE(statistics.hottest.size() == 4);
    CHECK(statistics.hottest[0].column == 2);
    CHECK(statistics.hottest[0].share == 0.6);
    CHECK(statistics.hottest[1].column == 4);
    CHECK(statistics.hottest[2].column == 0); // ties by column
}

TEST_CASE("a description takes no memory of columns that never occur") {
    constexpr std::uint32_t kLast = 3'999'999'999; // a count for each column would be 32 GB
    const SparseArrays far = pack({{7, kLast}, {}, {kLast}}, kLast + 1), near = pack({{0, 1}, {}, {1}}, 2);
    const Statistics statistics = describe(far.view()), same = describe(near.view());
    CHECK(statistics.columns == kLast + 1);
    CHECK(statistics.used_columns == 2);
    CHECK(statistics.delta == same.delta);
    CHECK(statistics.rho.lower == same.rho.lower);
    CHECK(statistics.rho.exact);
    REQUIRE(statistics.hottest.size() == 2);
    CHECK(statistics.hottest[0].column == kLast);
    CHECK(statistics.hottest[1].column == 7);
    CHECK(describe(pack({{}}, kLast).view()).used_columns == 0);
}

} // namespace
} // namespace hogwild
