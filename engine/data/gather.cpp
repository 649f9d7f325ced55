#include "engine/data/gather.h"

#include "engine/data/ratings.h"
#include "engine/data/sparse_arrays.h"
#include "engine/machine/parallel.h"

#include <algorithm>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 4096;

} // namespace

OwnedSamples gathered(const SparseView& from, std::uint32_t rows,
                      const std::function<std::uint32_t(std::uint32_t)>& number) {
    PageArray<std::uint64_t> offsets(std::uint64_t{rows} + 1);
    for (std::uint32_t i = 0; i < rows; ++i) offsets[i + 1] = offsets[i] + from.row(number(i)).size;
    auto arrays = std::make_shared<SparseArrays>(rows, offsets[rows], from.columns);
    arrays->offsets = std::move(offsets);
    parallel_for(rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const SparseRow row = from.row(number(static_cast<std::uint32_t>(i)));
            std::copy_n(row.index, row.size, arrays->indices.data() + arrays->offsets[i]);
            std::copy_n(row.value, row.size, arrays->values.data() + arrays->offsets[i]);
            arrays->labels[i] = row.label;
        }
    });
    const SparseView view = arrays->view();
    return {view, std::move(arrays)};
}

OwnedSamples gathered(const RatingsView& from, std::uint32_t rows,
                      const std::function<std::uint32_t(std::uint32_t)>& number) {
    auto array = std::make_shared<RatingsArray>();
    array->ratings = PageArray<Rating>(rows);
    parallel_for(rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i)
            array->ratings[i] = from.ratings[number(static_cast<std::uint32_t>(i))];
    });
    RatingsView view = from;
    view.ratings = array->ratings.data();
    view.rows = rows;
    return {view, std::move(array)};
}

} // namespace hogwild
