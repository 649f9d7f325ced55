// What a model has besides its weights: numbers that a user may choose, each problem's own.
//
// An access pattern lists its parameters. An entry gives a name on the command line, an axis of a sweep, a field of a
// plan and a check of its range.
#pragma once

#include <span>
#include <string_view>

namespace hogwild {

struct NetworkShape;

/// Stands for a usual L2 of one over the number of samples.
inline constexpr double kOneOverSamples = -1;

struct Parameter {
    std::string_view name;
    double usual;
    double least, most;
    bool whole; // a whole number
    std::string_view about;
};

/// What a user chose of a model. Borrows.
struct ModelChoice {
    std::span<const double> parameters{};  // as the pattern lists them
    double l2 = 0;                         // lambda of (lambda / 2) |w|^2
    const NetworkShape* network = nullptr; // of patterns that take one (kTakesNetwork)
};

} // namespace hogwild
