// What labels mean: real numbers as they stand, or two classes as -1 and +1.
//
// Without a chosen class the higher of two values is positive: {-1, +1}, {0, 1} and {1, 2} alike. A file of one class
// keeps its meaning when the value is -1, 0 or 1. More than two values need a `positive_class`, which becomes +1
// against the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// The distinct values, ascending; more than kMostClasses are not told apart further (the list is then longer than
/// that).
inline constexpr std::size_t kMostClasses = 4096;
std::vector<double> distinct_labels(std::span<const float> labels);

/// The shortest text that reads back as the same label, which is a float wherever samples hold it: "0.1", "20".
/// Whole numbers have no exponent.
std::string label_text(double label);

/// The label that such a text says, a float as samples hold it; nothing for what is no number.
std::optional<double> parse_label(std::string_view text);

/// The class that becomes +1 where none is chosen; nothing where it has to be.
std::optional<double> usual_positive_class(const std::vector<double>& classes);

/// The class that becomes +1. `chosen` is read as labels are, as a float. Throws Error that lists the classes when none can be
/// told, or when `chosen` is not among them and `must_occur`.
double choose_positive_class(const std::vector<double>& classes, std::optional<double> chosen, bool must_occur,
                             const std::string& name);

/// target[i] = source[i] == positive ? +1 : -1, in parallel.
void map_labels(std::span<const float> source, double positive, std::span<float> target);

} // namespace hogwild
