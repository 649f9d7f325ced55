#include "engine/data/gather.h"

#include "engine/data/graphs/graph.h"
#include "engine/data/images/image_arrays.h"
#include "engine/data/sparse/sparse_arrays.h"
#include "engine/machine/parallel.h"
#include "kernels/network/bound_images.h"

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

/// What is said of all edges is counted anew.
OwnedSamples gathered(const EdgesView& from, std::uint32_t rows,
                      const std::function<std::uint32_t(std::uint32_t)>& number) {
    auto arrays = std::make_shared<GraphArrays>();
    arrays->edges = PageArray<WeightedEdge>(rows);
    arrays->known = PageArray<NodeClass>(from.known_count);
    arrays->free = from.free;
    arrays->classes = from.classes;
    arrays->constant = from.constant;
    parallel_for(rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i)
            arrays->edges[i] = from.edges[number(static_cast<std::uint32_t>(i))];
    });
    std::copy_n(from.known, from.known_count, arrays->known.data());
    EdgesView view = arrays->view();
    if (rows == from.rows) view.mean = from.mean; // not of another order of its sum
    return {view, std::move(arrays)};
}

/// A network that is bound to them stays.
OwnedSamples gathered(const ImagesView& from, std::uint32_t rows,
                      const std::function<std::uint32_t(std::uint32_t)>& number) {
    auto arrays = std::make_shared<ImagesArrays>(rows, from.shape, from.classes);
    const std::uint64_t size = from.shape.size();
    parallel_for(rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const LabelledImage image = from.row(number(static_cast<std::uint32_t>(i)));
            std::copy_n(image.pixels, size, arrays->pixels.data() + i * size);
            arrays->labels[i] = static_cast<std::uint8_t>(image.label);
        }
    });
    ImagesView view = arrays->view();
    if (from.bound != nullptr) view = view.bound_to(*from.bound);
    return {view, std::move(arrays)};
}

} // namespace hogwild
