// Small data sets of sparse rows for the laws of schemes.
#pragma once

#include "engine/data/dataset.h"
#include "tests/random_samples.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace hogwild {

struct ToyStorage : DatasetStorage {
    TestSamples samples;
};

inline Dataset toy_dataset(TestSamples samples) {
    auto storage = std::make_shared<ToyStorage>();
    storage->samples = std::move(samples);
    const SparseView view = storage->samples.view();
    return {"toy", 1, view, storage};
}

/// 1,000 samples of about 6 of 40 coordinates: crowded, so that workers meet.
inline Dataset crowded() { return toy_dataset(random_samples(1'000, 40, 6, 1)); }

/// Samples with three coordinates each that no other sample has: nothing can conflict.
inline Dataset disjoint(std::uint32_t rows = 600) {
    TestSamples samples;
    samples.columns = 3 * rows;
    TestNumbers numbers(4);
    for (std::uint32_t i = 0; i < rows; ++i) {
        samples.add(numbers.number() > 0 ? 1.0f : -1.0f, {3 * i, 3 * i + 1, 3 * i + 2},
                    {numbers.number(), numbers.number(), numbers.number()});
    }
    return toy_dataset(std::move(samples));
}

/// One nonzero each, every column in turn. With small values margins stay far below hinge's kink, and all samples add the
/// same.
inline Dataset alike(std::uint32_t rows, std::uint32_t columns, float value) {
    TestSamples samples;
    samples.columns = columns;
    for (std::uint32_t i = 0; i < rows; ++i) samples.add(1.0f, {i % columns}, {value});
    return toy_dataset(std::move(samples));
}

} // namespace hogwild
