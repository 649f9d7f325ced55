#include "tests/random_samples.h"

namespace hogwild {

std::uint32_t TestNumbers::bits() { return philox({counter_++, 0, 0, 0}, key_)[0]; }

TestSamples random_samples(std::uint64_t rows, std::uint32_t columns, std::uint32_t mean, std::uint64_t seed) {
    TestNumbers numbers(seed);
    TestSamples samples;
    samples.columns = columns;
    for (std::uint64_t i = 0; i < rows; ++i) {
        std::vector<std::uint32_t> index;
        std::vector<float> value;
        double margin = 0.5 * numbers.number();
        for (std::uint32_t j = 0; j < columns; ++j) {
            if (numbers.bits() % columns >= mean) continue;
            index.push_back(j);
            value.push_back(numbers.number());
            margin += value.back() * (j % 3 == 0 ? 1 : -0.5);
        }
        samples.add(margin > 0 ? 1.0f : -1.0f, index, value);
    }
    return samples;
}

} // namespace hogwild
