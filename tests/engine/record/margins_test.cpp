#include "engine/record/margins.h"

#include "engine/machine/parallel.h"
#include "engine/record/evaluate.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <vector>

using namespace hogwild;

TEST_CASE("margins are the sums over the nonzeros, at any number of threads") {
    const TestSamples samples = random_samples(20'000, 60, 9, 1);
    const SparseView data = samples.view();
    TestNumbers numbers(2);
    const auto weights = numbers.vector<float>(data.columns);
    const unsigned before = parallelism();
    for (const unsigned threads : {1u, 3u}) {
        set_parallelism(threads);
        const std::vector<double> all = margins(data, weights);
        REQUIRE(all.size() == data.rows);
        for (std::uint64_t i = 0; i < data.rows; ++i) {
            const SparseRow row = data.row(i);
            double sum = 0;
            for (std::uint32_t e = 0; e < row.size; ++e) {
                sum += static_cast<double>(row.value[e]) * static_cast<double>(weights[row.index[e]]);
            }
            REQUIRE(all[i] == sum);
        }
    }
    set_parallelism(before);
}

TEST_CASE("margins on the wrong side are the error that evaluation counts") {
    const TestSamples samples = random_samples(5'000, 60, 9, 3);
    const SparseView data = samples.view();
    TestNumbers numbers(4);
    const auto weights = numbers.vector<float>(data.columns);
    const std::vector<double> all = margins(data, weights);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < data.rows; ++i) wrong += (all[i] > 0) != (data.labels[i] > 0);
    const float* const one = weights.data();
    CHECK(evaluate("hinge", data, {&one, 1})[0].scores[0] ==
          static_cast<double>(wrong) / static_cast<double>(data.rows));
}
