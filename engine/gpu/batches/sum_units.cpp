#include "engine/gpu/batches/sum_units.h"

#include "kernels/cuda/memory/magnitude.h"

#include <algorithm>
#include <cmath>

namespace hogwild {
namespace {

/// A term of a sum is a product of two, a slope and what it multiplies.
struct Largest {
    double value, slope;
};

/// The slope of hinge and logistic loss is at most 1, that of squared loss about the label.
Largest largest(const SparseView& data, const SparseView& there, const Stream& stream) {
    return {largest_magnitude(there.values, data.nonzeros(), stream.get()),
            largest_magnitude(there.labels, data.rows, stream.get())};
}

/// The slope of squared loss is about the rating, less the mean; factors are as large as its root.
Largest largest(const RatingsView& data, const RatingsView& there, const Stream& stream) {
    constexpr std::uint32_t kStride = sizeof(Rating) / sizeof(float);
    const double rating = largest_magnitude(&there.ratings->value, data.rows, stream.get(), kStride);
    const double slope = rating + std::abs(double{data.model.mean});
    return {std::sqrt(slope), slope};
}

/// An edge moves a number by half its weight over the mean, or not at all.
Largest largest(const EdgesView& data, const EdgesView& there, const Stream& stream) {
    constexpr std::uint32_t kStride = sizeof(WeightedEdge) / sizeof(float);
    return {0.5 * largest_magnitude(&there.edges->weight, data.rows, stream.get(), kStride) / data.mean, 1};
}

/// A term is itself a sum over outputs, or over contexts, of slopes below 1 times numbers of vectors, which are about 1.
Largest largest(const TokensView& data, const TokensView&, const Stream&) {
    return {static_cast<double>(std::max(1 + data.model.negatives, 2 * data.model.window)), 1};
}

/// Networks have no form for a GPU: a plan of one is refused before it is here.
Largest largest(const ImagesView&, const ImagesView&, const Stream&) { return {1, 1}; }

} // namespace

SumUnit unit_of(const AnyView& data, const AnyView& there, std::uint32_t size, const Stream& stream) {
    const Largest most =
        data.visit([&]<class View>(const View& samples) { return largest(samples, there.as<View>(), stream); });
    return SumUnit::of(size * data.most_repeats(), most.value, most.slope);
}

} // namespace hogwild
