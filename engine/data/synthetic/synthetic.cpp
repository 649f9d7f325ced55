#include "engine/data/synthetic/synthetic.h"

#include "engine/data/sparse/sparse_arrays.h"
#include "engine/data/synthetic/planted_model.h"
#include "engine/data/synthetic/row_words.h"
#include "engine/data/text/memory_limit.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/parallel.h"

#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 1024;                           // rows per task
constexpr std::string_view kGenerator = "hogwild synthetic 1: "; // changes whenever the bits of any recipe do

std::uint64_t rows_of(const SyntheticRecipe& recipe) {
    return recipe.held_out ? (recipe.rows - 1) / 10 + 1 : recipe.rows;
}

void check_memory(const SyntheticRecipe& recipe) {
    constexpr double kPerFeature = 40; // the model's tables
    const auto rows = static_cast<double>(rows_of(recipe));
    const double bytes = rows * (recipe.nonzeros * 8 + 12) + recipe.features * kPerFeature;
    const auto limit = static_cast<double>(default_array_limit());
    if (bytes <= limit) return;
    throw Error(Failure::kUsage, fmt::format("a dataset of {:.1f} GiB does not fit", bytes / 0x1p30),
                fmt::format("{:.1f} GiB of memory may be used", limit / 0x1p30), "lower rows, nonzeros or features");
}

void fill_offsets(const PlantedModel& model, PageArray<std::uint64_t>& offsets) {
    const std::uint64_t rows = offsets.size() - 1;
    parallel_for(rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t row = begin; row < end; ++row) offsets[row + 1] = model.length(row);
    });
    for (std::uint64_t row = 0; row < rows; ++row) offsets[row + 1] += offsets[row];
}

} // namespace

Dataset generate(const SyntheticRecipe& recipe, const std::string& name) {
    check_memory(recipe);
    const PlantedModel model(recipe);
    PageArray<std::uint64_t> offsets(rows_of(recipe) + 1);
    fill_offsets(model, offsets);
    const std::uint64_t rows = offsets.size() - 1;
    auto arrays = std::make_shared<SparseArrays>(rows, offsets[rows], recipe.features);
    arrays->offsets = std::move(offsets);
    parallel_for(rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        RowWords words;
        for (std::uint64_t row = begin; row < end; ++row) {
            const std::uint64_t first = arrays->offsets[row];
            const auto length = static_cast<std::uint32_t>(arrays->offsets[row + 1] - first);
            arrays->labels[row] =
                model.fill_row(row, length, words, arrays->indices.data() + first, arrays->values.data() + first);
        }
    });
    const SparseView view = arrays->view();
    return {name, content_hash(std::string(kGenerator) + to_string(recipe)), view, std::move(arrays)};
}

} // namespace hogwild
