// What a linear problem is: a loss of the margin.
//
//   F(w) = (1/n) sum_i value(w . x_i, y_i) + (lambda / 2) |w|^2
//   gradient of one sample's loss: slope(w . x_i, y_i) x_i
//
// A problem reads margins and labels; it never sees a weight, an index or a policy. Both functions are pure, templates over
// the real type (float steps, double evaluates), and run on host and device.
#pragma once

#include <concepts>
#include <string_view>

namespace hogwild {

// Access patterns, under kernels/patterns/.
struct SparseRows;
struct FactorPairs;
struct EdgeEnds;
struct TokenWindows;
struct ImageBatches;

template <class P>
concept LinearProblem = requires(float f, double d) {
    requires std::same_as<typename P::Pattern, SparseRows>;
    { P::name } -> std::convertible_to<std::string_view>;
    { P::curvature } -> std::convertible_to<double>; // largest second derivative in the margin; 0: not smooth
    { P::real_labels } -> std::convertible_to<bool>; // labels are numbers to be met, not the classes -1 and +1
    { P::value(f, f) } -> std::same_as<float>;
    { P::slope(f, f) } -> std::same_as<float>;
    { P::value(d, d) } -> std::same_as<double>;
    { P::slope(d, d) } -> std::same_as<double>;
};

} // namespace hogwild
