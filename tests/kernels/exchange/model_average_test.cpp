// What averaging models changes, and what it keeps.
#include "kernels/exchange/model_average.h"

#include "kernels/lanes/dispatch.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using namespace hogwild;

TEST_CASE("models become their average, whose sum is theirs, and nothing else is touched") {
    using On = OnLanes<ModelAverageBody, const ModelAverage&, std::uint32_t, std::uint32_t>;
    constexpr decltype(&On::scalar) kForms[] = {On::scalar, On::avx2, On::avx512};
    struct alignas(64) Model : std::array<float, 112> {};
    for (std::uint32_t set = 0; set <= static_cast<std::uint32_t>(best_instruction_set()); ++set) {
        for (const std::uint32_t count : {1u, 2u, 4u, 8u}) { // whole numbers, whose averages are exact in binary
            for (std::uint32_t size = 0; size <= 67; ++size) {
                TestNumbers numbers(size + 1);
                std::vector<Model> models(count), read(count);
                std::vector<float*> views;
                for (Model& model : models) {
                    for (float& value : model) value = static_cast<float>(numbers.bits() % 64);
                    views.push_back(model.data());
                }
                const std::vector<Model> before = models;
                const ModelAverage average{views.data(), count, read[0].data()};
                kForms[set](average, 16, 16 + size);
                for (std::uint32_t j = 0; j < models[0].size(); ++j) {
                    float sum = 0;
                    for (const Model& model : before) sum += model[j];
                    const bool in = j >= 16 && j < 16 + size;
                    for (std::uint32_t m = 0; m < count; ++m)
                        REQUIRE(models[m][j] == (in ? sum / static_cast<float>(count) : before[m][j]));
                }
            }
        }
    }
}
