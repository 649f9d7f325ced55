#include "kernels/views/sparse_view.h"

#include "tests/random_samples.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("samples are dense exactly if every row holds every column") {
    for (const std::uint32_t columns : {1u, 3u, 54u}) CHECK(dense_samples(10, columns, 1).view().dense());
    CHECK(!SparseView{}.dense());
    TestSamples samples = dense_samples(10, 3, 1);
    samples.columns = 4;
    CHECK(!samples.view().dense());
    samples.add(1.0f, {0, 1, 2, 3}, {1.0f, 1.0f, 1.0f, 1.0f});
    CHECK(!samples.view().dense());
    CHECK(!random_samples(100, 20, 5, 1).view().dense());
}
