// The order of samples, made on a GPU, against the host's.
#include "kernels/cuda/batches/batches.h"

#include "engine/gpu/device_dataset.h"
#include "engine/gpu/stream.h"
#include "engine/order/order.h"
#include "engine/plan/choices.h"
#include "tests/device.h"
#include "tests/random_samples.h"

#include <algorithm>
#include <tuple>

using namespace hogwild;

namespace {

/// Rows of one size; a label is its row's number.
TestSamples numbered(std::uint32_t rows, std::uint32_t row_size) {
    TestSamples samples;
    samples.columns = row_size;
    std::vector<std::uint32_t> index(row_size);
    for (std::uint32_t k = 0; k < row_size; ++k) index[k] = k;
    for (std::uint32_t i = 0; i < rows; ++i) {
        samples.add(static_cast<float>(i), index, std::vector<float>(row_size, 1.0f));
    }
    return samples;
}

} // namespace

TEST_CASE("a device and the host take the same samples in the same order, from the same seed, in every epoch") {
    if (no_device()) return;
    for (const auto& [rows, row_size] : {std::pair{1u, 3u}, {5'003u, 3u}, {20'011u, 10u}}) {
        const TestSamples samples = numbered(rows, row_size);
        const SparseView data = samples.view();
        CHECK(orders_blocks("permutation", data) == (rows > 20'000)); // by rows, and by blocks
        const DeviceDataset sent(data);
        const DeviceArray<BatchSample> table(rows);
        const DeviceArray<std::uint32_t> numbers(rows);
        const Stream stream;
        for (const std::string_view kind : names_of<kOrderTraits>()) {
            for (const std::uint64_t seed : {1ULL, 0x1234'5678'9ABCULL}) {
                OrderCursor cursor(kind, data, seed);
                for (const std::uint32_t epoch : {0u, 1u, 77u}) {
                    std::vector<std::uint32_t> expected(rows);
                    fill(cursor, epoch, 0, rows, expected.data());
                    check(table_samples(sent.view().as<SparseView>(), sample_order(kind, data, seed), epoch,
                                        table.data(), stream.get()),
                          "tabling an order");
                    check(table_numbers(sample_order(kind, data, seed), epoch, numbers.data(), stream.get()),
                          "tabling an order");
                    stream.wait();
                    CHECK(downloaded(numbers) == expected);
                    const std::vector<BatchSample> found = downloaded(table);
                    std::uint32_t wrong = 0;
                    for (std::uint32_t i = 0; i < rows; ++i) {
                        const std::uint32_t row = expected[i];
                        wrong += found[i].begin != data.offsets[row] || found[i].size != row_size ||
                                 found[i].label != data.labels[row];
                    }
                    CHECK_MESSAGE(wrong == 0, kind << ", epoch " << epoch);
                }
            }
        }
    }
}

TEST_CASE("the unit of sums holds a batch of terms a thousandfold what is expected, and is no finer than needed") {
    CHECK(SumUnit::of(1, 1, 1).unit == 0x1p-40);
    for (const auto& [size, value, slope] :
         {std::tuple{1u, 0.1, 1.0}, {256u, 1.0, 1.0}, {65'536u, 3.0, 1.0}, {4'096u, 2e5, 3e4}, {1u << 20, 1e30, 1.0}}) {
        const SumUnit unit = SumUnit::of(size, value, slope);
        const double sum = size * std::max(1.0, value) * std::max(1.0, slope);
        CHECK(1'000 * sum < 0x1p+63 * unit.unit);
        if (unit.unit > 0x1p-40) CHECK(2'048 * sum > 0x1p+62 * unit.unit);
        CHECK(size * unit.most_units <= 0x1p+62);
        CHECK(unit.unit * unit.per_unit == 1);
    }
}
